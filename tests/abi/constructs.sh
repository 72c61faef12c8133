#!/bin/sh
# constructs.sh PROGRAM FOLDER: every construct of PROGRAM (constructs.c) runs under libgomp and stops the program when
# libgomp.so.1 comes from FOLDER: status 1 and one line, by name.
usage='usage: constructs.sh PROGRAM FOLDER'
program=${1:?$usage} folder=${2:?$usage}
unset LD_PRELOAD LD_LIBRARY_PATH
count=$("$program") || exit 1
status=0
number=0
while [ "$number" -lt "$count" ]; do
  "$program" "$number" > /dev/null || { echo "$number: fails under libgomp"; status=1; }
  said=$(LD_LIBRARY_PATH=$folder timeout 60 "$program" "$number" 2>&1)
  result=$?
  echo "$said"
  lines=$(printf '%s\n' "$said" | grep -cE '^libblitz-omp: G?(OMP|omp)_[a-z0-9_]+.* is not supported by this version$')
  if [ $result != 1 ] || [ "$lines" != 1 ] || [ "$(printf '%s\n' "$said" | wc -l)" != 1 ]; then
    echo "$number: status $result, not stopped by one line"
    status=1
  fi
  number=$((number + 1))
done
exit $status
