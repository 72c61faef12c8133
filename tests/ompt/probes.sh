#!/bin/sh
# probes.sh READELF LIBRARY: the library has the static probes of src/base/tools.md, with as many arguments.
set -u
found=$("$1" -n "$2" | awk '/Provider: blitz$/ { ours = 1 } /^ *Name:/ && ours { name = $2 }
  /Arguments:/ && ours { print name, NF - 1; ours = 0 }' | sort -u)
expected="park 1
region_begin 2
region_end 1
steal 2
task_begin 2
task_end 1
unpark 1"
[ "$found" = "$expected" ] && exit 0
echo "probes found: $found"
exit 1
