#!/bin/sh
# Ranks with the CPUs that their launcher gives them: masks.sh PROGRAM, which masks.c is. See launch.sh.
. "$(dirname "$0")/launch.sh"
program=$1
team=$(LD_PRELOAD=$TEST_PRELOAD "$program" team)
two=2 apart=apart
if [ "$cores" -lt 2 ]; then
    echo "one core: ranks are not set apart"
    two=1 apart=shared
fi

launch preload $two core '' "$program" $apart "$cpus" "$team"
launch folder $two core '' "$program" $apart "$cpus" "$team"
launch folder $two by-core '' "$program" $apart "$cpus" "$team"
launch preload $two thread '' "$program" $apart "$cpus" "$team"
launch preload 2 none '' "$program" shared "$cpus" "$team"
launch folder 2 none OMP_PROC_BIND=true "$program" shared "$cpus" "$team"
launch preload 2 none 'OMP_PROC_BIND=close OMP_PLACES=threads' "$program" shared "$cpus" "$team"
[ "$cores" -ne 2 ] || [ "$cpus" -ne 2 ] || launch preload 1 two-cores '' "$program" shared "$cpus" "$team"

# As under a batch system: a mask, or a control group.
last=$(taskset -cp $$ | sed 's/.*[ ,-]//')
PREFIX="taskset -c $last"
launch preload 2 none '' "$program" shared 1 1
group=
for root in /sys/fs/cgroup/cpuset /sys/fs/cgroup; do
    [ -n "$group" ] || ! mkdir "$root/blitz-test.$$" 2>/dev/null || group=$root/blitz-test.$$
done
can_fill() { # one of version 1 needs nodes of memory, too
    { [ ! -e "${group%/*}/cpuset.mems" ] || cat "${group%/*}/cpuset.mems" >"$group/cpuset.mems"; } 2>/dev/null &&
        { echo "$last" >"$group/cpuset.cpus"; } 2>/dev/null
}
if [ -n "$group" ] && can_fill; then
    PREFIX="sh $(dirname "$0")/enter.sh $group"
    launch folder 2 none '' "$program" shared 1 1
else
    echo 'no control group can be made here'
fi
[ -z "$group" ] || rmdir "$group"
finish masks
