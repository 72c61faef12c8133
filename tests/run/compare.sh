#!/bin/sh
# compare.sh RUN CC [CLANG LIBOMP]: blitz-run --check and --compare.
. "$(dirname "$0")/rig.sh"
clang=${1:-} libomp=${2:-}
cd "$scratch" || exit 2

# The table names each function once, with its version, and who has it; the last line sums up.
wants 0 "OBJECT   FUNCTION *SERVED BY
*program  GOMP_parallel@GOMP_4.0 *Blitz
*
program  omp_get_num_threads@OMP_1.0 *Blitz*
all ? are served by Blitz, $library*" "$run" --check ./program
echo 'int GOMP_parallel(void) { return 0; }' | "$cc" -shared -x c - -o tool.so
wants 1 "*program  GOMP_parallel@GOMP_4.0 *$scratch/tool.so
*1 of ? are not served by Blitz, $library" env LD_PRELOAD="$scratch/tool.so" "$run" --check ./program
echo 'int main(void) { return 3; }' | "$cc" -x c - -o none
wants 0 './none and its libraries import no OpenMP function' "$run" --check ./none
echo 'void GOMP_new(void); void call(void) { GOMP_new(); }' | "$cc" -shared -fPIC -x c - -o newer.so
echo 'void call(void); int main(void) { call(); }' |
  "$cc" -w -x c - -x none -o newer ./newer.so -Wl,--allow-shlib-undefined
wants 1 '*GOMP_new *none*' "$run" --check ./newer

# The same answers.
wants 0 '*wall time*CPU time
libgomp *
Blitz *
Blitz takes *of 2 runs each*
exit status: the same, 0
stdout: the same, 6 bytes' "$run" --compare --runs 2 ./program print hello
wants 0 '*exit status: the same, 7
stdout: the same, 0 bytes
stderr under libgomp ends with:
why
stderr under Blitz ends with:
why' "$run" --compare --runs 1 ./program complain why exit 7
wants 0 '*exit status: the same, signal 15 (Terminated)*' "$run" --compare --runs 1 ./program raise 15
# Each run has the input from its beginning, of a pipe and of a file that stands in its middle.
wants 0 '*stdout: the same, 8 bytes' sh -c "printf 'one\ntwo\n' | '$run' --compare --runs 2 ./program input"
printf 'one\ntwo\n' > file
wants 0 '*stdout: the same, 4 bytes' sh -c "{ read -r _; '$run' --compare --runs 2 ./program input; } < file"
wants 0 '*libgomp *stdout: the same, 2 bytes' sh -c "'$run' --compare --runs 1 -n 3 ./program input team <&-"
wants 0 '*reading standard input *stdout: the same, 0 bytes' \
  sh -c "sleep 1.1 | '$run' --compare --runs 1 ./program input"
# Also where children that end are not to be waited for; each run gets that as it was.
wants 0 '*stdout: the same, 25 bytes' \
  env --ignore-signal=CHLD "$run" --compare --runs 1 env grep 'SigIgn.*1....$' /proc/self/status
# Of the errors, the last five lines.
wants 0 '*under libgomp ends with:
2
3
4
5
6
stderr under Blitz*' \
  "$run" --compare --runs 1 ./program complain 1 complain 2 complain 3 complain 4 complain 5 complain 6 exit 1
# A program that never runs has no answer.
head -c 100 program > damaged && chmod +x damaged
wants 126 "blitz-run: cannot run './damaged': *" "$run" --compare ./damaged

# Others: the first run and all the others tell apart who serves.
wants 1 '*stdout: DIFFERS, first in line 2' "$run" --compare --runs 1 ./program print same server
printf '#!/bin/sh\nexec ./program print "$(cat count)" exit "$(./program server | grep -c blitz)"\n' > script
chmod +x script
echo 1 > count
wants 1 '*exit status: DIFFERS, 0 under its own, 1 under Blitz*stdout: the same, 2 bytes*' "$run" --compare --runs 2 ./script
wants 0 '*stdout: also differs from run to run under libgomp' "$run" --compare --runs 2 ./program pid
wants 125 'blitz-run: ./none has no OpenMP in it*nothing to compare' "$run" --compare ./none
if [ -n "$clang" ]; then
  "$clang" -w -O1 -fopenmp "$here/program.c" -o clang -L"$(dirname "$libomp")" -Wl,-rpath,"$(dirname "$libomp")"
  wants 0 '*
libomp *
Blitz *stdout: the same, 2 bytes' "$run" --compare --runs 1 -n 2 ./clang
fi

exit $status
