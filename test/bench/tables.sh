# tables.sh
#	Tables from directories of CSV files, for the benchmarks that source it.
#
# A directory NAME holds NAME.csv, with a header, and hierarchy_COLUMN.csv for each
# quasi-identifier: the ground value first, then one label for each level, separated by ";",
# or by "," below a header.

export PGOPTIONS="${PGOPTIONS:-} -c client_min_messages=warning"
sql() { psql -X -q -A -t -v ON_ERROR_STOP=1 "$@"; }

# Statements find the schema kanon_bench first, then kanon.
bench_path() {
	sql -c 'CREATE EXTENSION IF NOT EXISTS kanon'
	home=$(sql -c "SELECT quote_ident(nspname) FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'kanon'")
	export PGOPTIONS="$PGOPTIONS -c search_path=kanon_bench,$home"
}

# hierarchy FILE: sets its separator, what COPY has to know of its header, and the type of its
# ground values.
hierarchy() {
	separator=';' heading='' type=int
	if ! head -n 1 "$1" | grep -q ';'; then separator=, heading=', HEADER'; fi
	if tail -n "+$([ -z "$heading" ] && echo 1 || echo 2)" "$1" | grep -qvE "^(0|-?[1-9][0-9]*)$separator"; then type=text; fi
}

# load DIRECTORY NAME: makes the schema anew, with the table and a dimension NAME_COLUMN for each
# hierarchy; columns without one are no quasi-identifiers, nor is "number", that of the row.
load() {
	local names=() types=() column separator heading type levels
	IFS=, read -ra names < <(head -n 1 "$1/$2.csv" | tr -d '\r')
	for column in "${names[@]}"; do
		type=text
		[ ! -f "$1/hierarchy_$column.csv" ] || hierarchy "$1/hierarchy_$column.csv"
		types+=("$column $type")
	done
	sql -c 'DROP SCHEMA IF EXISTS kanon_bench CASCADE' -c 'CREATE SCHEMA kanon_bench'
	sql -c "CREATE TABLE $2 ($(IFS=,; echo "${types[*]}"), number int GENERATED ALWAYS AS IDENTITY)" \
		-c "\\copy $2 ($(IFS=,; echo "${names[*]}")) FROM '$1/$2.csv' (FORMAT csv, HEADER)"
	for column in "${names[@]}"; do
		[ -f "$1/hierarchy_$column.csv" ] || continue
		hierarchy "$1/hierarchy_$column.csv"
		levels=$(head -n 1 "$1/hierarchy_$column.csv" | tr -cd "$separator" | wc -c)
		sql -c "CREATE TABLE $2_$column (value $type$(seq -f ', level_%g text' -s '' "$levels"))" \
			-c "\\copy $2_$column FROM '$1/hierarchy_$column.csv' (FORMAT csv, DELIMITER '$separator'$heading)" \
			-c "SELECT kanon_set_attribute('$2', '$column', 'quasi_identifier', '$2_$column')" >/dev/null
	done
	sql -c "VACUUM ANALYZE $2"
}
