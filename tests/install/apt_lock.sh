#!/bin/sh
# apt_lock.sh WORK: need_packages of cmake/packages.sh waits while another program holds apt's locks, and for nothing else.
set -eu
work=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$work"
mkdir -p "$work"
# Stand-ins: nothing is installed, and the lock is free at the second try of each.
cat > "$work/apt-get" <<'EOF'
#!/bin/sh
[ "$1" != "${APT_BROKEN:-}" ] || { echo 'E: Unable to locate package'; exit 100; }
[ -e "$STATE.$1" ] && exit 0
touch "$STATE.$1"
echo 'E: Could not get lock /var/lib/apt/lists/lock. It is held by process 1 (apt-get)'
exit 100
EOF
printf '#!/bin/sh\nexit 1\n' > "$work/dpkg-query"
printf '#!/bin/sh\n[ "$1" = -u ] && echo 0\n' > "$work/id"
chmod +x "$work/apt-get" "$work/dpkg-query" "$work/id"
export PATH="$work:$PATH" STATE="$work/tried"

said=$(. "$root/cmake/packages.sh" && need_packages nothing) || { echo "does not wait: $said"; exit 1; }
[ "$(echo "$said" | grep -c '^== Waiting')" = 2 ] || { echo "says: $said"; exit 1; }
export APT_BROKEN=install
! said=$(. "$root/cmake/packages.sh" && need_packages nothing 2>&1) || { echo "an error is none: $said"; exit 1; }
