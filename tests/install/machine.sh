#!/bin/sh
# machine.sh PREFIX WORK: Blitz, installed in PREFIX, as the default of a machine, a user, an image, a batch job and a conda
# environment, by the commands of compat/machine.md, and back. In a mount namespace of its own, where /etc is a copy: the
# machine is left as it is. Without the right to have one it is skipped, with status 77.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
prefix=$1 work=$2

if [ "${3:-}" != inside ]; then
  rm -rf "$work"
  mkdir -p "$work"
  unshare --mount sh -c 'mount -t tmpfs none /opt' 2> "$work/refused" ||
    { echo "no mount namespace: $(cat "$work/refused")"; exit 77; }
  exec unshare --mount sh "$0" "$prefix" "$work" inside
fi

mkdir "$work/bin" "$work/blitz"
ln -s "$prefix/bin" "$work/blitz/bin"
ln -s "$(dirname "$(find "$prefix" -name libblitz.so)")" "$work/blitz/lib" # also where it is lib64
cp -a /etc "$work/etc"
mount --bind "$work/etc" /etc
mount -t tmpfs none /var/cache/ldconfig
mount -t tmpfs none /opt
ln -s "$work/blitz" /opt/blitz
ours=/opt/blitz/lib/blitz

gcc -O2 -fopenmp "$here/openmp.c" -o "$work/bin/solver"
clang=
if command -v clang-19 > "$work/which" && [ -e /usr/lib/llvm-19/lib/libomp.so.5 ]; then
  clang=$work/bin/clang/solver
  mkdir "$work/bin/clang"
  clang-19 -O2 -fopenmp -c "$here/openmp.c" -o "$work/openmp.o"
  clang-19 "$work/openmp.o" /usr/lib/llvm-19/lib/libomp.so.5 -o "$clang"
fi
cp "$(gcc -print-file-name=libgomp.so.1)" "$work/gomp"

# server PROGRAM...: the file that the program's OpenMP calls are bound to, all of them. At once: threads that bind them
# later write across each other's lines.
server() {
  rm -f "$work"/bindings*
  env LD_BIND_NOW=1 LD_DEBUG=bindings LD_DEBUG_OUTPUT="$work/bindings" "$@" > "$work/answer"
  grep -q '^3 500500$' "$work/answer"
  cat "$work"/bindings.* | grep -E 'binding file [^ ]*/solver .*symbol .(GOMP_|omp_|__kmpc_)' |
    sed 's/.* to \([^ ]*\) .*/\1/' | sort -u
}

# expect WHAT FILE PROGRAM...: FILE serves the program.
expect() {
  what=$1 file=$2
  shift 2
  got=$(server "$@")
  [ "$(readlink -f "$got")" = "$(readlink -f "$file")" ] || { echo "$what: served by '$got', not $file"; exit 1; }
  echo "-- $what: $got"
}
theirs=$(server "$work/bin/solver")
expect 'before' "$theirs" "$work/bin/solver"
case $(readlink -f "$theirs") in "$prefix"/*) echo 'Blitz is the default here already'; exit 77 ;; esac

sh -eu "$here/machine/on.sh"
expect 'a machine' $ours/libgomp.so.1 "$work/bin/solver"
for name in libgomp.so.1 libomp.so.5 libomp.so libiomp5.so; do
  first=$(ldconfig -p | awk -v name="$name" '$1 == name && /x86-64|AArch64/ { print $NF; exit }')
  [ "$first" = "$ours/ldconfig/$name" ] || { echo "$name is '$first'"; exit 1; }
done
if [ -n "$clang" ]; then
  expect 'a machine, clang' $ours/libgomp.so.1 "$clang"
fi
sh -eu "$here/machine/off.sh"
expect 'and back' "$theirs" "$work/bin/solver"
if [ -n "$clang" ]; then
  expect 'and back, clang' /usr/lib/llvm-19/lib/libomp.so.5 "$clang"
fi

sed -n 's/^RUN //p' "$here/machine/Dockerfile" > "$work/image.sh"
sh -eu "$work/image.sh"
expect 'an image' $ours/libgomp.so.1 "$work/bin/solver"
sh -eu "$here/machine/off.sh"

expect 'a user' $ours/libgomp.so.1 sh -euc ". $here/machine/profile.sh; exec $work/bin/solver"
expect 'a user with a path' $ours/libgomp.so.1 \
  env LD_LIBRARY_PATH=/nowhere sh -euc ". $here/machine/profile.sh; exec $work/bin/solver"

# A launcher that starts one rank.
printf '#!/bin/sh\n[ "$SRUN_CPUS_PER_TASK" = 8 ] && shift && exec "$@"\n' > "$work/bin/srun"
chmod +x "$work/bin/srun"
expect 'a job' $ours/libgomp.so.1 env SLURM_CPUS_PER_TASK=8 PATH="$work/bin:$PATH" \
  sh -euc "cd $work/bin && . $here/machine/job.sh"

# Several versions at once, as alternatives.
alternatives() {
  update-alternatives --quiet --altdir "$work/alternatives" --admindir "$work/admin" "$@"
}
mkdir "$work/alternatives" "$work/admin" /opt/blitz-0.1.0 /opt/blitz-0.2.0
rm /opt/blitz
alternatives --install /opt/blitz blitz /opt/blitz-0.1.0 10
alternatives --install /opt/blitz blitz /opt/blitz-0.2.0 20
[ "$(readlink -f /opt/blitz)" = /opt/blitz-0.2.0 ]
alternatives --set blitz /opt/blitz-0.1.0
[ "$(readlink -f /opt/blitz)" = /opt/blitz-0.1.0 ]
alternatives --remove-all blitz
ln -s "$work/blitz" /opt/blitz
echo '-- alternatives'

# An environment as conda makes it: programs look into its lib first, whatever the system says.
conda=$work/conda
mkdir -p "$conda/bin" "$conda/lib"
cp "$work/gomp" "$conda/lib/libgomp.so.1.0.0"
ln -s libgomp.so.1.0.0 "$conda/lib/libgomp.so.1"
cp "$work/gomp" "$conda/lib/libomp.so"
gcc -O2 -fopenmp "$here/openmp.c" -Wl,--disable-new-dtags,-rpath,'$ORIGIN/../lib' -o "$conda/bin/solver"
find "$conda/lib" | sort > "$work/before"
expect 'conda' "$conda/lib/libgomp.so.1.0.0" env LD_LIBRARY_PATH=$ours "$conda/bin/solver"
for again in once twice; do
  CONDA_PREFIX=$conda sh -eu "$here/machine/conda_on.sh"
  expect "conda, $again" $ours/libgomp.so.1 "$conda/bin/solver"
done
[ "$(readlink -f "$conda/lib/libomp.so")" = "$(readlink -f $ours/libgomp.so.1)" ]
[ ! -e "$conda/lib/libiomp5.so" ]
CONDA_PREFIX=$conda sh -eu "$here/machine/conda_off.sh"
find "$conda/lib" | sort | cmp - "$work/before"
expect 'conda, and back' "$conda/lib/libgomp.so.1.0.0" "$conda/bin/solver"

# A renamed copy is reached by preloading alone; a program without OpenMP goes on.
patched=$work/bin/renamed/solver
mkdir "$work/bin/renamed"
sed 's/libgomp\.so\.1/libgomp.so.9/' "$work/bin/solver" > "$patched"
chmod +x "$patched"
cp "$work/gomp" "$work/bin/renamed/libgomp.so.9"
expect 'a copy' "$work/bin/renamed/libgomp.so.9" env LD_LIBRARY_PATH="$work/bin/renamed" "$patched"
echo $ours/libgomp.so.1 > /etc/ld.so.preload
expect 'everything' $ours/libgomp.so.1 env LD_LIBRARY_PATH="$work/bin/renamed" "$patched"
[ -z "$(BLITZ_X=1 env true 2>&1)" ]
: > /etc/ld.so.preload
expect 'and back' "$work/bin/renamed/libgomp.so.9" env LD_LIBRARY_PATH="$work/bin/renamed" "$patched"
echo 'all ways lead there and back'
