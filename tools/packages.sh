# packages.sh
#	What has to be installed, and with which pg_config the tools work: stage.sh
#	sources it.

pg() {
	"$pg_config" "--$1" 2>/dev/null
}

pg_major() {
	pg version | sed 's/[^0-9]*\([0-9]*\).*/\1/'
}

have_server() {
	[ -x "$(pg bindir)/postgres" ] && [ -x "$(pg bindir)/initdb" ]
}

# libpq-dev and the client's packages bring pg_config, the latter pgxs.mk, too.
have_headers() {
	[ -f "$(pg pgxs)" ] && [ -f "$(pg includedir-server)/postgres.h" ]
}

have_ipc_run() {
	perl -MIPC::Run -e 1 2>/dev/null
}

# Sets pg_config: the caller's, else the first in the PATH or where Debian has
# them, newest first, that has all; else the first that has a server.
pg_config_choose() {
	local place candidates=("${PG_CONFIG:-pg_config}") need
	if [ -z "${PG_CONFIG:-}" ]; then
		for place in $(find /usr/lib/postgresql/*/bin/pg_config 2>/dev/null | sort -rV); do
			candidates+=("$place")
		done
	fi
	for need in 'have_server && have_headers' have_server true; do
		for pg_config in "${candidates[@]}"; do
			! eval "$need" || return 0
		done
	done
}

# The packages that bring the server or its headers: of the version that
# pg_config names where they are offered, else of the distribution's own.
postgresql_packages() {
	local major exact
	major=$(pg_major)
	if [ -z "$major" ] || { ! have_server && ! apt-cache show "postgresql-$major" >/dev/null 2>&1; }; then
		major=$(apt-cache depends postgresql 2>/dev/null |
			sed -n 's/^ *Depends: postgresql-\([0-9][0-9]*\)$/\1/p' | head -n 1)
	fi
	# Before the first apt-get update nobody knows.
	if [ -z "$major" ]; then
		echo postgresql postgresql-server-dev-all
		return
	fi
	have_server || echo "postgresql-$major"
	have_headers && return
	# Headers of the very server that is there, if they are still to be had.
	exact=$(installed_version "postgresql-$major")
	apt-cache show "postgresql-server-dev-$major=$exact" >/dev/null 2>&1 || exact=
	echo "postgresql-server-dev-$major${exact:+=$exact}"
}

# Of packages that others suggest dpkg knows the name, but nothing is installed.
installed_version() {
	dpkg-query -W -f '${db:Status-Status} ${Version}' "$1" 2>/dev/null | sed -n 's/^installed //p' || true
}

# Prints the packages that are missing, of those every tool needs and those
# named by the caller as COMMAND=PACKAGE or FILE=PACKAGE.
missing_packages() {
	local need
	pg_config_choose
	command -v gcc >/dev/null || echo gcc
	[ -f /usr/include/stdio.h ] || echo libc6-dev
	command -v make >/dev/null || echo make
	{ have_server && have_headers; } || postgresql_packages
	have_ipc_run || echo libipc-run-perl
	for need in "$@"; do
		[ -f "${need%%=*}" ] || command -v "${need%%=*}" >/dev/null || echo "${need#*=}"
	done
}

# Why apt may not: a server from an archive that its sources no longer name.
packages_present() {
	local present
	present=$(dpkg-query -W -f '${db:Status-Status} ${Package} ${Version}, \n' 'postgresql-[0-9]*' libpq5 2>/dev/null |
		sed -n 's/^installed //p' | tr -d '\n' || true)
	echo "installed are ${present:-none of them }and apt has to know the archives these came from"
}

# The archive of Debian's that this machine's apt uses, or another by its label.
# Only lists tell whose an archive is; a machine that has none keeps having none.
debian_archive() {
	local lists=$cache/apt/machine label=${1:-Debian}
	archive_labelled "$label" | grep . && return
	mkdir -p "$lists/partial"
	apt-get -q -o APT::Sandbox::User= -o Dir::State::Lists="$lists" update >"$lists.log" 2>&1 </dev/null || true
	archive_labelled "$label" -o Dir::State::Lists="$lists" | grep . && return
	cat "$lists.log" >&2
	die "apt on this machine knows no archive of $label's"
}

archive_labelled() {
	local label=$1
	shift
	# shellcheck disable=SC2016
	apt-get "$@" indextargets --format '$(ORIGIN)|$(LABEL)|$(REPO_URI)' 'Created-By: Packages' |
		sed -n "s/^Debian|$label|//p" | sed -n 1p
}

# apt_private STATE COMMAND ARG..: apt-get or apt-cache as if STATE/sources were all there
# is; the machine's own sources and lists stay as they are.
apt_private() {
	local state=$1 command=$2
	shift 2
	mkdir -p "$state/lists/partial" "$state/archives/partial"
	: >"$state/status"
	"$command" -q -o APT::Sandbox::User= -o Dir::Etc::SourceList="$state/sources" \
		-o Dir::Etc::SourceParts=/nonexistent -o Dir::State="$state" -o Dir::State::Lists="$state/lists" \
		-o Dir::State::status="$state/status" -o Dir::Cache="$state" "$@" </dev/null
}

# What takes long to get is kept there.
cache=${KANON_CACHE:-${XDG_CACHE_HOME:-/var/tmp}/kanon-$(id -u)}

# Makes that directory.  Its name can be foreseen, and programs in it are run.
cache_require() {
	mkdir -p "$cache"
	[ -O "$cache" ] || die "$cache belongs to somebody else"
	chmod 755 "$cache"
}

# A library that has to be newer does not take the server along that is of the same source.
apt_install() {
	DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 \
		-o APT::Get::Upgrade-By-Source-Package=false install -y --no-install-recommends "$@" </dev/null
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
	if [ -n "$missing" ]; then
		packages_can_help "$missing"
		exec {packages_lock}</etc
		flock "$packages_lock"
		missing=$(missing_packages "$@" | xargs)
		[ -z "$missing" ] || packages_install "$@"
		exec {packages_lock}<&-
	fi
	pg_config_choose
	[ "$(pg_major)" -ge 15 ] || die "$pg_config names $(pg version), and kanon needs PostgreSQL 15 or later"
}

# Installs, for the server that is Debian's, what tests can do without: COMMAND=PACKAGE
# or FILE=PACKAGE as above.  Says what cannot be had.
packages_wish() {
	local need
	for need in "$@"; do
		[ ! -f "${need%%=*}" ] || continue
		if [ "$(id -u)" = 0 ] && [ -n "$(installed_version "postgresql-$(pg_major)")" ]; then
			exec {packages_lock}</etc
			flock "$packages_lock"
			apt_install "${need#*=}" >/dev/null 2>&1 || {
				apt-get -q -o DPkg::Lock::Timeout=300 update >/dev/null 2>&1 </dev/null || true
				apt_install "${need#*=}" >/dev/null 2>&1 || true
			}
			exec {packages_lock}<&-
		fi
		[ -f "${need%%=*}" ] || say "what needs ${need#*=} is left out: it cannot be installed here"
	done
}

# Dies unless root can install what is missing.
packages_can_help() {
	command -v apt-get >/dev/null || die "missing: $1 (no apt-get here to install them)"
	if [ -n "${PG_CONFIG:-}" ] && [[ "$1" = *postgresql* ]] && [[ "$(pg bindir)" != /usr/* ]]; then
		have_server || die "no server where PG_CONFIG=$PG_CONFIG says: \"$(pg bindir)/postgres\""
		die "no server headers where PG_CONFIG=$PG_CONFIG says: \"$(pg includedir-server)/postgres.h\""
	fi
	[ "$(id -u)" = 0 ] || {
		echo "Something is missing here.  As root, run:" >&2
		echo "  apt-get update && apt-get install -y --no-install-recommends $1" >&2
		exit 1
	}
}

packages_install() {
	local missing
	missing=$(missing_packages "$@" | xargs)
	forbid_main_cluster
	say "installing $missing"
	# shellcheck disable=SC2086
	if ! apt_install $missing; then
		say "once more, with lists of today"
		apt-get -q -o DPkg::Lock::Timeout=300 update </dev/null
		missing=$(missing_packages "$@" | xargs)
		# shellcheck disable=SC2086
		apt_install $missing || die "apt-get cannot install $missing: $(packages_present)"
	fi
	missing=$(missing_packages "$@" | xargs)
	[ -z "$missing" ] || die "still missing after the installation: $missing"
}

pg_config_choose
