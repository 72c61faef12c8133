#!/bin/sh
# wheel.sh WORK: the Python wheel in a virtual environment with a package that brings a renamed copy of libgomp, as those of
# auditwheel are, and one that asks for libomp by a path of its own.
set -eu
work=$1
. "$(dirname "$0")/rig.sh"
python=$(command -v python3) && "$python" -c 'import ensurepip, venv' || skip 'no python3 with venv'
libgomp=$(gcc -print-file-name=libgomp.so.1)
[ -e "$libgomp" ] || skip 'no libgomp'
rm -rf "$work"
mkdir -p "$work"
wheel=$("$python" "$root/cmake/wheel.py" "$work/made")
"$python" -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --no-index --quiet "$wheel"
cd "$work"
site=$("$work/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')

# The package `sums`: its library asks for libg-a3.so.1, and for nothing else.
mkdir -p "$site/sums.libs"
copy=$site/sums.libs/libg-a3.so.1
sed 's/libgomp\.so\.1/libg-a3.so.1/g' "$libgomp" > "$copy"
cat > sums.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>

void sum(const char *name) {
    long total = 0;
    Dl_info who = {0};
#pragma omp parallel for reduction(+ : total) num_threads(3)
    for (int i = 1; i <= 1000; i++)
        total += i;
    dladdr(dlsym(RTLD_DEFAULT, name), &who);
    printf("%ld %s\n", total, who.dli_fname);
}
END
gcc -O2 -fopenmp -fPIC -c sums.c
gcc -shared sums.o "$copy" -Wl,-rpath,'$ORIGIN/sums.libs' -ldl -o "$site/sums.so"
! readelf -d "$site/sums.so" | grep -F 'libgomp' || fail 'asks for libgomp by its name'
cat > program.py <<'END'
import ctypes, os, sys, sysconfig
sums = ctypes.CDLL(os.path.join(sysconfig.get_path("purelib"), "sums.so"), mode=ctypes.RTLD_GLOBAL)
sums.sum(sys.argv[1].encode())
END

# says WANTED COMMAND...
says() {
  wanted=$1
  shift
  echo "-- $*"
  answer=$("$@" 2>&1) || fail "failed: $answer"
  [ "$answer" = "$wanted" ] || fail "   says '$answer', should be '$wanted'"
}
ours=$site/blitz_omp/lib/blitz/libgomp.so.1
bin=$work/venv/bin
says "500500 $copy" "$bin/python" program.py GOMP_parallel
says "500500 $ours" "$bin/python" -m blitz_omp program.py GOMP_parallel
says "500500 $ours" "$bin/blitz-run" "$bin/python" program.py GOMP_parallel
answer=$("$bin/blitz-run" --stats "$bin/python" program.py GOMP_parallel 2>&1)
echo "$answer" | grep -q '^parallel regions' || fail "no statistics: $answer"

# threadpoolctl limits the threads that serve the package, and lifts the limit.
cat > limits.py <<'END'
import ctypes, os, sysconfig
from threadpoolctl import threadpool_info, threadpool_limits
ctypes.CDLL(os.path.join(sysconfig.get_path("purelib"), "sums.so"))
def show():
    print(*(library["num_threads"] for library in threadpool_info()))
show()
with threadpool_limits(1):
    show()
show()
END
if [ -e /usr/lib/python3/dist-packages/threadpoolctl.py ]; then
  cp /usr/lib/python3/dist-packages/threadpoolctl.py "$site"
  says "$(printf '5\n1\n5')" env OMP_NUM_THREADS=5 "$bin/python" -m blitz_omp limits.py
fi

# A copy for another machine, one inside another file, one that we cannot serve, and ours.
cp "$copy" "$site/sums.libs/other.so"
printf '\267\000' | dd of="$site/sums.libs/other.so" bs=1 seek=18 conv=notrunc 2> dd
printf 'void GOMP_of_tomorrow(void);\nvoid call(void) { GOMP_of_tomorrow(); }\n' > tomorrow.c
gcc -shared -fPIC tomorrow.c -o "$site/tomorrow.so"
printf 'static void __attribute__((used)) GOMP_offload_register(void) {}\n' > inside.c
gcc -shared -fPIC inside.c -Wl,-soname,inside.so -o "$site/inside.so"
answer=$("$bin/blitz-run" --check --folder "$site") && fail "served, they say: $answer"
echo "$answer" | sort > answer
sort > wanted <<END
blitz_omp/lib/blitz/libgomp.so.1  libblitz-omp  served
inside.so  libgomp  not served: linked into the file
sums.libs/libg-a3.so.1  libgomp  served
sums.libs/other.so  libgomp  not served: for AArch64
tomorrow.so  needs GOMP_of_tomorrow, which Blitz does not have
2 of 4 OpenMP runtimes are served by Blitz, $ours
END
diff wanted answer || fail 'not what is there (<)'
rm "$site/sums.libs/other.so" "$site/tomorrow.so" "$site/inside.so"
"$bin/blitz-run" --check --folder "$work/venv" || fail 'all are served'

# A program of clang asks for libomp.so.5, which is another file here.
if command -v clang-19 > found && [ -e /usr/lib/llvm-19/lib/libomp.so.5 ]; then
  clang-19 -O2 -fopenmp "$here/../install/openmp.c" -L/usr/lib/llvm-19/lib -o finished
  says '3 500500' "$bin/blitz-run" ./finished
  "$bin/blitz-run" --check ./finished | grep "are served by Blitz, $ours"
fi
"$bin/python" -m pip uninstall --quiet --yes blitz-omp
left=$(find "$work/venv" -name '*blitz*')
[ -z "$left" ] || fail "left: $left"
echo 'the wheel is as it should be'
