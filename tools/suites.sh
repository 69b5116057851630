# suites.sh
#	kanon's tests as jobs (see jobs.sh) over a stage, and the tally of what
#	passed and failed.
#
# A suite has three functions: SUITE_jobs says what it does and lists its jobs,
# SUITE_run is what such a job does, SUITE_judge counts the tests that really
# ran.  A job that breaks off, or that ran fewer tests than there are, counts as
# one failure more.

suites=(property outside sequence sql isolation tap)
# Those that need more than PostgreSQL run only where they are asked for.
suites_known=("${suites[@]}" citus)
passed=0
failed=0
failures=()
lanes=$(nproc)

# suites_run SUITE|SUITE/JOB..: those named, as "sql" or "tap/010_dump".
suites_run() {
	local suite job_wanted
	job_names=() job_suites=() job_next=0
	for job_wanted in "$@"; do
		suite=${job_wanted%%/*}
		[[ " ${suites_known[*]} " = *" $suite "* ]] || die "unknown suite \"$suite\": ${suites_known[*]} are the ones"
		"${suite}_jobs"
	done
	# How many processes a job may keep busy that can keep several.
	lane_share=1
	[ ${#job_names[@]} -gt 1 ] || lane_share=$lanes
	[ ${#job_names[@]} -gt 0 ] || die "no such job: $*"
	say "${#job_names[@]} jobs, $lanes at a time"
	while [ $job_next -lt ${#job_names[@]} ] || [ ${#job_pid[@]} -gt 0 ]; do
		while [ $job_next -lt ${#job_names[@]} ] && [ ${#job_pid[@]} -lt "$lanes" ]; do
			suite_begin "${job_names[job_next]}" "${job_suites[job_next]}"
			job_next=$((job_next + 1))
		done
		jobs_wait
		suite_end "$ended" "$ended_status"
	done
}

# suite_job SUITE [NAME]: lists a job of that suite, if it is wanted.
suite_job() {
	[[ "$1${2:+/$2}" = "$job_wanted" || "$1" = "$job_wanted" ]] || return 0
	job_suites+=("$1")
	job_names+=("$1${2:+/$2}")
}

suite_begin() {
	clock
	echo "begins   $1 ($((job_next + 1)) of ${#job_names[@]})"
	job_start "$1" "$2_run" "${1#*/}"
}

suite_end() {
	local name=$1 status=$2 log=$stage/out/$1/log good=0 bad=0
	"${name%%/*}_judge" "$status" "$log" "$name"
	if [ "$status" != 0 ] && [ "$bad" = 0 ]; then
		echo "$name broke off with status $status"
		bad=1
	fi
	server_judge "$stage/out/$name/server.log"
	passed=$((passed + good))
	failed=$((failed + bad))
	if [ "$bad" -gt 0 ]; then
		suite_show "$name" "$log"
		clock
		echo "FAILED   $name: $good passed, $bad failed, after $((SECONDS - job_began[$name])) s"
		failures+=("$name: $bad, status $status; $(suite_first_failure "$log" || true)")
	else
		clock
		echo "ok       $name: $good passed, $((SECONDS - job_began[$name])) s"
	fi
}

# What is worth seeing of a job in which something failed.
suite_show() {
	local differences=$stage/out/$1/regression.diffs
	if [ -s "$differences" ]; then
		cat "$differences"
	else
		grep -nE -A 12 '^not ok|^# +(Failed|at|got|expected)|ERROR|FAILED' "$2" | head -n 100 || true
		tail -n 20 "$2"
	fi
	echo "more of it in build/$stage_name/$1"
}

# What a log says of the first failure, if there is one: the server's log may have another.
suite_first_failure() {
	grep -m 1 -E '^not ok|\.\.\. FAILED|^case [0-9]+ of seed' "$1"
}

# Repeats what failed, for the end of a long log; then the last line of a run, and its status.
suites_end() {
	[ ${#failures[@]} = 0 ] || printf 'what failed: %s\n' "${failures[@]}"
	echo "$passed passed, $failed failed"
	[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
}

# ---- ways to count: they set good and bad

# judge_lines STATUS LOG EXPECTED OK NOT_OK: by the lines that match two patterns.
judge_lines() {
	good=$(grep -cE "$4" "$2" || true)
	bad=$(grep -cE "$5" "$2" || true)
	if [ $((good + bad)) -lt "$3" ]; then
		echo "only $((good + bad)) of $3 tests ran (status $1)"
		bad=$((bad + 1))
	fi
}

# judge_last_line STATUS LOG NAME: by "NAME: N passed, M failed", with which a log ends.
judge_last_line() {
	local counts
	counts=$(sed -nE "s/^$3: ([0-9]+) passed, ([0-9]+) failed\$/\\1 \\2/p" "$2" | tail -n 1)
	good=${counts% *} bad=${counts#* }
	if [ -z "$counts" ]; then
		good=0 bad=1
		echo "$3 broke off with status $1"
	fi
}

# What the server itself noticed, whatever the tests said.
server_judge() {
	[ -f "$1" ] || return 0
	if grep -E 'was terminated by signal|PANIC:|TRAP:|AddressSanitizer|runtime error:' "$1"; then
		bad=$((bad + 1))
	fi
}

# ---- sql, isolation: compared with expected output

# names DIRECTORY SUFFIX: the files there without directory and suffix.
names() {
	find "$1" -maxdepth 1 -name "*$2" -printf '%f\n' 2>/dev/null | sed "s/\\$2\$//" | LC_ALL=C sort
}

# compare_output RUNNER INPUT_DIRECTORY DATABASE TEST..
compare_output() {
	local runner=$1 input=$2 database=$3
	shift 3
	server_start
	staged "$pgxs_dir/src/test/$runner" --bindir="$bin" --inputdir="$input" --outputdir="$results" \
		--no-locale --encoding=UTF8 --dbname="$database" --load-extension=kanon "$@"
	server_stop fast
}

# 15 and before print "... ok", 16 and later speak TAP.
judge_output() {
	judge_lines "$1" "$2" "$3" \
		'^(ok [0-9]+ |test .*\.\.\. ok|     .*\.\.\. ok)' \
		'^(not ok [0-9]+ |test .*\.\.\. FAILED|     .*\.\.\. FAILED)'
}

sql_jobs() {
	say "sql: $(names "$source_dir/sql" .sql | wc -l) files of SQL, and what they should answer"
	suite_job sql
}

sql_run() {
	# shellcheck disable=SC2046
	compare_output regress/pg_regress "$source_dir" contrib_regression $(names "$source_dir/sql" .sql)
}

sql_judge() {
	judge_output "$1" "$2" "$(names "$source_dir/sql" .sql | wc -l)"
}

isolation_jobs() {
	say "isolation: sessions that meet"
	suite_job isolation
}

isolation_run() {
	# shellcheck disable=SC2046
	compare_output isolation/pg_isolation_regress "$source_dir/test" isolation_regression \
		$(names "$source_dir/test/specs" .spec)
}

isolation_judge() {
	judge_output "$1" "$2" "$(names "$source_dir/test/specs" .spec | wc -l)"
}

# ---- tap: programs with servers of their own, a count for each assertion

# programs_jobs SUITE DIRECTORY: the largest first, which take longest as a rule.
programs_jobs() {
	local test
	# shellcheck disable=SC2012
	for test in $(ls -S "$source_dir/test/$2"/*.pl); do
		suite_job "$1" "$(basename "$test" .pl)"
	done
}

# program_run DIRECTORY NAME
program_run() {
	local broken=
	[ "$2" != 061_cohort_attack ] || broken=$(stage_build_broken)
	staged env -u PGHOST -u PGUSER BROKEN_LIBRARY="$broken" PATH="$bin:$PATH" PGPORT=65432 PG_TEST_PORT_DIR="$stage" \
		TESTDIR="$PWD" TESTDATADIR="$PWD/data" TESTLOGDIR="$results" TEMP_CONFIG="$stage/conf" \
		PG_REGRESS="$pgxs_dir/src/test/regress/pg_regress" \
		perl -I "$pgxs_dir/src/test/perl" "$source_dir/test/$1/$2.pl"
}

tap_jobs() {
	say "tap: whole servers, dump and restore, standby, roles, memory, cancels"
	programs_jobs tap t
}

tap_run() {
	program_run t "$1"
}

# Test::More's own status says what is wrong with the plan; skipped is not passed.
tap_judge() {
	judge_lines "$1" "$2" 1 '^ok [0-9]+( - |$)' '^not ok '
}

# ---- citus: the same, with servers of Citus

citus_jobs() {
	say "citus: a coordinator and two workers"
	programs_jobs citus citus
}

citus_run() {
	program_run citus "$1"
}

citus_judge() {
	tap_judge "$@"
}

# ---- property: random cases against plain SQL, in an empty database

# CASES, PROPERTY_SECONDS and SEED pass through.
property_jobs() {
	say "property: ${CASES:=2000} random cases of each kind against plain SQL" \
		"${PROPERTY_SECONDS:+(those of $PROPERTY_SECONDS seconds)}"
	suite_job property
}

property_run() {
	server_start
	staged "$bin/createdb" kanon_property
	staged env PGDATABASE=kanon_property CASES="$CASES" JOBS="${JOBS:-$lane_share}" \
		"$source_dir/test/property/run"
	server_stop fast
}

property_judge() {
	judge_last_line "$1" "$2" property
}

# ---- outside: random cases without a server, under sanitizers

# OUTSIDE_CASES and SEED pass through.
outside_jobs() {
	say "outside: ${OUTSIDE_CASES:=3000} random cases against a brute force, without a server, under sanitizers"
	suite_job outside
}

outside_run() {
	staged env CASES="$OUTSIDE_CASES" JOBS="${JOBS:-$lane_share}" BUILD="$PWD" PG_CONFIG="$pg_config" \
		"$source_dir/test/outside/run"
}

outside_judge() {
	judge_last_line "$1" "$2" outside
}

# ---- sequence: random sequences of calls, in one session and in several

# STEPS, CLIENTS, SEED and SEQUENCE_SECONDS pass through.
sequence_jobs() {
	say "sequence: random calls in one session and in several" \
		"${SEQUENCE_SECONDS:+(those of $SEQUENCE_SECONDS seconds)}"
	suite_job sequence
}

sequence_run() {
	server_start
	staged "$source_dir/test/sequence/run"
	server_stop fast
}

# Besides what every server may complain of: what is left open or lost track of.
sequence_judge() {
	judge_last_line "$1" "$2" sequence
	if grep -E 'WARNING:.*(leak|already|still referenced)' "$stage/out/$3/server.log"; then
		bad=$((bad + 1))
	fi
}
