# jobs.sh
#	Jobs in a stage, side by side: stage.sh sources it.
#
# Each job has a process group, a directory and a log of its own.  All of it
# ends with the job, also the servers it started, and no later than the limit,
# SUITE_SECONDS: logs are files, so nothing waits for who else might write.
# While jobs run, a line for each says every 20 seconds how far it is.

declare -A job_pid=() job_began=()
ended="" ended_status=0
last_said=0

clock() {
	printf '[%2d:%02d] ' $((SECONDS / 60)) $((SECONDS % 60))
}

# job_start NAME COMMAND..: runs it in $stage/run/NAME; it finds its directory
# for results in $results, and its output is $results/log.
job_start() {
	local name=$1 results=$stage/out/$1
	shift
	staged mkdir -p "$stage/run/$name" "$results"
	# A process group for it: what `set -m` is for.
	set -m
	(
		set +m
		cd "$stage/run/$name"
		"$@"
	) >"$results/log" 2>&1 </dev/null &
	set +m
	job_pid[$name]=$!
	job_began[$name]=$SECONDS
	last_said=$SECONDS
}

# Waits until a job has ended.  Its name is then in ended, its status in
# ended_status: 124 if the limit ended it.
jobs_wait() {
	while [ ${#job_pid[@]} -gt 0 ]; do
		for ended in "${!job_pid[@]}"; do
			if ! kill -0 "${job_pid[$ended]}" 2>/dev/null; then
				ended_status=0
				wait "${job_pid[$ended]}" || ended_status=$?
				job_clear "$ended"
				return
			elif [ $((SECONDS - job_began[$ended])) -ge "${SUITE_SECONDS:-1200}" ]; then
				clock
				echo "$ended reached its limit of ${SUITE_SECONDS:-1200} seconds and was ended"
				ended_status=124
				job_clear "$ended"
				return
			fi
		done
		jobs_say
		sleep 0.3
	done
}

# Nothing of it stays but its results.
job_clear() {
	kill -s KILL -- "-${job_pid[$1]}" 2>/dev/null || true
	stage_kill "$stage/run/$1"
	rm -rf "$stage/run/$1"
	unset "job_pid[$1]"
}

jobs_say() {
	local name
	[ $((SECONDS - last_said)) -ge 20 ] || return 0
	last_said=$SECONDS
	for name in "${!job_pid[@]}"; do
		clock
		printf 'running  %s, %d s: %s\n' "$name" $((SECONDS - job_began[$name])) "$(job_last_line "$name")"
	done
}

# Its end, which for a compiler's line says what is compiled.
job_last_line() {
	tail -c 4000 "$stage/out/$1/log" | tr '\t' ' ' | sed -e 's/.*\(.\{70\}\)$/..\1/' -e '/^ *$/d' | tail -n 1
}
