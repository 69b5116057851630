# stage.sh
#	What the tools share: packages, a stage, a private server in it.
#
# A stage is a directory that lives as long as one run: a copy of the sources,
# what they build, an installation in dest/, servers' data and sockets, and in
# out/ all results.  Nothing is written into the checkout but build/NAME, the
# results, at the end; the system's own clusters are never touched and no TCP
# port is opened.  As root, everything that is built or served runs as the user
# postgres, who needs no access to the checkout.  Whatever works in the stage
# ends with it.
#
# Sourced by bash scripts under `set -euo pipefail`.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
umask 022

# The caller's connection, make and locale settings are none of ours.
for variable in ${!PG@} ${!LC_@} LANG LANGUAGE MAKEFLAGS MFLAGS MAKELEVEL; do
	[ "$variable" = PG_CONFIG ] || unset "$variable"
done

say() {
	printf '== %s\n' "$*"
}

die() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 1
}

. "$root/tools/packages.sh"
. "$root/tools/jobs.sh"

# ---- the stage

# stage_open NAME: makes the stage; results go to build/NAME when the script ends.
stage_open() {
	stage_name=$1
	[ -d /proc/self ] || die "/proc is not mounted (mount -t proc proc /proc)"
	trap stage_close EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 141' PIPE
	trap 'exit 143' TERM
	# Who owns the stage: root leaves it to the user postgres, where there is one.
	stage_user=$(id -un)
	if [ "$(id -u)" = 0 ]; then
		stage_user=postgres
		id postgres >/dev/null 2>&1 || stage_user=nobody
	fi
	stage_make
	source_dir=$stage/source
	mkdir "$stage/out" "$stage/tmp" "$source_dir"
	touch "$stage/begun"
	(cd "$root" && tar cf - --exclude='*.o' --exclude='*.bc' --exclude='*.so' Makefile kanon.control \
		$(ls -d src sql expected test tools upgrade docs/rights.md docs/operations.md 2>/dev/null)) | tar xf - --no-same-owner -C "$source_dir"
	chmod -R u+rwX,go+rX "$source_dir"
	bin=$(pg bindir)
	pgxs_dir=$(dirname "$(pg pgxs)")/../..
	export TMPDIR=$stage/tmp
	stage_own
	cd "$stage"
}

# Makes the directory: where its owner can run programs, there is room, and the
# path is short (a socket's has at most 107 bytes) and plain (make knows no blanks).
stage_make() {
	local base reason reasons=""
	stage=
	for base in ${TMPDIR:+"$TMPDIR"} /tmp /var/tmp /dev/shm "${HOME:-/root}" "$root/build"; do
		reason=$(stage_objection "$base")
		if [ -z "$reason" ]; then
			stage=$(mktemp -d "$base/kanon.XXXXXX")
			chmod 755 "$stage"
			return
		fi
		reasons+=$'\n'"  $base: $reason"
	done
	die "no place for a stage, see TMPDIR:$reasons"
}

stage_objection() {
	local trial
	if ! trial=$(mktemp -d "$1/kanon.XXXXXX" 2>/dev/null); then
		echo "cannot be written"
		return
	fi
	chmod 755 "$trial"
	cp "$(type -P true)" "$trial/run" 2>/dev/null || true
	if [ ${#1} -gt 40 ] || [[ "$1" = *[!A-Za-z0-9/._+-]* ]]; then
		echo "its path is too long or has blanks"
	elif [ "$(df -Pk "$trial" | awk 'NR == 2 { print $4 }')" -lt 1000000 ]; then
		echo "has less than 1 GB of room"
	elif ! staged "$trial/run" 2>/dev/null; then
		echo "$stage_user cannot run programs there"
	fi
	rm -rf "$trial"
}

stage_own() {
	[ "$(id -u)" != 0 ] || chown -R "$stage_user" "$stage"
}

# Runs a command as the one who owns the stage.
staged() {
	if [ "$(id -u)" = 0 ]; then
		setpriv --reuid "$stage_user" --regid "$(id -g "$stage_user")" --init-groups \
			env "HOME=${stage:-/}" "$@" </dev/null
	else
		env "HOME=${stage:-/}" "$@" </dev/null
	fi
}

stage_close() {
	local status=$?
	trap - EXIT
	trap '' HUP INT PIPE TERM
	set +e
	cd /
	if [ -n "${stage:-}" ]; then
		stage_kill "$stage"
		[ ! -d "$stage/out" ] || stage_save
		rm -rf "$stage"
	fi
	exit "$status"
}

# Ends whatever works in that directory: servers and what they started too,
# which are in no process group of ours.  QUIT lets a server clean up.
stage_kill() {
	local signal turn workers
	for signal in QUIT KILL; do
		workers=$(stage_workers "$1")
		# shellcheck disable=SC2086
		[ -z "$workers" ] || kill -s "$signal" $workers 2>/dev/null || true
		for turn in {1..50}; do
			[ -n "$(stage_workers "$1")" ] || return 0
			sleep 0.1
		done
	done
	echo "cannot end what works in $1" >&2
}

# Processes come and go meanwhile, of which find complains.
stage_workers() {
	find /proc -maxdepth 2 -path '/proc/[0-9]*/cwd' \( -lname "$1" -o -lname "$1/*" \) -printf '%h\n' 2>/dev/null |
		sed 's|/proc/||' || true
}

# Copies the results into the checkout, as the checkout's owner.  A run that
# another one of its name overtakes takes a name beside it.
stage_save() {
	local results=$root/build/$stage_name
	[ ! "$results" -nt "$stage/begun" ] || results+=.$$
	rm -rf "$results"
	if mkdir -p "$results" && cp -R "$stage/out/." "$results/"; then
		chmod -R u+rwX "$results"
		[ "$(id -u)" != 0 ] || chown -R --reference="$root" "$root/build"
	else
		echo "could not keep the results in $results" >&2
	fi
}

# stage_build [make's variables]: builds and installs into the stage, without
# the bitcode that only inlining by JIT reads.
stage_build() {
	say "building with $(pg version), a minute or so"
	stage_check_versions
	stage_copy_server
	job_start build stage_make_all "$@"
	jobs_wait
	if [ "$ended_status" != 0 ]; then
		cat "$stage/out/build/log"
		die "the build failed"
	fi
	# Warnings are worth seeing; the rest is in the log.
	grep -A 3 -E 'warning:' "$stage/out/build/log" || true
	stage_settings >"$stage/conf"
}

stage_make_all() {
	staged make -C "$source_dir" -j "$(nproc)" PG_CONFIG="$pg_config" with_llvm=no "$@" all
	staged make -s -C "$source_dir" PG_CONFIG="$pg_config" with_llvm=no OLD_SCRIPTS=yes "$@" install DESTDIR="$stage/dest"
}

# stage_build_broken: builds the library once more, so that tests can break its rules (see
# src/cohort/cohort_night.h), and prints the directory it is in.
stage_build_broken() {
	local broken=$stage/broken
	staged cp -a "$source_dir" "$broken"
	find "$broken/src" -name '*.c' -exec grep -q cohort_rule_holds {} \; -exec touch {} +
	staged make -s -C "$broken" -j 2 PG_CONFIG="$pg_config" with_llvm=no COPT=-DKANON_BREAK_RULES kanon.so >&2
	echo "$broken"
}

# Headers and server of two minor versions go together as a rule; say so.
stage_check_versions() {
	local server headers
	server=$("$bin/postgres" --version | sed 's/[^0-9]*\([^ ]*\).*/\1/')
	headers=$(sed -n 's/^#define PG_VERSION "\([^ "]*\).*/\1/p' "$(pg includedir-server)"/pg_config*.h | head -n 1)
	[ "$server" = "$headers" ] || [ -z "$headers" ] ||
		say "note: the headers are of $headers, the server is $server"
}

# Does the server have that setting?
server_knows() {
	"$bin/postgres" --describe-config | grep "^$1"$'\t' >/dev/null
}

# The settings with which a server finds the staged installation.
stage_settings() {
	if server_knows extension_control_path; then
		echo "extension_control_path = '$stage/dest$(pg sharedir):\$system'"
	elif server_knows extension_destdir; then
		echo "extension_destdir = '$stage/dest'"
	fi
	echo "dynamic_library_path = '$stage/dest$(pg pkglibdir):\$libdir'"
	echo "fsync = off"
}

# Before 18 a server finds extensions elsewhere only with Debian's patch.  Without it
# a copy of the server goes where kanon will be installed: it looks beside its programs.
stage_copy_server() {
	local path prefix=${bin%/bin} copied
	! server_knows extension_control_path && ! server_knows extension_destdir || return 0
	copied=("$(pg sharedir)" "$(pg pkglibdir)" "$bin"/{postgres,initdb,psql,createdb,pg_*})
	# Libraries beside the programs are the server's own, unless the system's are there too.
	case $prefix in
		/usr | /usr/local) ;;
		*) [[ "$(pg libdir)" != "$prefix"/* ]] || copied+=("$(pg libdir)") ;;
	esac
	for path in "${copied[@]}"; do
		staged mkdir -p "$stage/dest${path%/*}"
		staged cp -RL "$path" "$stage/dest${path%/*}"
	done
	bin=$stage/dest$bin
}

# ---- a private server

# server_start: a server in the working directory, superuser postgres.  Settings
# in $server_settings, one a line, are added, and VARIABLE=value in the array
# server_environment.
server_start() {
	server=$PWD
	server_log=${results:-$stage/out}/server.log
	staged "$bin/initdb" -D "$server/data" -U postgres -A trust -N --no-locale --encoding=UTF8 \
		>"${server_log%/*}/initdb.log"
	{
		cat "$stage/conf"
		echo "listen_addresses = ''"
		echo "unix_socket_directories = '$server'"
		echo "${server_settings:-}"
	} >>"$server/data/postgresql.conf"
	if ! staged env "${server_environment[@]}" "$bin/pg_ctl" -D "$server/data" -l "$server_log" \
		-w -t 180 start >/dev/null; then
		cat "$server_log"
		die "the private server did not start"
	fi
	export PGHOST=$server PGPORT=5432 PGUSER=postgres PATH=$bin:$PATH
}
server_environment=()

# server_stop [MODE]
server_stop() {
	staged "$bin/pg_ctl" -D "$server/data" -m "${1:-immediate}" -w stop >/dev/null 2>&1 || true
}
