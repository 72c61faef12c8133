#!/bin/sh
# refuse.sh RUN CC: what blitz-run refuses, with one line and its exit status, and what it runs with a remark.
. "$(dirname "$0")/rig.sh"
cd "$scratch" || exit 2

# refuses STATUS PATTERN ARGUMENT...
refuses() {
  wanted=$1 pattern=$2
  shift 2
  wants "$wanted" "blitz-run: $pattern" "$run" "$@"
  [ "$(printf '%s\n' "$said" | wc -l)" = 1 ] || { echo "$*: more than one line: $said"; status=1; }
}

# Programs that cannot be served.
echo 'int main(void) { return 3; }' > none.c
"$cc" none.c -o none
"$cc" -static none.c -o static
"$cc" -static-pie none.c -o static_pie
"$cc" -w -fopenmp "$here/program.c" -o inside -Wl,-Bstatic -lgomp -Wl,-Bdynamic -ldl 2> log || rm -f inside
refuses 125 './static is linked statically*' ./static
refuses 125 './static_pie is linked statically*' ./static_pie
[ ! -e inside ] || refuses 125 './inside has an OpenMP runtime linked into it*' ./inside
# patched BYTES AT FILE: a copy of the program with other bytes there.
patched() { cp program "$3" && printf "$1" | dd of="$3" bs=1 seek="$2" conv=notrunc 2> log; }
patched '\003\000' 18 x86
refuses 125 './x86 is for 32-bit x86*' ./x86
LC_ALL=C sed 's|/ld-linux|/ld-musl-|' program > musl && chmod +x musl
refuses 125 './musl is for another C library*ld-musl*' ./musl
if [ "$(id -u)" = 0 ] && ! grep -q '^NoNewPrivs:.*1' /proc/self/status && ! findmnt -no OPTIONS -T . | grep -q nosuid; then
  cp program other && chown 65534 other && chmod u+s other
  refuses 125 './other runs as another user*' ./other
  cp program group && chgrp 65534 group && chmod g+s group
  refuses 125 './group runs as another group*' ./group
  printf '#!%s/other\n' "$scratch" > script && chmod +x script
  refuses 125 '*/other, which runs ./script, runs as another user*' ./script
fi

# Without OpenMP it runs.
refuses 3 './none has no OpenMP in it*: it runs as it is' ./none
mkdir bare && cp "$library" bare
refuses 125 "no libblitz-tools.so in $scratch/bare: --stats, --trace, --report and --watchdog need it" \
  --library bare --stats ./program
wants 0 '*' "$run" --library bare ./program
wants 0 '*all * are served by Blitz*' "$run" --library bare --check ./program
for option in --stats --report=r.html --trace=r.json '--watchdog 9'; do
  # shellcheck disable=SC2086 # words
  refuses 125 './none and its libraries use neither OpenMP nor blitz.h: there is nothing to report' $option ./none
done
if [ -e "$folder/libblitz-tools.so" ]; then
  refuses 4 'sh has no OpenMP in it: a report is made only if what it loads or starts has' --report r.html sh -c 'exit 4'
  wants 0 'libblitz-omp: BLITZ_STATS=1: the program has used no OpenMP; no report is written' "$run" --stats ./program print
  wants 0 'libblitz-omp: BLITZ_TRACE=*/r.html: the program has used no OpenMP; no report is written' \
    "$run" --report r.html ./program print
  # Its omp_get_num_threads is for all an address in the program.
  printf '#include <omp.h>\nint main(void) { int (*volatile taken)(void) = omp_get_num_threads; return !taken; }\n' > taken.c
  "$cc" -fno-pie -no-pie -fopenmp taken.c -o taken
  wants 0 'libblitz-omp: BLITZ_STATS=1: the program has used no OpenMP; no report is written' "$run" --stats ./taken
fi
wants 0 '' env BLITZ_STATS=0 BLITZ_TRACE= "$run" ./program print
[ ! -e r.html ] || { echo 'a report of nothing'; status=1; }

# Not found, not to be executed.
refuses 127 "cannot run './nowhere': No such file or directory" ./nowhere
refuses 127 "cannot run 'no-such-command': No such file or directory" no-such-command
refuses 127 "cannot run '': No such file or directory" ''
refuses 126 "cannot run './none.c': Permission denied" ./none.c
refuses 126 "cannot run './': Is a directory" ./
printf '#!/no/where\n' > script && chmod +x script
refuses 127 "cannot run './script': its interpreter '/no/where'*" ./script
: > damaged && chmod +x damaged
wants 0 '' "$run" ./damaged
head -c 100 program > damaged
refuses 126 "cannot run './damaged': *" ./damaged

# Options and their values: nothing runs.
for option in '--trace /no/where/x.json' '--trace x' '--trace .json' '--trace .' '--trace x/' '--stats=x' \
  '--report page' '--report .html' '--runs 0 --compare' '--attach 0' \
  '--attach x' '--library /no/where' "--library $scratch" '--runs 3' '--check --compare' '--check --stats' \
  '--trace a.json --report b.html' '--check=1' '--nothing' '-x'; do
  # shellcheck disable=SC2086 # words
  refuses 125 '*' $option ./program complain ran
done
for option in -n --places --attach; do
  refuses 125 "option $option needs a value" $option
done
refuses 125 'unknown option --foo; *' --foo ./program
refuses 125 'unknown option -x; *' -x ./program
refuses 125 'option --help takes no value' --help=1 ./program
refuses 125 'no program given*'
refuses 125 'no program given*' --
refuses 125 '--attach takes no program*' --attach 1 ./program
refuses 125 '--attach=2147483647: no such process' --attach 2147483647
wants 125 'blitz-run: --attach needs gdb, *: install the package gdb' env PATH=/nowhere "$run" --attach $$
# The library checks values of its variables, and the program runs.
wants 0 'libblitz-omp: OMP_NUM_THREADS=x: invalid value; using *' "$run" -n x ./program
wants 0 'libblitz-omp: OMP_PLACES=nowhere: invalid value; using no place list*' "$run" --places nowhere ./program
wants 0 'libblitz-omp: OMP_PROC_BIND=sometimes: invalid value; using *' "$run" --bind sometimes ./program
[ ! -e "$folder/libblitz-tools.so" ] || wants 0 '*BLITZ_WATCHDOG=x: *' "$run" --watchdog x ./program

# The library.
mkdir -p empty/bin
cp "$run" empty/bin
wants 125 "blitz-run: no libgomp.so.1 of Blitz in $scratch/empty/*; set its place with --library or BLITZ_LIB" \
  empty/bin/blitz-run ./program
wants 0 "$folder/*" env BLITZ_LIB="$folder" empty/bin/blitz-run ./program server
mkdir 'a b'
cp "$library" 'a b/libgomp.so.1'
refuses 125 "the name of the library's folder, '$scratch/a b', contains ' '*" --library 'a b' ./program

wants 0 'Usage: blitz-run *' "$run" --help
wants 0 "blitz-run [0-9]*.[0-9]*.[0-9]*, library $library" "$run" --version
exit $status
