# headers.sh
#	Server headers of PostgreSQL's other versions, from the Debian suites that have them.
#
# Sourced by bash scripts under `set -euo pipefail`, after stage.sh.  Packages are
# downloaded through a private state of apt, so that the machine's own sources stay as
# they are, and unpacked below $cache; nothing is installed.

cache_require

# headers_suite MAJOR: the Debian suite that has this version.
headers_suite() {
	case $1 in
		15) echo bookworm ;;
		17) echo trixie ;;
		18) echo sid ;;
		*) die "no Debian suite is known to have PostgreSQL $1" ;;
	esac
}

# headers_apt SUITE COMMAND..: apt-get as if SUITE were all there is.
headers_apt() {
	local state=$cache/apt/$1 archive
	archive=$(debian_archive) || return
	mkdir -p "$state"
	echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $archive $1 main" >"$state/sources"
	shift
	apt_private "$state" apt-get "$@"
}

# headers_require MAJOR: downloads them if need be; $headers is then their directory.
headers_require() {
	local major=$1 suite directory
	suite=$(headers_suite "$major")
	directory=$cache/headers/$major
	headers=$directory/usr/include/postgresql/$major/server
	[ ! -f "$headers/postgres.h" ] || return 0
	mkdir -p "$directory"
	say "downloading the server headers of PostgreSQL $major ($suite)"
	headers_apt "$suite" update >"$directory.log" 2>&1 &&
		(cd "$directory" && headers_apt "$suite" download "postgresql-server-dev-$major") >>"$directory.log" 2>&1 ||
		{
			cat "$directory.log"
			die "the server headers of PostgreSQL $major could not be downloaded"
		}
	dpkg -x "$directory"/postgresql-server-dev-"$major"_*.deb "$directory"
	[ -f "$headers/postgres.h" ] || die "no server headers in the package for PostgreSQL $major"
}
