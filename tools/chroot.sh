# chroot.sh
#	Debian systems to try things in, made by debootstrap: sourced by bash
#	scripts of root's, after stage.sh.
#
# They lie in $cache/chroots; delete them there to have them made anew.

cache_require
chroots=$cache/chroots

# chroot_make SUITE: sets chroot to the system of that suite, as little as there can be.
chroot_make() {
	local archive
	[ "$(id -u)" = 0 ] || die "only root can make systems to try things in"
	packages_require debootstrap=debootstrap
	chroot=$chroots/$1
	[ ! -e "$chroot.made" ] || return 0
	archive=$(debian_archive)
	say "debootstrap $1"
	rm -rf --one-file-system "$chroot"
	mkdir -p "$chroot"
	# What it mounts has to end with it.
	chroot_alone debootstrap --variant=minbase "$1" "$chroot" "$archive" >"$chroot.log" || die "debootstrap failed, see $chroot.log"
	touch "$chroot.made"
}

# chroot_alone COMMAND..: runs it with mounts and processes of its own, which end with it.
chroot_alone() {
	unshare --mount --pid --fork --kill-child --mount-proc "$@"
}

# chroot_mount DIRECTORY: what a system needs, for one who is alone.  Packages
# that were fetched once are there.
chroot_mount() {
	mkdir -p "$chroots/archives/partial" "$1/dev/pts" "$1/dev/shm"
	mount -t proc proc "$1/proc"
	mount -t devpts -o newinstance,ptmxmode=666 devpts "$1/dev/pts"
	ln -sf pts/ptmx "$1/dev/ptmx"
	mount -t tmpfs tmpfs "$1/dev/shm"
	mount --bind "$chroots/archives" "$1/var/cache/apt/archives"
	rm -f "$1/etc/apt/apt.conf.d/docker-clean"
}

# chroot_copy FROM PLACE: sets system to a copy of a system in that directory, for one
# who is alone.  It lies over the other where there is overlayfs, in memory, and ends
# with its user.
chroot_copy() {
	system=$2/system
	mkdir -p "$2"
	mount -t tmpfs -o size=5G copy "$2"
	mkdir -p "$2/upper" "$2/work" "$system"
	mount -t overlay -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/work" overlay "$system" 2>/dev/null ||
		cp -a "$1/." "$system"
}
