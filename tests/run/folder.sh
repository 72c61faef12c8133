#!/bin/sh
# folder.sh RUN CC: --check --folder prints which OpenMP runtimes are below a folder, and which of them are served.
. "$(dirname "$0")/rig.sh"
cd "$scratch" || exit 2
libgomp=$("$cc" -print-file-name=libgomp.so.1)
[ -e "$libgomp" ] || { echo 'skipped: no libgomp'; exit 77; }

mkdir -p wheels/deep/er empty
cp "$libgomp" wheels/deep/er/libgomp-a34b3233.so.1.0.0
ln -s libgomp-a34b3233.so.1.0.0 wheels/deep/er/again.so
cp program wheels/program.so
wants 0 "deep/er/libgomp-a34b3233.so.1.0.0  libgomp  served
1 of 1 OpenMP runtimes are served by Blitz, $library" "$run" --check --folder wheels
wants 0 'no OpenMP runtime in empty/' "$run" --check --folder empty/

# Ours; a copy for another machine; a runtime inside another file; damaged files; and a call that we do not have.
mkdir more
cp "$library" more/ours.so
cp "$libgomp" more/other.so
printf '\003\000' | dd of=more/other.so bs=1 seek=18 conv=notrunc 2> log
echo 'static void __attribute__((used)) GOMP_offload_register(void) {}' > inside.c
"$cc" -shared -fPIC inside.c -Wl,-soname,inside.so -o more/inside.so
echo 'void GOMP_of_tomorrow(void); void call(void) { GOMP_of_tomorrow(); }' > tomorrow.c
"$cc" -shared -fPIC tomorrow.c -o more/tomorrow.so
head -c 3000 "$libgomp" > more/short.so
: > more/empty.so
"$run" --check --folder more > said 2>&1
[ $? = 1 ] || { echo 'other status than 1'; status=1; }
sort > wanted << END
ours.so  libblitz-omp  served
other.so  libgomp  not served: for 32-bit x86
inside.so  libgomp  not served: linked into the file
tomorrow.so  needs GOMP_of_tomorrow, which Blitz does not have
1 of 3 OpenMP runtimes are served by Blitz, $library
END
sort said | diff wanted - || status=1

wants 125 'blitz-run: cannot read the folder *nowhere*: No such file*' "$run" --check --folder nowhere
wants 125 'blitz-run: --folder is for --check*' "$run" --folder wheels
wants 125 'blitz-run: --folder takes no program*./program*' "$run" --check --folder wheels ./program
exit $status
