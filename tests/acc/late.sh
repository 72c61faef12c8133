#!/bin/sh
# late.sh CC LIBBLITZ_OMP FOLDER TOOL: a program without OpenACC loads a library that uses it, and a tool that the
# environment names is there in time, once: under libgomp, with LIBBLITZ_OMP preloaded, with libgomp.so.1 in FOLDER
# preloaded, and found.
here=$(cd "$(dirname "$0")" && pwd)
usage='usage: late.sh CC LIBBLITZ_OMP FOLDER TOOL'
cc=${1:?$usage} preload=${2:?$usage} folder=${3:?$usage} tool=${4:?$usage}
. "$here/../plain_env.sh"
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
cat > "$scratch/program.c" << 'END'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv) {
    setvbuf(stdout, NULL, _IONBF, 0);
    void *library = dlopen(argv[argc - 1], RTLD_NOW);
    int (*use)(int) = library ? (int (*)(int))dlsym(library, "use") : NULL;
    if (!use)
        return puts(dlerror()), 1;
    printf("used: %d\n", use(3));
    return 0;
}
END
cat > "$scratch/library.c" << 'END'
int use(int x) {
    int y = 0;
#pragma acc parallel loop reduction(+ : y)
    for (int i = 0; i < 10; i++)
        y += x;
    return y;
}
END
"$cc" -w "$scratch/program.c" -o "$scratch/program" -ldl &&
  "$cc" -w -O2 -fopenacc -shared -fPIC "$scratch/library.c" -o "$scratch/library.so" || exit 1

status=0
run() { # SETTING: what the program says
  env "$1" ACC_PROFLIB="$tool" timeout 60 "$scratch/program" "$scratch/library.so" 2>&1 || echo "status $?"
}
run LD_PRELOAD= > "$scratch/wanted"
for wanted in 'used: 30' 'event 16'; do
  grep -q "$wanted" "$scratch/wanted" || { echo "libgomp: no $wanted:"; cat "$scratch/wanted"; status=1; }
done
for way in "LD_PRELOAD=$preload" "LD_PRELOAD=$folder/libgomp.so.1" "LD_LIBRARY_PATH=$folder"; do
  run "$way" > "$scratch/said"
  diff "$scratch/wanted" "$scratch/said" > "$scratch/diff" || { echo "$way:"; cat "$scratch/diff"; status=1; }
done
exit $status
