#!/bin/sh
# demo.sh: OpenMP programs that know nothing of Blitz, run under their own runtime (GCC's libgomp, LLVM's libomp) and then,
# the same files unchanged, under Blitz. Installs what is missing, builds the library, and ends with a table. Fails if a
# run fails or an output differs. Needs Debian 12 and root or sudo; quick to run again.
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

# The newest, if there is one.
libomp=$(ls -d /usr/lib/llvm-*/lib/libomp.so.5 2> /dev/null | sort -V | tail -n 1)
clang=
for compiler in clang clang-14 clang-16 clang-17 clang-18 clang-19; do
  ! command -v $compiler > /dev/null || clang=$compiler
done

say 'Preparing the OpenMP programs'
rm -rf "$work"
mkdir -p "$work"
names='fib_gcc kalign'
gcc -O2 -fopenmp "$root/bench/demo/fib_tasks.c" -o "$work/fib_gcc"
if [ -n "$clang" ] && [ -n "$libomp" ]; then
  names='fib_gcc fib_clang kalign'
  "$clang" -O2 -fopenmp -c "$root/bench/demo/fib_tasks.c" -o "$work/fib.o"
  "$clang" "$work/fib.o" "$libomp" -Wl,-rpath,"$(dirname "$libomp")" -o "$work/fib_clang"
fi
awk -v n=$sequences -v residues=$residues -f "$root/bench/demo/sequences.awk" > "$work/proteins.fa"
# On x86 /usr/bin/kalign is a script that picks a program for the CPU; we need the program.
kalign=/usr/bin/kalign
if [ -x /usr/lib/kalign/kalign-plain ]; then
  kalign=/usr/lib/kalign/kalign-plain
  ! grep -qw avx2 /proc/cpuinfo || kalign=/usr/lib/kalign/kalign-avx2
fi
echo "fib_gcc:   bench/demo/fib_tasks.c, compiled with gcc -O2 -fopenmp"
if [ -e "$work/fib_clang" ]; then
  echo "fib_clang: the same, compiled with $clang for $libomp"
else
  echo "fib_clang: left out; it needs clang and libomp5-19, or others of LLVM's"
fi
echo "kalign:    $kalign from Debian's package, $sequences generated proteins"

# run RUNTIME NAME FILE: runs the program NAME once, under its own runtime or Blitz; its answer goes to FILE, the seconds it
# took to stdout.
run() {
  path=
  [ "$1" = own ] || path=$blitz
  case $2 in
    fib_*)
      LD_LIBRARY_PATH=$path "$work/$2" $fib_n 2>&1 > "$3"
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
for name in $names; do
  file=$kalign
  [ "$name" = kalign ] || file=$work/$name
  own=libgomp.so.1
  [ "$name" != fib_clang ] || own=libomp.so.5
  ldd "$file" | grep -qF "$own" || die "$file does not use $own"
  for runtime in own Blitz; do
    rm -f "$work"/bindings.*
    LD_DEBUG=bindings LD_DEBUG_OUTPUT=$work/bindings run $runtime $name "$work/answer" > "$work/log" ||
      die "$name fails under $runtime"
    library=/$own
    [ $runtime = own ] || library=$blitz/$own
    cat "$work"/bindings.* | grep -F "binding file $file " | grep -E "symbol .(GOMP_|omp_|__kmpc_)" > "$work/calls" || true
    [ -s "$work/calls" ] || die "$name makes no OpenMP call under $runtime"
    ! grep -vF "$library" "$work/calls" || die "these calls of $name are not served by $runtime"
    count=$(wc -l < "$work/calls")
    [ $runtime = Blitz ] || runtime='its own'
    echo "$name under $runtime: $count OpenMP functions, all from $library"
  done
done
rm -f "$work"/bindings.*

say "Running each program $rounds times under each runtime, $threads threads"
: > "$work/failures"
round=1
while [ $round -le $rounds ]; do
  for name in $names; do
    for runtime in own Blitz; do
      rm -f "$work/$name.$runtime"
      if seconds=$(run $runtime $name "$work/$name.$runtime"); then
        echo "$seconds" >> "$work/$name.$runtime.seconds"
        echo "  round $round  $name  $runtime  $seconds s"
      else
        echo "  round $round  $name  $runtime  FAILED"
        echo "$name failed under $runtime" >> "$work/failures"
      fi
    done
    cmp -s "$work/$name.own" "$work/$name.Blitz" || echo "$name answered differently" >> "$work/failures"
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
  echo "$(median "$work/$1.own.seconds") $(median "$work/$1.Blitz.seconds")" | awk -v what="$2" -v same=$same '{
    ratio = $2 > 0 ? $1 / $2 : 0
    verdict = sprintf("%.1f times faster", ratio)
    if (ratio < 1.05) verdict = "as fast"
    if (ratio < 0.95) verdict = sprintf("%.2f times slower", 1 / ratio)
    printf "%-34s %9.3f s %9.3f s   %-19s %s\n", what, $1, $2, verdict, same
  }'
}

say "The same programs under their own runtime and Blitz ($threads threads, median of $rounds runs)"
printf '%-34s %11s %11s   %-19s %s\n' Program own Blitz 'Blitz is' Answers
row fib_gcc "fib($fib_n), tasks; gcc, libgomp"
[ ! -e "$work/fib_clang" ] || row fib_clang "fib($fib_n), tasks; clang, libomp"
row kalign "kalign, $sequences proteins; libgomp"
if [ -s "$work/failures" ]; then
  sort "$work/failures" | uniq -c
  die 'something went wrong, see above'
fi
echo
echo 'All gave the same answers.'
echo
echo 'To run a program of your own on Blitz:'
echo "  $build/bin/blitz-run your-program"
echo 'To see what kalign did just now, as a timeline in any browser, and as a table:'
kalign_again="$kalign -n $threads -i $work/proteins.fa -o $work/aligned.fa"
echo "  $build/bin/blitz-run --report $work/kalign.html $kalign_again"
echo "  $build/bin/blitz-run --stats $kalign_again"
