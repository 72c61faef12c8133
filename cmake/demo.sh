#!/bin/sh
# demo.sh: OpenMP programs that know nothing of Blitz, run under their own runtime (GCC's libgomp, LLVM's libomp) and then,
# the same files unchanged, under Blitz. Installs what is missing, says what it goes without, builds the library, and ends
# with a table. Fails if a run fails or an answer differs. Needs Debian 12 and root or sudo. On two idle CPUs it takes three
# minutes, and one and a half when it runs again.
set -eu
export LC_ALL=C
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/cmake/packages.sh"

fib_n=29       # fib(29) makes 1.7 million tasks
sequences=300  # proteins to align
residues=300   # length of each, about
rounds=5       # runs under each runtime, taken in turn; the table shows the median
enough=60      # seconds after which no further round begins, except the third
most_copies=8  # of one program at once, else one for each CPU

build=$root/build/demo
work=$build/work
threads=$(cpus)
unset LD_LIBRARY_PATH LD_PRELOAD
export OMP_NUM_THREADS="$threads"
copies_at_once=$((threads < 2 ? 2 : threads < most_copies ? threads : most_copies))

start=$(date +%s)
echo 'Takes some three minutes, when it runs again half of that; longer where other programs run.'
required='gcc libc6-dev cmake ninja-build pkg-config'
ocr='tesseract-ocr netpbm'
numpy='python3-numpy libopenblas0-openmp'
llvm='clang-19 libomp-19-dev'
# All at once where that works; else what can be had.
# shellcheck disable=SC2086
if ! (need_packages $required $ocr $numpy $llvm kalign); then
  need_packages $required
  for some in "$ocr" "$numpy" "$llvm" kalign; do
    (need_packages $some) || say "Goes on without: $some"
  done
fi

say 'Building Blitz'
cmake -S "$root" -B "$build" -G Ninja -DBLITZ_TESTS=OFF -DBLITZ_BENCH=OFF
cmake --build "$build"
blitz=$build/lib/blitz
[ -e "$blitz/libgomp.so.1" ] || die "the build made no $blitz/libgomp.so.1"

say 'Preparing the OpenMP programs'
rm -rf "$work"
mkdir -p "$work"
gcc -O2 -fopenmp "$root/bench/demo/fib_tasks.c" -o "$work/fib_gcc"
# The newest with its runtime installed.
for compiler in clang clang-14 clang-16 clang-17 clang-18 clang-19; do
  command -v $compiler > "$work/which" || continue
  $compiler -O2 -fopenmp "$root/bench/demo/fib_tasks.c" -o "$work/fib_new" 2> "$work/log" || continue
  mv "$work/fib_new" "$work/fib_clang"
  clang=$compiler
done
openblas=$(ls -d /usr/lib/*/openblas-openmp 2> /dev/null | head -n 1)
python=/usr/bin/python3 # Debian's, which Debian's packages are for
# A page to read, and proteins to align.
! command -v pbmtext > "$work/which" ||
  head -n 12 "$root/.github/CONTRIBUTING.md" | cut -c 1-80 | pbmtext | pnmenlarge 3 > "$work/page.pbm"
awk -v n=$sequences -v residues=$residues -f "$root/bench/demo/sequences.awk" > "$work/proteins.fa"
# On x86 /usr/bin/kalign is a script that picks a program for the CPU; we need the program.
kalign=/usr/bin/kalign
if [ -x /usr/lib/kalign/kalign-plain ]; then
  kalign=/usr/lib/kalign/kalign-plain
  ! grep -qw avx2 /proc/cpuinfo || kalign=/usr/lib/kalign/kalign-avx2
fi

# start NAME: runs the program NAME in the environment as it is; prints its answer.
start() {
  case $1 in
    fib_*) "$work/$1" $fib_n ;;
    tesseract) tesseract "$work/page.pbm" - ;;
    numpy)
      [ -n "$openblas" ] &&
        LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$openblas $python "$root/bench/demo/product.py"
      ;;
    kalign)
      "$kalign" -n "$threads" -i "$work/proteins.fa" -o "$work/aligned" > "$work/aligned.log" && cat "$work/aligned"
      ;;
    *_all)
      copies=
      for copy in $(seq "$copies_at_once"); do
        start "${1%_all}" > "$work/copy.$copy" &
        copies="$copies $!"
      done
      for copy in $copies; do
        wait "$copy" || return
      done
      cat "$work"/copy.*
      ;;
  esac
}

# take NAME LIBRARY WHAT PACKAGES: NAME is among the programs if it runs. LIBRARY is its own runtime.
names=
take() {
  echo "$2" > "$work/$1.library"
  echo "$3" > "$work/$1.what"
  if start "$1" > "$work/answer" 2> "$work/errors"; then
    names="$names $1"
    printf '%-14s %s\n' "$1" "$3"
  else
    printf '%-14s left out; it needs the packages %s\n' "$1" "$4"
  fi
}
take fib_gcc libgomp.so.1 "fib($fib_n), a task a call; gcc" gcc
take fib_clang libomp.so "fib($fib_n), a task a call; ${clang:-clang}" "$llvm"
take tesseract libgomp.so.1 'tesseract reads a page' "$ocr"
take tesseract_all libgomp.so.1 "tesseract, $copies_at_once at once" "$ocr"
take numpy libgomp.so.1 'numpy multiplies matrices' "$numpy"
take numpy_all libgomp.so.1 "numpy, $copies_at_once at once" "$numpy"
take kalign libgomp.so.1 "kalign aligns $sequences proteins" kalign

# run RUNTIME NAME FILE: runs the program NAME once, under its own runtime or Blitz; its answer goes to FILE, the seconds it
# took, by the clock and of CPU time, to stdout.
run() (
  [ "$1" = own ] || export LD_LIBRARY_PATH="$blitz"
  before=$(date +%s%N)
  start "$2" > "$3" 2> "$work/errors" || exit
  after=$(date +%s%N)
  times > "$work/times" # "0m0.120000s 0m0.030000s" of the shell, and below of its children
  awk -v wall=$((after - before)) -F '[ms ]+' 'NR == 2 {
    printf "%.6f %.2f\n", wall / 1e9, 60 * $1 + $2 + 60 * $3 + $4
  }' "$work/times"
)

say 'Checking who serves them'
# The dynamic linker itself says which library each OpenMP call is bound to.
for name in $names; do
  [ "${name%_all}" = "$name" ] || continue
  own=$(cat "$work/$name.library")
  for runtime in own Blitz; do
    rm -f "$work"/bindings.*
    LD_DEBUG=bindings LD_DEBUG_OUTPUT=$work/bindings run $runtime "$name" "$work/answer" > "$work/log" ||
      die "$name fails under $runtime: $(tail -n 3 "$work/errors")"
    library=/$own
    [ $runtime = own ] || library=$blitz/$own
    cat "$work"/bindings.* | grep -E 'symbol .(GOMP_|omp_|__kmpc_)' | grep -vE "binding file [^ ]*/$own" \
      > "$work/calls" || true
    [ -s "$work/calls" ] || die "$name makes no OpenMP call under $runtime"
    ! grep -vF "$library" "$work/calls" || die "these calls of $name are not served by $runtime"
    [ $runtime = Blitz ] || { runtime='its own' && library=$own; }
    echo "$name under $runtime: $(wc -l < "$work/calls") OpenMP functions, all from $library"
  done
done
rm -f "$work"/bindings.*

# The time of all CPUs, and how much of it they were idle.
cpu_time() {
  awk '$1 == "cpu" { print $2 + $3 + $4 + $5 + $6 + $7 + $8, $5 + $6 }' /proc/stat
}
before=$(cpu_time)
sleep 2
load=$(echo "$before $(cpu_time)" |
  awk -v cpus="$(getconf _NPROCESSORS_ONLN)" '{ printf("%.1f", cpus * (1 - ($4 - $2) / ($3 - $1 + 0.1))) }')
say "Running each program up to $rounds times under each runtime, $threads threads; other programs use $load CPUs"
: > "$work/failures"
began=$(date +%s)
round=1
while [ $round -le $rounds ] && { [ $round -le 3 ] || [ $(($(date +%s) - began)) -lt $enough ]; }; do
  for name in $names; do
    for runtime in own Blitz; do
      rm -f "$work/$name.$runtime"
      if seconds=$(run $runtime "$name" "$work/$name.$runtime"); then
        echo "$seconds" >> "$work/$name.$runtime.seconds"
        echo "  round $round  $name  $runtime  ${seconds% *} s, ${seconds#* } s of CPU time"
      else
        echo "  round $round  $name  $runtime  FAILED"
        echo "$name failed under $runtime" >> "$work/failures"
      fi
    done
    cmp -s "$work/$name.own" "$work/$name.Blitz" || echo "$name answered differently" >> "$work/failures"
  done
  round=$((round + 1))
done

# spread FILE FIELD: the middle one of these numbers, the least and the greatest.
spread() {
  awk -v field="$2" '{ print $field }' "$1" | sort -n |
    awk '{ line[NR] = $1 } END { print NR ? line[int((NR + 1) / 2)] " " line[1] " " line[NR] : "0 0 0" }'
}

# rows NAME: its two lines of the table.
rows() {
  own=$(cat "$work/$1.library")
  same='same answers'
  ! grep -q "^$1 " "$work/failures" || same='DIFFERENT ANSWERS'
  echo "$(spread "$work/$1.own.seconds" 1) $(spread "$work/$1.own.seconds" 2)" \
    "$(spread "$work/$1.Blitz.seconds" 1) $(spread "$work/$1.Blitz.seconds" 2)" |
    awk -v what="$(cat "$work/$1.what")" -v own="${own%.so*}" -v same="$same" '{
      ratio = $7 > 0 ? $1 / $7 : 0
      verdict = sprintf("%.1f times as fast", ratio)
      if (ratio < 1.05) verdict = $10 < 0.9 * $4 ? sprintf("as fast, %.2f of the CPU time", $10 / $4) : "as fast"
      if (ratio < 0.95) verdict = sprintf("%.2f times slower", 1 / ratio)
      if ($2 <= $9 && $8 <= $3) verdict = verdict ", spreads overlap"
      format = "%-46s %-8s %7.3f s  %7.3f to %6.3f s  %6.2f s\n"
      printf format, what, own, $1, $2, $3, $4
      printf format, "  Blitz: " verdict, "Blitz", $7, $8, $9, $10
      if (same != "same answers") print "  " same
    }'
}

say "The same programs under their own runtime and Blitz"
echo "$threads threads, median of $((round - 1)) runs; other programs used $load CPUs before"
printf '%-46s %-8s %9s  %-19s  %8s\n' Program Runtime 'wall time' 'least to greatest' 'CPU time'
for name in $names; do
  rows "$name"
done
if [ -s "$work/failures" ]; then
  sort "$work/failures" | uniq -c
  die 'something went wrong, see above'
fi
echo
echo "All gave the same answers. That took $(($(date +%s) - start)) s."

# The command to try one of them: the first that is a Debian program.
case " $names " in
  *' tesseract '*) name=tesseract again="tesseract $work/page.pbm -" ;;
  *' numpy '*) name=numpy again="$python $root/bench/demo/product.py" ;;
  *) name=fib again="$work/fib_gcc $fib_n" ;;
esac
echo
echo 'To run a program of your own on Blitz, and to compare it with its own runtime:'
echo "  $build/bin/blitz-run your-program"
echo "  $build/bin/blitz-run --compare your-program"
echo "To see what $name did just now, as a timeline in any browser, and as a table:"
echo "  $build/bin/blitz-run --report $work/$name.html $again"
echo "  $build/bin/blitz-run --stats $again"
