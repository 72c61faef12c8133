#!/bin/sh
# enter.sh GROUP PROGRAM...: runs a program in a control group.
echo $$ >"$1/cgroup.procs" && shift && exec "$@"
