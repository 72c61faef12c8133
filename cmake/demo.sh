#!/bin/sh
# demo.sh: OpenMP programs that know nothing of Blitz, run under GCC's own runtime (libgomp) and then, the same files
# unchanged, under Blitz. Installs what is missing, builds the library, and ends with a table. Fails if a run fails or
# an output differs. Needs Debian 12 and root or sudo; quick to run again.
set -eu
export LC_ALL=C
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/cmake/packages.sh"

fib_n=30       # fib(30) makes 2.7 million tasks
sequences=500  # proteins to align
residues=300   # length of each, about
rounds=5       # runs under each runtime, taken in turn; the table shows the median

build=$root/build/demo
work=$build/work
threads=$(cpus)
export OMP_NUM_THREADS="$threads"

need_packages gcc libc6-dev cmake ninja-build kalign

say 'Building Blitz'
cmake -S "$root" -B "$build" -G Ninja -DBLITZ_TESTS=OFF -DBLITZ_BENCH=OFF
cmake --build "$build"
blitz=$build/lib/blitz
[ -e "$blitz/libgomp.so.1" ] || die "the build made no $blitz/libgomp.so.1"

say 'Preparing two OpenMP programs'
rm -rf "$work"
mkdir -p "$work"
gcc -O2 -fopenmp "$root/bench/demo/fib_tasks.c" -o "$work/fib_tasks"
awk -v n=$sequences -v residues=$residues -f "$root/bench/demo/sequences.awk" > "$work/proteins.fa"
# On x86 /usr/bin/kalign is a script that picks a program for the CPU; we need the program.
kalign=/usr/bin/kalign
if [ -x /usr/lib/kalign/kalign-plain ]; then
  kalign=/usr/lib/kalign/kalign-plain
  ! grep -qw avx2 /proc/cpuinfo || kalign=/usr/lib/kalign/kalign-avx2
fi
echo "fib_tasks: bench/demo/fib_tasks.c, compiled with gcc -O2 -fopenmp"
echo "kalign:    $kalign from Debian's package, $sequences generated proteins"

# run RUNTIME NAME FILE: runs the program NAME once; its answer goes to FILE, the seconds it took to stdout.
run() {
  path=
  [ "$1" = libgomp ] || path=$blitz
  case $2 in
    fib_tasks)
      LD_LIBRARY_PATH=$path "$work/fib_tasks" $fib_n 2>&1 > "$3"
      ;;
    kalign)
      before=$(date +%s%N)
      LD_LIBRARY_PATH=$path "$kalign" -n "$threads" -i "$work/proteins.fa" -o "$3" > "$work/kalign.log" 2>&1 || return
      after=$(date +%s%N)
      echo "$before $after" | awk '{ printf "%.6f\n", ($2 - $1) / 1e9 }'
      ;;
  esac
}

say 'Checking who serves them'
# The dynamic linker itself says which library each OpenMP call of a program is bound to.
for name in fib_tasks kalign; do
  file=$kalign
  [ $name = kalign ] || file=$work/$name
  ldd "$file" | grep -q 'libgomp\.so\.1' || die "$file does not use libgomp.so.1"
  for runtime in libgomp Blitz; do
    rm -f "$work"/bindings.*
    LD_DEBUG=bindings LD_DEBUG_OUTPUT=$work/bindings run $runtime $name "$work/answer" > "$work/log" ||
      die "$name fails under $runtime"
    library=libgomp.so.1
    [ $runtime = libgomp ] || library=$blitz/libgomp.so.1
    cat "$work"/bindings.* | grep -F "binding file $file " | grep -E "symbol .(GOMP_|omp_)" > "$work/calls" || true
    [ -s "$work/calls" ] || die "$name makes no OpenMP call under $runtime"
    ! grep -vF "$library" "$work/calls" || die "these calls of $name are not served by $runtime"
    echo "$name under $runtime: $(wc -l < "$work/calls") OpenMP functions, all from $library"
  done
done
rm -f "$work"/bindings.*

say "Running each program $rounds times under each runtime, $threads threads"
: > "$work/failures"
round=1
while [ $round -le $rounds ]; do
  for name in fib_tasks kalign; do
    for runtime in libgomp Blitz; do
      rm -f "$work/$name.$runtime"
      if seconds=$(run $runtime $name "$work/$name.$runtime"); then
        echo "$seconds" >> "$work/$name.$runtime.seconds"
        echo "  round $round  $name  $runtime  $seconds s"
      else
        echo "  round $round  $name  $runtime  FAILED"
        echo "$name failed under $runtime" >> "$work/failures"
      fi
    done
    cmp -s "$work/$name.libgomp" "$work/$name.Blitz" || echo "$name answered differently" >> "$work/failures"
  done
  round=$((round + 1))
done

# median FILE: the middle line of FILE, sorted as numbers.
median() {
  sort -n "$1" | awk '{ line[NR] = $1 } END { print NR ? line[int((NR + 1) / 2)] : "-" }'
}

# row NAME WHAT
row() {
  same=same
  ! grep -q "^$1 " "$work/failures" || same=DIFFERENT
  echo "$(median "$work/$1.libgomp.seconds") $(median "$work/$1.Blitz.seconds")" | awk -v what="$2" -v same=$same '{
    ratio = $2 > 0 ? $1 / $2 : 0
    verdict = sprintf("%.1f times faster", ratio)
    if (ratio < 1.05) verdict = "as fast"
    if (ratio < 0.95) verdict = sprintf("%.2f times slower", 1 / ratio)
    printf "%-34s %9.3f s %9.3f s   %-19s %s\n", what, $1, $2, verdict, same
  }'
}

say "The same programs under both runtimes ($threads threads, median of $rounds runs)"
printf '%-34s %11s %11s   %-19s %s\n' Program libgomp Blitz 'Blitz is' Answers
row fib_tasks "fib($fib_n), a task for every call"
row kalign "kalign, $sequences proteins"
if [ -s "$work/failures" ]; then
  sort "$work/failures" | uniq -c
  die 'something went wrong, see above'
fi
echo
echo 'Both runtimes gave the same answers.'
echo "To run a program of your own on Blitz:  LD_LIBRARY_PATH=$blitz your-program"
