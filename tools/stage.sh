# stage.sh
#	What the tools share: packages, a stage, a private server in it.
#
# A stage is a directory under /tmp that lives as long as one run: a copy of
# the sources, what they build, an installation in dest/, a server's data and
# socket, and in out/ all results.  Nothing is written into the checkout but
# build/NAME, the results, at the end; the system's own clusters are never
# touched and no TCP port is opened.  As root, everything that is built or
# served runs as the user postgres, who needs no access to the checkout.
#
# Sourced by bash scripts under `set -euo pipefail`.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# The caller's connection, make and locale settings are none of ours.
for variable in ${!PG@} ${!LC_@} LANG LANGUAGE MAKEFLAGS MFLAGS MAKELEVEL; do
	[ "$variable" = PG_CONFIG ] || unset "$variable"
done
pg_config=${PG_CONFIG:-pg_config}

say() {
	printf '== %s\n' "$*"
}

die() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 1
}

# ---- packages

pg() {
	"$pg_config" "--$1" 2>/dev/null
}

# The version of PostgreSQL to install: the distribution's own.
postgresql_major() {
	local major
	major=$(apt-cache depends postgresql 2>/dev/null |
		sed -n 's/^ *Depends: postgresql-\([0-9][0-9]*\)$/\1/p' | head -n 1)
	echo "${major:-15}"
}

have_server() {
	[ -f "$(pg pgxs)" ] && [ -x "$(pg bindir)/postgres" ]
}

have_ipc_run() {
	perl -MIPC::Run -e 1 2>/dev/null
}

# Prints the packages that are missing, of those every tool needs and those
# named by the caller as COMMAND=PACKAGE or FILE=PACKAGE.
missing_packages() {
	local need
	command -v gcc >/dev/null || echo gcc
	[ -f /usr/include/stdio.h ] || echo libc6-dev
	command -v make >/dev/null || echo make
	have_server || echo "postgresql-$(postgresql_major) postgresql-server-dev-$(postgresql_major)"
	have_ipc_run || echo libipc-run-perl
	for need in "$@"; do
		[ -f "${need%%=*}" ] || command -v "${need%%=*}" >/dev/null || echo "${need#*=}"
	done
}

apt_install() {
	DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y \
		--no-install-recommends "$@" </dev/null
}

# Debian's server package makes a cluster of its own unless told not to.
forbid_main_cluster() {
	local directory=/etc/postgresql-common
	[ ! -e $directory ] || return 0
	mkdir -p $directory/createcluster.d
	echo 'create_main_cluster = false' >$directory/createcluster.d/kanon.conf
}

# Installs what is missing; a normal user is told what to run instead.
packages_require() {
	local missing
	missing=$(missing_packages "$@" | xargs)
	[ -n "$missing" ] || return 0
	command -v apt-get >/dev/null || die "missing: $missing (no apt-get here to install them)"
	if [ "$(id -u)" != 0 ]; then
		echo "Something is missing here.  As root, run:" >&2
		echo "  apt-get install -y --no-install-recommends $missing" >&2
		exit 1
	fi
	forbid_main_cluster
	say "installing $missing"
	# shellcheck disable=SC2086
	if ! apt_install $missing; then
		apt-get -o DPkg::Lock::Timeout=300 update </dev/null
		# The first look may have been at empty lists, and guessed.
		missing=$(missing_packages "$@" | xargs)
		# shellcheck disable=SC2086
		apt_install $missing
	fi
	missing=$(missing_packages "$@" | xargs)
	[ -z "$missing" ] || die "still missing after the installation: $missing"
}

# ---- the stage

# stage_open NAME: makes the stage; results go to build/NAME when the script ends.
stage_open() {
	stage_name=$1
	stage=$(mktemp -d /tmp/kanon.XXXXXX)
	trap stage_close EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM
	chmod 755 "$stage"
	source_dir=$stage/source
	mkdir "$stage/out" "$source_dir"
	(cd "$root" && tar cf - --exclude='*.o' --exclude='*.bc' --exclude='*.so' Makefile kanon.control \
		$(ls -d src sql expected test tools 2>/dev/null)) | tar xf - --no-same-owner -C "$source_dir"
	chmod -R u+rwX,go+rX "$source_dir"
	bin=$(pg bindir)
	pgxs_dir=$(dirname "$(pg pgxs)")/../..
	stage_own
	cd "$stage"
}

stage_own() {
	[ "$(id -u)" != 0 ] || chown -R postgres "$stage"
}

# Runs a command as the one who owns the stage.
staged() {
	if [ "$(id -u)" = 0 ]; then
		runuser -u postgres -- env "HOME=$stage" "$@" </dev/null
	else
		env "HOME=$stage" "$@" </dev/null
	fi
}

stage_close() {
	local status=$?
	trap - EXIT INT TERM
	set +e
	cd /
	server_stop
	stage_save
	rm -rf "$stage"
	exit "$status"
}

# Copies the results into the checkout, as the checkout's owner.
stage_save() {
	local results=$root/build/$stage_name
	rm -rf "$results"
	if mkdir -p "$results" && cp -R "$stage/out/." "$results/"; then
		chmod -R u+rwX "$results"
		[ "$(id -u)" != 0 ] || chown -R --reference="$root" "$root/build"
	else
		echo "could not keep the results in $results" >&2
	fi
}

# stage_build [make's variables]: builds and installs into the stage.
stage_build() {
	local log=$stage/out/build.log
	say "building with $("$pg_config" --version)"
	if ! staged make -s -C "$source_dir" -j "$(nproc)" PG_CONFIG="$pg_config" "$@" all >"$log" 2>&1 ||
		! staged make -s -C "$source_dir" PG_CONFIG="$pg_config" "$@" \
			install DESTDIR="$stage/dest" >>"$log" 2>&1; then
		cat "$log"
		die "the build failed"
	fi
	# Warnings are worth seeing; the rest is in the log.
	grep -A 3 -E 'warning:' "$log" || true
	stage_settings >"$stage/conf"
	stage_own
}

# The settings with which a server finds the staged installation.
stage_settings() {
	local major
	major=$("$pg_config" --version | sed 's/[^0-9]*\([0-9]*\).*/\1/')
	if [ "$major" -ge 18 ]; then
		echo "extension_control_path = '$stage/dest$(pg sharedir):\$system'"
	else
		echo "extension_destdir = '$stage/dest'"
	fi
	echo "dynamic_library_path = '$stage/dest$(pg pkglibdir):\$libdir'"
	echo "fsync = off"
}

# ---- the private server

# server_start [VARIABLE=value ...]: a server in the stage, superuser
# postgres, with those variables in its environment.  Settings in
# $server_settings, one a line, are added.
server_start() {
	staged "$bin/initdb" -D "$stage/data" -U postgres -A trust -N --no-locale --encoding=UTF8 \
		>"$stage/out/initdb.log"
	{
		cat "$stage/conf"
		echo "listen_addresses = ''"
		echo "unix_socket_directories = '$stage'"
		echo "${server_settings:-}"
	} | staged_append "$stage/data/postgresql.conf"
	if ! staged env "$@" "$bin/pg_ctl" -D "$stage/data" -l "$stage/out/server.log" -w -t 180 start \
		>/dev/null; then
		cat "$stage/out/server.log"
		die "the private server did not start"
	fi
	export PGHOST=$stage PGPORT=5432 PGUSER=postgres PATH=$bin:$PATH
}

staged_append() {
	cat >>"$1"
	[ "$(id -u)" != 0 ] || chown postgres "$1"
}

server_stop() {
	[ -f "$stage/data/postmaster.pid" ] || return 0
	staged "$bin/pg_ctl" -D "$stage/data" -m immediate -w stop >/dev/null 2>&1
}
