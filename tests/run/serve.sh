#!/bin/sh
# serve.sh RUN CC [CLANG LIBOMP]: who serves programs of every kind under blitz-run, and that a program notices nothing
# of it.
. "$(dirname "$0")/rig.sh"
clang=${1:-} libomp=${2:-}
cd "$scratch" || exit 2
libgomp=$("$cc" -print-file-name=libgomp.so.1)
served="$folder/lib*.so*"

# Found by its name.
wants 0 "$served" "$run" ./program server
wants 0 "$served" "$run" -- ./program server
wants 0 "$served" "$run" --library "$folder" ./program server
wants 0 "$served" env BLITZ_LIB="$library" "$run" ./program server
wants 0 "$served" env LD_LIBRARY_PATH=/nowhere "$run" ./program server
wants 0 "2" "$run" -n 2 ./program
wants 0 "3" "$run" --threads=3 ./program
wants 0 "$folder:/nowhere::/else*" env LD_LIBRARY_PATH=/nowhere::/else "$run" sh -c 'echo $LD_LIBRARY_PATH'
# Where our folder was the last one nothing is left of it: an empty entry would be the current folder.
wants 0 "$folder:/nowhere" env LD_LIBRARY_PATH="/nowhere:$folder" "$run" sh -c 'echo $LD_LIBRARY_PATH'
wants 0 "$folder:/nowhere:" env LD_LIBRARY_PATH="/nowhere::$folder" "$run" sh -c 'echo $LD_LIBRARY_PATH'
wants 0 "$folder" "$run" "$run" sh -c 'echo $LD_LIBRARY_PATH'

# A path of its own, a renamed copy, and a library that is loaded late and has one.
mkdir own
cp "$libgomp" own/libgomp.so.1
LC_ALL=C sed 's/libgomp\.so\.1/libgomp-a3.1/g' "$libgomp" > own/libgomp-a3.1
"$cc" -w -fopenmp "$here/program.c" -o rpath -Wl,--disable-new-dtags,-rpath,"$scratch/own"
"$cc" -w -fopenmp -c "$here/program.c" -o program.o
"$cc" program.o own/libgomp-a3.1 -o renamed -Wl,-rpath,"$scratch/own"
"$cc" -w -fPIC -shared -fopenmp "$here/late.c" -o late.so
"$cc" -w -DLOADS "$here/late.c" -o loads
for program in rpath renamed; do
  wants 0 "$scratch/own/libgomp*" ./$program server
  wants 0 "$served" "$run" ./$program server
done
wants 0 "$served" "$run" ./loads ./late.so
if [ -n "$clang" ]; then
  "$clang" -w -O1 -fopenmp "$here/program.c" -o clang -L"$(dirname "$libomp")"
  wants 0 "$served" "$run" ./clang server
  "$clang" -w -O1 -fopenmp "$here/program.c" -o clang_rpath -L"$(dirname "$libomp")" \
    -Wl,--disable-new-dtags,-rpath,"$(dirname "$libomp")"
  wants 0 "$served" "$run" ./clang_rpath server
fi

# Programs of the sanitizers, by themselves and in scripts; C, C++ and Fortran have one runtime. Their reports of leaks
# depend on the system.
export ASAN_OPTIONS=detect_leaks=0 LSAN_OPTIONS=detect_leaks=0
cat > sanitized << 'EOF'
for sanitizer in address undefined leak thread; do
  for program in "$sanitizer".*; do
    [ ! -e "$program" ] || "./$program" server
  done
done
EOF
for sanitizer in address undefined leak thread; do
  flags="-w -g -fopenmp -fsanitize=$sanitizer"
  # shellcheck disable=SC2086 # words
  {
    "$cc" $flags "$here/program.c" -o $sanitizer.gcc
    "$cc" $flags "$here/program.c" -o $sanitizer.rpath -Wl,--disable-new-dtags,-rpath,"$scratch/own"
    [ -z "$clang" ] || "$clang" $flags "$here/program.c" -o $sanitizer.clang -L"$(dirname "$libomp")"
  } 2> log
  for program in $sanitizer.*; do
    [ -e $program ] || continue
    wants 0 "$served" "$run" ./$program server
    wants 0 '*all * are served by Blitz*' "$run" --check ./$program
  done
done
wants 0 "$served" "$run" sh ./sanitized
if [ -e address.gcc ]; then
  wants 1 '*ASan runtime does not come first*' env ASAN_OPTIONS=verify_asan_link_order=1 "$run" ./address.rpath server
fi
wants 0 'verify_asan_link_order=0:detect_leaks=0' "$run" "$run" sh -c 'echo $ASAN_OPTIONS'
unset ASAN_OPTIONS LSAN_OPTIONS

# What is preloaded stays in front of us, but another runtime does not.
echo 'void nothing(void) { }' | "$cc" -shared -x c - -o tool.so
wants 0 "$scratch/tool.so:$library $served" env LD_PRELOAD="$scratch/tool.so" "$run" sh -c \
  'echo $LD_PRELOAD $(./program server)'
wants 0 "$library:$scratch/own/libgomp.so.1 $served" env LD_PRELOAD="$scratch/own/libgomp.so.1" "$run" sh -c \
  'echo $LD_PRELOAD $(./program server)'

wants 0 "$scratch/tool.so:$library" env LD_PRELOAD="$scratch/tool.so:$library" "$run" sh -c 'echo $LD_PRELOAD'

# Scripts, with interpreters that are scripts, and without a first line.
printf '#! /bin/sh -e\n./program server "$@"\n' > script
printf '#!%s/script\n' "$scratch" > twice
printf './program server\n' > bare
chmod +x script twice bare
wants 0 "$served" "$run" ./script
wants 0 "$served" "$run" ./twice
wants 0 "$served" "$run" ./bare
mkdir path
cp program path/found
wants 0 "$served" env PATH="/nowhere:$scratch/path:$PATH" "$run" found server
wants 0 "$served" sh -c "cd path && PATH=:/nowhere exec '$run' found server"

# The process is the program's: number, status, signals, input, arguments; also without a terminal and an environment.
wants 0 'same' sh -c "p=\$(exec '$run' ./program pid & echo \$!; wait); set -- \$p; [ \$1 = \$2 ] && echo same"
wants 7 '' "$run" ./program exit 7
wants 0 '*SigIgn:*1????' env --ignore-signal=CHLD "$run" grep SigIgn /proc/self/status
wants 0 '*SigIgn:*0????' "$run" grep SigIgn /proc/self/status
wants 143 '*' sh -c "'$run' ./program raise 15; exit \$?"
wants 0 'one
two' sh -c "printf 'one\ntwo' | '$run' ./program input | cat"
wants 0 '--stats' "$run" ./program print --stats
wants 0 "$served" env -i "$run" ./program server
wants 0 "$served" setsid env -i "$run" "$scratch/program" server < /dev/null
wants 0 '' sh -c "yes | '$run' ./program input | head -c 10 > log"
wants 0 '' sh -c "{ '$run' ./program input; echo \$? > code; } < /dev/zero | head -c 10 > log; grep -q '^141\$' code"

# Two programs with one report: the one that ends later, which begins earlier, has another file, and says so.
if [ -e "$folder/libblitz-tools.so" ]; then
  mkfifo hold
  "$run" --stats=two.json ./program team input < hold > log 2> first &
  first=$!
  exec 3> hold
  until [ -e two.json ]; do sleep 0.1; done
  wants 0 "*BLITZ_STATS: written to $scratch/two.json?2" "$run" --stats=two.json ./program team
  exec 3>&-
  wait $first
  grep -q "BLITZ_STATS: written to $scratch/two.$first.json, as the file that was asked for has been written" first ||
    { echo "two programs, one file: $(cat first)"; status=1; }
  for file in two.json two.$first.json; do
    [ "$(tail -n 1 $file)" = '}' ] || { echo "$file is not whole"; status=1; }
  done
  wants 0 "*BLITZ_STATS: written to $scratch/two.json, over the file that was there?2" "$run" --stats=two.json ./program team
fi

# The system also reports threads at their requested places.
allowed=$(taskset -cp $$ | sed 's/.*: //; s/[-,]/ /g')
first=${allowed%% *} last=${allowed##* }
wants 0 "0: $first
1: $last" "$run" -n 2 --places "{$first},{$last}" --bind close ./program cpus
wants 0 "0: $last
1: $first" "$run" -n 2 --places "{$last},{$first}" --bind spread ./program cpus
wants 0 "0: $last
1: $last" "$run" -n 2 --places "{$last},{$first}" --bind primary ./program cpus
wants 0 "thread ? of 2 at $last
thread ? of 2 at $last
0: $last
1: $last" env OMP_DISPLAY_AFFINITY=true OMP_AFFINITY_FORMAT='thread %n of %N at %A' \
  "$run" -n 2 --places "{$last}" --bind true ./program cpus

# Each rank writes a file of its own.
for launcher in mpirun.openmpi mpirun.mpich; do
  command -v $launcher > log && [ -e "$folder/libblitz-tools.so" ] || continue
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  mkdir $launcher
  wants 0 '*2*' $launcher -n 2 "$run" -n 2 --stats=$launcher/s.json --trace $launcher/t.json ./program team < /dev/null
  for file in s.0 s.1 t.0 t.1; do
    [ -s $launcher/$file.json ] || { echo "$launcher: no $file.json"; status=1; }
  done
done
if command -v mpirun > log; then
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  wants 0 "$served
$served" mpirun -n 2 "$run" ./program server < /dev/null
  wants 0 "$served
$served" "$run" mpirun -n 2 ./program server < /dev/null
fi
exit $status
