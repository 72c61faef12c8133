# Sourced by demo.sh and check.sh: what both need of the system. POSIX sh.

say() {
  printf '\n== %s\n' "$*"
}

die() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo > /dev/null; then
    sudo "$@"
  else
    die "needs root or sudo to install packages: $*"
  fi
}

# apt LOG ARGUMENT...: apt-get, when no other program holds its locks any more; what it says goes to LOG.
apt() {
  apt_log=$1
  shift
  for try in $(seq 100); do
    ! as_root env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get "$@" > "$apt_log" 2>&1 || return 0
    grep -q 'Could not get lock' "$apt_log" || return 1
    [ "$try" != 1 ] || say 'Waiting for another program that installs packages'
    sleep 3
  done
  return 1
}

# need_packages NAME...: installs the Debian packages that are missing and says which.
need_packages() {
  command -v dpkg-query > /dev/null || die "this set-up knows Debian; install by hand: $*"
  missing=
  for package in "$@"; do
    case $(dpkg-query -W -f '${db:Status-Status}' "$package" 2> /dev/null) in
      installed*) ;;
      *) missing="$missing $package" ;;
    esac
  done
  [ -n "$missing" ] || return 0
  say "Installing Debian packages:$missing"
  log=$(mktemp)
  # shellcheck disable=SC2086
  set -- install -y --no-install-recommends $missing
  if apt "$log" update && apt "$log" "$@"; then
    rm -f "$log"
  else
    tail -n 20 "$log" >&2
    die "apt-get could not install:$missing (full log: $log)"
  fi
}

# The number of CPUs that this process may use.
cpus() {
  nproc 2> /dev/null || echo 1
}
