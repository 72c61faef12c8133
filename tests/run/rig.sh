# rig.sh: sourced by the scripts of this folder, which are called with RUN CC and what follows. Makes a folder for the
# script, $scratch, and builds program.c there as `program`; the script ends with `exit $status`.
here=$(cd "$(dirname "$0")" && pwd)
run=${1:?usage: $0 RUN CC [CLANG LIBOMP]} cc=${2:?usage: $0 RUN CC [CLANG LIBOMP]}
shift 2
. "$here/../plain_env.sh"
unset BLITZ_LIB
export LC_ALL=C
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
folder=$(cd "$(dirname "$run")/../lib/blitz" && pwd) || exit 2
library=$folder/libgomp.so.1
status=0
"$cc" -w -O1 -fopenmp "$here/program.c" -o "$scratch/program" || exit 2

# wants STATUS OUTPUT COMMAND...: the exit status, and what is written, errors included; * in OUTPUT stands for anything.
wants() {
  wanted=$1 pattern=$2
  shift 2
  said=$(timeout 60 "$@" 2>&1)
  got=$?
  # shellcheck disable=SC2254 # a pattern
  case $said in
    $pattern) [ "$got" = "$wanted" ] && return 0 ;;
  esac
  echo "$*: status $got instead of $wanted, '$said' instead of '$pattern'"
  status=1
}
