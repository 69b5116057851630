# suites.sh
#	The runners of kanon's tests, over a stage with a private server (which
#	"outside" does without; see stage.sh), and the tally of what passed and failed.
#
# Each runner counts the tests that really ran.  A runner that breaks off, or
# that ran fewer tests than there are, counts as one failure more.

passed=0
failed=0

# suite_count NAME STATUS EXPECTED LOG OK NOT_OK: counts the lines of a log
# that match the two patterns.
suite_count() {
	local name=$1 status=$2 expected=$3 log=$4 good bad
	good=$(grep -cE "$5" "$log" || true)
	bad=$(grep -cE "$6" "$log" || true)
	if [ $((good + bad)) -lt "$expected" ] || { [ "$status" != 0 ] && [ "$bad" = 0 ]; }; then
		echo "$name broke off with status $status: $((good + bad)) of $expected tests ran"
		bad=$((bad + 1))
	fi
	suite_tally "$name" "$good" "$bad"
}

suite_tally() {
	passed=$((passed + $2))
	failed=$((failed + $3))
	say "$1: passed $2, failed $3"
}

# The last line of a run, and its status.
suites_end() {
	echo "$passed passed, $failed failed"
	[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
}

# Runs a command as the stage's owner into out/NAME.log, shown as it goes; a
# suite that hangs is stopped.
suite_run() {
	local name=$1
	shift
	staged timeout --foreground -k 10 "${SUITE_SECONDS:-1200}" "$@" 2>&1 | tee "$stage/out/$name.log"
}

# names DIRECTORY SUFFIX: the files there without directory and suffix.
names() {
	find "$1" -maxdepth 1 -name "*$2" -printf '%f\n' 2>/dev/null | sed "s/\\$2\$//" | LC_ALL=C sort
}

# suite_regress NAME RUNNER INPUT_DIRECTORY DATABASE TEST..: one of the two programs that
# compare output files.  15 and before print "... ok", 16 and later speak TAP.
suite_regress() {
	local name=$1 runner=$2 input=$3 database=$4 status=0
	shift 4
	[ $# -gt 0 ] || return 0
	say "$name"
	staged mkdir -p "$stage/out/$name"
	suite_run "$name" "$pgxs_dir/src/test/$runner" --bindir="$bin" --inputdir="$input" \
		--outputdir="$stage/out/$name" --no-locale --encoding=UTF8 --dbname="$database" \
		--load-extension=kanon "$@" || status=$?
	if [ -s "$stage/out/$name/regression.diffs" ]; then
		cat "$stage/out/$name/regression.diffs"
	fi
	suite_count "$name" "$status" $# "$stage/out/$name.log" \
		'^(ok [0-9]+ |test .*\.\.\. ok|     .*\.\.\. ok)' \
		'^(not ok [0-9]+ |test .*\.\.\. FAILED|     .*\.\.\. FAILED)'
}

suite_sql() {
	# shellcheck disable=SC2046
	suite_regress sql regress/pg_regress "$source_dir" contrib_regression $(names "$source_dir/sql" .sql)
}

suite_isolation() {
	# shellcheck disable=SC2046
	suite_regress isolation isolation/pg_isolation_regress "$source_dir/test" isolation_regression \
		$(names "$source_dir/test/specs" .spec)
}

# TAP tests make servers of their own; a count for each assertion.
suite_tap() {
	local tests status=0
	tests=$(find "$source_dir/test/t" -name '*.pl' 2>/dev/null | LC_ALL=C sort)
	[ -n "$tests" ] || return 0
	say "tap"
	staged mkdir -p "$stage/out/tap"
	# shellcheck disable=SC2086
	suite_run tap env -u PGHOST -u PGUSER PGPORT=65432 \
		PG_TEST_PORT_DIR="$stage" TESTDIR="$stage/out/tap" TESTDATADIR="$stage/out/tap/tmp_check" \
		TESTLOGDIR="$stage/out/tap/tmp_check/log" TEMP_CONFIG="$stage/conf" \
		PG_REGRESS="$pgxs_dir/src/test/regress/pg_regress" \
		prove --verbose -I "$pgxs_dir/src/test/perl" $tests || status=$?
	suite_count tap "$status" "$(wc -l <<<"$tests")" "$stage/out/tap.log" '^ok ' '^not ok '
	# The logs are worth keeping, the data directories are not.
	rm -rf "$stage"/out/tap/tmp_check/t_*_data "$stage"/out/tap/tmp_check/*/pgdata
}

# suite_last_line NAME STATUS: the counts from "NAME: N passed, M failed", with which a log ends.
suite_last_line() {
	local name=$1 status=$2 good="" bad=""
	read -r good bad < <(sed -nE "s/^$name: ([0-9]+) passed, ([0-9]+) failed\$/\\1 \\2/p" \
		"$stage/out/$name.log" | tail -n 1) || true
	if [ -z "$bad" ] || { [ "$status" != 0 ] && [ "$bad" = 0 ]; }; then
		echo "$name broke off with status $status"
		bad=1
	fi
	suite_tally "$name" "${good:-0}" "$bad"
}

# Random cases against plain SQL, in an empty database; CASES and SEED pass through.
suite_property() {
	local status=0
	[ -x "$source_dir/test/property/run" ] || return 0
	say "property, ${CASES:=2000} cases"
	staged "$bin/createdb" kanon_property
	suite_run property env PGDATABASE=kanon_property CASES="$CASES" \
		"$source_dir/test/property/run" || status=$?
	suite_last_line property "$status"
}

# Random cases without a server, under sanitizers; OUTSIDE_CASES and SEED pass through.
suite_outside() {
	local status=0
	say "outside, ${OUTSIDE_CASES:=3000} cases"
	suite_run outside env CASES="$OUTSIDE_CASES" BUILD="$stage/outside" PG_CONFIG="$pg_config" \
		"$source_dir/test/outside/run" || status=$?
	suite_last_line outside "$status"
}

# What the server itself noticed, whatever the tests said.
suite_server() {
	local bad
	[ -f "$stage/out/server.log" ] || return 0
	bad=$(grep -E 'was terminated by signal|PANIC:|TRAP:|AddressSanitizer|runtime error:' \
		"$stage/out/server.log" || true)
	if [ -n "$bad" ]; then
		echo "$bad"
		echo "the server's log is kept in build/$stage_name/server.log"
		suite_tally server 0 1
	fi
}

# suites_run SUITE..: those named, of sql isolation tap property outside; then the
# server's log.
suites_run() {
	local suite
	for suite in "$@"; do
		case $suite in
			sql | isolation | tap | property | outside) "suite_$suite" ;;
			*) die "unknown suite \"$suite\": sql, isolation, tap, property and outside are the ones" ;;
		esac
	done
	suite_server
}
