#!/bin/sh
# quota.sh CC PRELOAD FOLDER: a process in a cgroup with a CPU quota has a default team that fits it, by the library
# path and preloaded, even when the quota changes. The number of CPUs stays the same, and settings of the program or the
# user still apply. 77: there is one CPU, or no cgroup can be made.
here=$(cd "$(dirname "$0")" && pwd)
usage='usage: quota.sh CC PRELOAD FOLDER'
cc=${1:?$usage} preload=${2:?$usage} folder=${3:?$usage}
. "$here/../plain_env.sh" # nproc heeds OMP_NUM_THREADS
cpus=$(nproc)
[ "$cpus" -gt 1 ] || { echo 'one CPU'; exit 77; }
scratch=$(mktemp -d) || exit 2
group=
leave() {
  [ -z "$group" ] || rmdir "$group"
  rm -rf "$scratch"
}
trap leave EXIT

# Sets a quota in percent of a CPU for the new group.
limit() {
  if [ -e "$group/cpu.max" ]; then
    echo "$(($1 * 1000)) 100000" > "$group/cpu.max"
  else
    echo 100000 > "$group/cpu.cfs_period_us" && echo "$(($1 * 1000))" > "$group/cpu.cfs_quota_us"
  fi
}
for root in /sys/fs/cgroup /sys/fs/cgroup/cpu /sys/fs/cgroup/cpu,cpuacct; do
  [ -n "$group" ] && break
  group=$root/blitz-quota-$$
  [ -e "$root/cgroup.procs" ] && mkdir "$group" 2> /dev/null || { group=; continue; }
  limit 100 2> /dev/null || { rmdir "$group"; group=; }
done
[ -n "$group" ] || { echo 'no cgroup can be made'; exit 77; }

"$cc" -w -O1 -fopenmp "$here/quota.c" -o "$scratch/program" || exit 1
status=0
# check WANTED PERCENT SETTING... [-- QUOTA...]: the lines that the program writes; it sets each QUOTA itself.
check() {
  wanted=$1 percent=$2
  shift 2
  settings=
  while [ $# -gt 0 ] && [ "$1" != -- ]; do
    settings="$settings $1"
    shift
  done
  [ $# = 0 ] || shift
  for way in "LD_PRELOAD=$preload" "LD_LIBRARY_PATH=$folder"; do
    limit "$percent" || exit 1
    # shellcheck disable=SC2086
    said=$(sh -c 'echo $$ > "$0/cgroup.procs" && exec env "$@"' "$group" "$way" $settings "QUOTA_FILE=$file" \
      "$scratch/program" "$@" 2>&1 | sed '/BLITZ_STATS: written to/d' | paste -sd ';')
    [ "$said" = "$wanted" ] && continue
    echo "$percent percent of a CPU, $way$settings $*: '$said' instead of '$wanted'"
    status=1
  done
}
file=$group/cpu.max
[ -e "$file" ] || file=$group/cpu.cfs_quota_us
all=$((cpus * 100000))
check "1 1 $cpus" 100 OMP_DYNAMIC=false
check "1 1 $cpus" 190 OMP_DYNAMIC=false
check "1 1 $cpus" 20 OMP_DYNAMIC=false
check "$cpus $cpus $cpus" "$((cpus * 100))" OMP_DYNAMIC=false
check "3 3 $cpus" 100 OMP_NUM_THREADS=3
# No team exceeds the last answer to the thread.
check "1 1 $cpus;1 $cpus $cpus;$cpus $cpus $cpus;1 1 $cpus" 100 OMP_DYNAMIC=false -- $all '' 100000
check "$cpus $cpus $cpus;1 1 $cpus;1 1 $cpus" "$((cpus * 100))" OMP_DYNAMIC=false -- 100000 ''
# Statistics say for how long it was stopped.
if [ -e "$folder/libblitz-tools.so" ]; then
  check "2 2 $cpus;2 2 $cpus" 2 OMP_NUM_THREADS=2 "BLITZ_STATS=$scratch/stats.json" -- ''
  grep -q '"throttled_ns": [1-9]' "$scratch/stats.json" || { echo "no throttled time in statistics"; status=1; }
  grep -q '"about": "quota"' "$scratch/stats.json" || { echo "no hint on the quota"; status=1; }
fi
exit $status
