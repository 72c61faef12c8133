#!/bin/sh
# exit_leaks.sh TOOL CC PRELOAD FOLDER: exit_leaks.c exits in every way without a word from TOOL, "valgrind" or "asan", about
# lost memory or anything else, and a block that it does lose is found. 77: there is no such tool here.
here=$(cd "$(dirname "$0")" && pwd)
usage='usage: exit_leaks.sh TOOL CC PRELOAD FOLDER'
tool=${1:?$usage} cc=${2:?$usage} preload=${3:?$usage} folder=${4:?$usage}
. "$here/../plain_env.sh"
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
OMP_NUM_THREADS=4
export OMP_NUM_THREADS
served="LD_LIBRARY_PATH=$folder"
case $tool in
  valgrind)
    command -v valgrind > /dev/null || { echo 'no valgrind'; exit 77; }
    flags=
    # A leak of the program itself is reported with the rest; blocks that are still reachable at the end are none.
    command='valgrind -q --leak-check=full --errors-for-leak-kinds=definite,possible --error-exitcode=9'
    ;;
  asan)
    flags=-fsanitize=address,leak
    command=
    ;;
  *) echo "$usage"; exit 2 ;;
esac
# shellcheck disable=SC2086 # words
"$cc" -w -gdwarf-4 -O1 -fopenmp -pthread $flags "$here/exit_leaks.c" -o "$scratch/exit_leaks" 2> "$scratch/said" ||
  { cat "$scratch/said"; [ "$tool" = asan ] && exit 77; exit 1; }

status=0
fail() {
  echo "$*"
  cat "$scratch/said"
  status=1
}

# run SERVED WAY: the messages go to $scratch/said.
run() {
  # shellcheck disable=SC2086 # words
  timeout -k 5 200 env "$1" $command "$scratch/exit_leaks" "$2" > "$scratch/said" 2>&1
}

run "$served" leak && fail "$tool has not found the leak"
case $(cat "$scratch/said") in
  *'LeakSanitizer has encountered a fatal error'*) echo 'LeakSanitizer cannot work here'; exit 77 ;;
  *'definitely lost'* | *'Direct leak of 1000 byte'*) ;;
  *) fail "$tool has found something else" ;;
esac
for way in main region threads; do
  run "$served" $way || fail "$way: status $?"
  [ -s "$scratch/said" ] && fail "$way: not silent"
  [ "$tool" = asan ] || served="LD_PRELOAD=$preload" # the next ones
done
exit $status
