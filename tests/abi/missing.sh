#!/bin/sh
# missing.sh CC LIBBLITZ_OMP FOLDER: a program, or a library that it loads later, that asks for a function of GCC's runtime,
# or of LLVM's, which we do not have ends with one line that names it, under LIBBLITZ_OMP and libgomp.so.1 in FOLDER,
# preloaded and found.
# Not so if it could do without, if the function is the user's own, or if another runtime serves it.
here=$(cd "$(dirname "$0")" && pwd)
usage='usage: missing.sh CC LIBBLITZ_OMP FOLDER'
cc=${1:?$usage} preload=${2:?$usage} folder=${3:?$usage}
. "$here/../plain_env.sh"
export LC_ALL=C
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
status=0

# A libgomp of the future: functions in nodes that we have, and in some that we have not.
cat > "$scratch/future" << 'END'
node GOMP_99.0 GOMP_6.0.2
node OMP_99.0 OMP_6.1
GOMP_of_the_future@@GOMP_99.0
omp_of_the_future@@OMP_99.0
GOMP_of_17@@GOMP_6.0.2
omp_of_17_@@OMP_6.1
GOACC_of_17@@GOACC_2.0.2
acc_of_17@@OACC_2.6
END
. "$here/stand_in.sh"
stand_in "$cc" "$scratch/stand_in" "$scratch/future" || exit 1
stub=$scratch/stand_in/libgomp.so.1

# build NAME ARGUMENT...: of missing.c.
build() {
  file=$scratch/$1
  shift
  "$cc" -w -O1 -fno-builtin -Wl,-rpath,"$scratch" "$here/missing.c" -o "$file" "$@" ||
    { echo "$file: not built"; exit 1; }
}
program() {
  name=$1
  shift
  build "$name" -DPART=PROGRAM "$@" "$stub"
}
library() {
  name=$1
  shift
  build "$name.so" -shared -fPIC "$@"
}

# run SETTINGS NAME ARGUMENT...: what the program says, and in $code how it ends.
run() {
  settings=$1 name=$2
  shift 2
  # shellcheck disable=SC2086 # words
  said=$(cd "$scratch" && env $settings timeout 60 "./$name" "$@" 2>&1)
  code=$?
}
wrong() {
  echo "$settings $name: $1; status $code:"
  echo "$said"
  status=1
}

# ends WHO SYMBOL BEFORE: it ended with our line, having said BEFORE.
ends() {
  line="libblitz-omp: $1 asks for $2, which version"
  case $said in
    "$3$line "*newer*) [ "$code" = 1 ] && [ "$(echo "$said" | grep -c .)" = $(($(printf '%s' "$3" | wc -l) + 1)) ] ||
      wrong "not as it should" ;;
    *) wrong "not ended for $2" ;;
  esac
}
# goes on, to its end, having said BEFORE.
goes_on() {
  [ "$code" = 0 ] && [ "$said" = "$1the end" ] || wrong "did not run"
}
first="3 threads
"

beside="LD_LIBRARY_PATH=$scratch/stand_in LD_PRELOAD=$preload"
instead="LD_LIBRARY_PATH=$scratch/stand_in LD_PRELOAD=$folder/libgomp.so.1"
found="LD_LIBRARY_PATH=$folder"

# The program itself.
program plain -rdynamic
program future -DASKED=GOMP_of_the_future
program future_api -DASKED=omp_of_the_future
program of_17 -DASKED=GOMP_of_17
program of_17_api -rdynamic -DASKED=omp_of_17_ # with symbols of its own
program GOACC_of_17 -DASKED=GOACC_of_17
program acc_of_17 -DASKED=acc_of_17
program of_17_alone -DASKED=GOMP_of_17 -nostartfiles -Wl,-e,main # it defines nothing that others could see
program of_17_weak -DASKED=GOMP_of_17 -DWEAK
for settings in "$beside" "$instead" "$found"; do
  run "$settings" plain
  goes_on "$first"
  run "$settings" of_17
  ends "the program" GOMP_of_17@GOMP_6.0.2 ""
  run "$settings" of_17_api
  ends "the program" omp_of_17_@OMP_6.1 ""
  for function in GOACC_of_17@GOACC_2.0.2 acc_of_17@OACC_2.6; do
    run "$settings" "${function%@*}"
    ends "the program" "$function" ""
  done
  run "$settings" of_17_alone
  ends "the program" GOMP_of_17@GOMP_6.0.2 ""
  run "$settings" of_17_weak
  goes_on "$first"
done
run "$beside" future
ends "the program" GOMP_of_the_future@GOMP_99.0 ""
run "$beside" future_api
ends "the program" omp_of_the_future@OMP_99.0 ""
for settings in "$instead" "$found"; do # the loader's own line
  run "$settings" future
  case $said in
    *"version \`GOMP_99.0' not found"*) ;;
    *) wrong "did not name the version" ;;
  esac
done

# A library that comes later: with its region, at the latest.
library late -DPART=LIBRARY -DASKED=GOMP_of_17 "$stub"
library late_weak -DPART=LIBRARY -DASKED=GOMP_of_17 -DWEAK "$stub"
library late_bare -DPART=LIBRARY -DASKED=GOMP_of_17
library late_nobody -DPART=LIBRARY -DASKED=omp_of_nobody
library late_task -DPART=LIBRARY -DTASK -DASKED=GOMP_of_17 "$stub"
library late_teams -DPART=LIBRARY -DTEAMS -DASKED=GOMP_of_17 "$stub"
library late_target -DPART=LIBRARY -DTARGET -DASKED=GOMP_of_17 "$stub"
library late_acc -DPART=LIBRARY -DACC -DASKED=GOACC_of_17 "$stub"
library late_acc_api -DPART=LIBRARY -DACC_API -DASKED=acc_of_17 "$stub"
library first_acc -DPART=LIBRARY -DACC "$stub"
build bare -DPART=PROGRAM -DBARE -rdynamic -ldl
for settings in "$beside" "$instead" "$found"; do
  run "$settings" plain ./late.so
  ends ./late.so GOMP_of_17@GOMP_6.0.2 "$first"
  run "$settings" plain ./late_teams.so
  ends ./late_teams.so GOMP_of_17@GOMP_6.0.2 "$first"
  run "$settings" plain ./late_target.so
  ends ./late_target.so GOMP_of_17@GOMP_6.0.2 "$first"
  run "$settings" bare ./late_task.so # the first that it has of OpenMP
  ends ./late_task.so GOMP_of_17@GOMP_6.0.2 "1 threads
"
  run "$settings" bare ./late_acc.so
  ends ./late_acc.so GOACC_of_17@GOACC_2.0.2 "1 threads
"
  run "$settings" bare ./late_acc_api.so
  ends ./late_acc_api.so acc_of_17@OACC_2.6 "1 threads
"
  run "$settings" plain ./first_acc.so ./late_acc.so # OpenACC is in use already
  ends ./late_acc.so GOACC_of_17@GOACC_2.0.2 "${first}ran
"
  run "$settings" plain ./late_weak.so
  goes_on "${first}ran
"
  run "$settings" plain ./late_bare.so
  ends ./late_bare.so GOMP_of_17 "$first"
  run "$settings" plain ./late_nobody.so
  goes_on "${first}ran
"
done

# Functions of the program's and of the user's libraries, whatever their names.
library user -DPART=USER -DASKED=GOMP_of_the_user
library uses_user -DPART=LIBRARY -DASKED=GOMP_of_the_user -DUSES "$scratch/user.so"
library uses_program -DPART=LIBRARY -DASKED=omp_of_the_program -DUSES
# Those of another runtime, which has versions of its own, or none.
echo 'VERSION { };' > "$scratch/llvm.map"
library llvm -DPART=LLVM -Wl,--version-script="$scratch/llvm.map"
library llvm_bare -DPART=LLVM
for function in omp_of_llvm ompx_of_llvm; do
  library "uses_$function" -DPART=LIBRARY -DASKED=$function -DUSES "$scratch/llvm.so"
  library "uses_bare_$function" -DPART=LIBRARY -DASKED=$function -DUSES "$scratch/llvm_bare.so"
done
for settings in "$beside" "$instead" "$found"; do
  run "$settings" plain ./uses_user.so ./uses_program.so
  goes_on "${first}ran
9
ran
5
"
  run "$settings" plain ./uses_omp_of_llvm.so ./uses_ompx_of_llvm.so ./uses_bare_omp_of_llvm.so
  goes_on "${first}ran
7
ran
8
ran
7
"
done

# A copy of a runtime that serves the library which brings it, all of it.
cat > "$scratch/copy.map" << 'END'
GOMP_4.0 { global: GOMP_parallel; GOMP_offload_register; };
GOMP_99.0 { global: GOMP_of_the_future; };
END
library copy -DPART=COPY -Wl,--version-script="$scratch/copy.map"
library late_fine -DPART=LIBRARY "$stub"
library uses_copy -DPART=LIBRARY -DASKED=GOMP_of_the_future -DUSES "$scratch/copy.so"
for settings in "$beside" "$instead" "$found"; do
  run "$settings" plain +./uses_copy.so ./late_fine.so # whose region comes to us
  goes_on "${first}ran
11
ran
"
  run "$settings" plain -./uses_copy.so ./late_fine.so # not called yet, but it would come to us
  ends ./uses_copy.so GOMP_of_the_future@GOMP_99.0 "$first"
  run "$settings" plain ./uses_copy.so
  ends ./uses_copy.so GOMP_of_the_future@GOMP_99.0 "$first"
done

# So does one that serves a library which is not called yet, where ours is another library's and not for all.
run "$found" bare -./uses_copy.so ./late_fine.so -./late_fine.so
goes_on "1 threads
ran
"
run "$found" bare -./uses_copy.so ./late_fine.so ./uses_copy.so ./late_fine.so
goes_on "1 threads
ran
ran
11
ran
"
run "$found" bare -./late.so ./late_fine.so ./late.so # the awaited library is detected then
ends ./late.so GOMP_of_17@GOMP_6.0.2 "1 threads
ran
"

# LLVM's runtime: programs that ask for it, under each of its names.
cat > "$scratch/llvm_future" << 'END'
__kmpc_of_the_future@@VERSION
kmp_of_the_future@@VERSION
omp_of_llvm_99@@VERSION
END
for name in libomp.so.5 libomp.so libiomp5.so; do
  stand_in_llvm "$cc" "$scratch/llvm" $name "$scratch/llvm_future" || exit 1
done
stub=$scratch/llvm/libomp.so
program llvm_upstream -DASKED=__kmpc_of_the_future
stub=$scratch/llvm/libiomp5.so
program llvm_intel -DASKED=__kmpc_of_the_future
stub=$scratch/llvm/libomp.so.5
program llvm_plain -rdynamic
program llvm_weak -DASKED=__kmpc_of_the_future -DWEAK
for function in __kmpc_of_the_future kmp_of_the_future omp_of_llvm_99; do
  program "llvm_$function" -DASKED=$function
done
program llvm_inside -DASKED=__kmpc_invoke_task_func # libomp 19 has it
library empty -DPART=USER -DASKED=__kmpc_nobody_has
program llvm_bare -DASKED=__kmpc_nobody_has "$scratch/empty.so"
library empty -DPART=USER -DASKED=nothing
library llvm_late -DPART=LIBRARY -DASKED=__kmpc_of_the_future "$stub"
library llvm_late_fine -DPART=LIBRARY "$stub"

libraries=$scratch/llvm:$scratch/stand_in
for settings in "LD_LIBRARY_PATH=$libraries LD_PRELOAD=$preload" \
  "LD_LIBRARY_PATH=$libraries LD_PRELOAD=$folder/libgomp.so.1" \
  "LD_LIBRARY_PATH=$libraries LD_PRELOAD=$folder/libomp.so.5" "LD_LIBRARY_PATH=$folder"; do
  run "$settings" llvm_plain
  goes_on "$first"
  run "$settings" llvm_weak
  goes_on "$first"
  for function in __kmpc_of_the_future kmp_of_the_future omp_of_llvm_99; do
    run "$settings" "llvm_$function"
    ends "the program" "$function@VERSION" ""
  done
  for name in llvm_upstream llvm_intel; do
    run "$settings" $name
    ends "the program" __kmpc_of_the_future@VERSION ""
  done
  run "$settings" llvm_inside
  ends "the program" __kmpc_invoke_task_func@VERSION ""
  run "$settings" llvm_bare
  ends "the program" __kmpc_nobody_has ""
  for name in plain llvm_plain; do
    run "$settings" $name ./llvm_late.so
    ends ./llvm_late.so __kmpc_of_the_future@VERSION "$first"
    run "$settings" $name ./llvm_late_fine.so
    goes_on "${first}ran
"
  done
done

# A copy of it that serves the library which brings it.
echo 'VERSION { global: GOMP_parallel; omp_get_num_threads; __kmpc_ok_to_fork; __kmpc_of_the_future; };' \
  > "$scratch/copy.map"
library llvm_copy -DPART=COPY -DLLVM_CALLS -Wl,--version-script="$scratch/copy.map"
library uses_llvm_copy -DPART=LIBRARY -DLLVM_CALLS -DASKED=__kmpc_of_the_future -DUSES "$scratch/llvm_copy.so"
for settings in "$beside" "$instead" "$found"; do
  run "$settings" plain +./uses_llvm_copy.so ./late_fine.so
  goes_on "${first}ran
11
ran
"
  run "$settings" plain ./uses_llvm_copy.so
  ends ./uses_llvm_copy.so __kmpc_of_the_future@VERSION "$first"
done

# Taskyields are seen whichever hash table the program has: the first of these tasks waits for the second.
cat > "$scratch/yields.c" << 'END'
int main(void) {
    int flag = 0;
#pragma omp parallel num_threads(1)
#pragma omp taskloop num_tasks(2) shared(flag)
    for (int i = 0; i < 2; i++) {
        while (i == 0 && !__atomic_load_n(&flag, __ATOMIC_RELAXED)) {
#pragma omp taskyield
        }
        __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
    }
}
END
for style in gnu sysv; do
  "$cc" -w -O1 -fopenmp -Wl,--hash-style=$style "$scratch/yields.c" -o "$scratch/yields" || exit 1
  run "LD_PRELOAD=$folder/libgomp.so.1" yields
  [ "$code" = 0 ] || wrong "a program with a $style hash table has not ended"
done
exit $status
