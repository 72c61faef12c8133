# Sourced by lint.sh. The #include lines respect the layers:
#   include/      itself
#   src/          itself; src/os/ in turn knows none of the scheduler above it
#   compat/omp/   the public API, src/runtime.h, and itself; so does compat/lib.c, which starts the library
#   compat/acc/   src/runtime.h, compat/omp/bomp.h and itself; compat/lib.c starts it by acc.h
#   compat/tools/ include/omp-tools.h, compat/ompt/blitz-tools.h and itself: what OpenMP does it is told as any tool is. Its
#                 common/base.h alone includes of src/: helpers below the scheduler, which become its own
#   compat/ompt/  the public API, src/runtime.h, compat/omp/ and itself
#   compat/gomp/  compat/omp/bomp.h and itself, never another compiler's ABI
#   compat/kmpc/  the same; compat/depend_objects.c includes depend.h of both
#   compat/run/   itself: a command of its own, with malloc and stdio
# Within src/ and compat/omp/, a folder's files include nothing of a folder that comes later in rooms.sh. And compat/ names
# no fields of workers, deques, teams, barriers and domains: it uses what the headers in runtime.h have for that.
# The runtime's memory is its own (src/os/memory.c); malloc's is for what the program asks for as its own.
# Atomics are written in src/base/atomic.h (and fence.h) alone, and only src/os/ asks which system it is built for.

# refuse WHERE ALLOWED FOLDER: complains of each quoted include (or <blitz...>) in the files at WHERE that neither
# matches ALLOWED nor is a file below FOLDER.
refuse() {
  grep -rHnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*("|<blitz)' --include='*.[ch]' "$1" 2>/dev/null |
    sed -E 's/^([^:]*:[0-9]*):[^"<]*["<]([^">]*).*/\1 \2/' |
    while read -r place header; do
      printf '%s\n' "$header" | grep -qE "$2" && continue
      [ -n "$3" ] && case $header in *..*) false ;; *) [ -e "$3/$header" ] ;; esac && continue
      echo "$place: $1 must not include $header"
    done
}

# upward FOLDER PREFIX ROOMS: complains of each include in FOLDER/ROOM/ of PREFIX LATER_ROOM/, and of folders that are none
# of ROOMS.
upward() {
  for folder in "$1"/*/; do
    case " $3 " in
      *" $(basename "$folder") "*) ;;
      *) echo "$folder: no room of tests/lint/rooms.sh" ;;
    esac
  done
  later=$3
  for room in $3; do
    later=${later#"$room"}
    later=${later# }
    [ -d "$1/$room" ] && [ -n "$later" ] &&
      grep -rHnE "^[[:space:]]*#[[:space:]]*include[[:space:]]*\"$2($(echo "$later" | tr ' ' '|'))/" "$1/$room" |
      sed -E "s/^([^:]*:[0-9]*):[^\"]*\"([^\"]*)\".*/\1: $room must not include \2, of a room above/"
  done | grep -vE "$excepted"
}

. "$here/rooms.sh"
public='^blitz(/[a-z_]+)?\.h$'
refuse include "$public" ''
refuse src "$public" src
refuse src/os '^(os|base)/' ''
upward src '' "$src_rooms"
upward compat/omp omp/ "$omp_rooms"
refuse compat/ompt "$public|^omp-tools\.h\$|^runtime\.h\$|^omp/" compat
refuse compat/depend_objects.c '^(gomp|kmpc)/depend\.h$|^omp/bomp\.h$' ''
refuse compat/lib.c "$public|^runtime\.h\$|^omp/|^acc/acc\.h\$" ''
refuse compat/omp "$public|^omp-tools\.h\$|^runtime\.h\$|^omp/" ''
refuse compat/acc '^(omp/bomp|runtime)\.h$' compat/acc
refuse compat/tools '^(omp-tools|ompt/blitz-tools)\.h$|^tools/' '' | grep -v '^compat/tools/common/base\.h:'
tools_base='^(base/(atomic|compiler|hooks)|env/(error|options)|os/(files|objects|os|topology)|wait/tick)\.h$'
refuse compat/tools/common/base.h "$tools_base"
refuse compat/gomp '^omp/bomp\.h$' compat/gomp
refuse compat/kmpc '^omp/bomp\.h$' compat/kmpc
refuse compat/run '^run/' ''
find compat -name '*.[ch]' -exec awk -f "$here/fields.awk" {} + 2>/dev/null |
  sed 's|$|   (use what runtime.h shows for it)|'

grep -rnE '__atomic_|__sync_|stdatomic\.h|_Atomic|(^|[^_[:alnum:]])volatile([^_[:alnum:]]|$)' \
  --include='*.[ch]' src compat 2>/dev/null |
  grep -vE '^src/(base/atomic|wait/fence)\.h:|asm(__)? volatile' |
  grep -vE '^compat/kmpc/atomic\.c:' | # the program's own atomics
  grep -vE '^compat/omp/bomp_tool\.h:[0-9]+:.*BOMP_OBSERVED' | # which has plain types alone
  grep -vE '^compat/gomp/task\.c:[0-9]+:.*volatile (depend|detach)[,)]' | # parameters that may not be there
  sed 's|$|   (belongs in src/base/atomic.h)|'
grep -rnE '^[[:space:]]*#.*(__linux__|__APPLE__|_WIN32|__FreeBSD__)' --include='*.[ch]' src compat 2>/dev/null |
  grep -v '^src/os/' | sed 's|$|   (belongs in src/os)|'
takes='malloc|calloc|realloc|free|aligned_alloc|posix_memalign|strn?dup|v?asprintf|getline|fd?open|opendir|qsort|v?dprintf'
allowed='^src/(os/memory|base/sanitizer)\.[ch]:|^compat/run/|^compat/omp/api/(allocator|target_api)\.c:|^compat/acc/api\.c:'
grep -rnE "(^|[^_[:alnum:]])($takes) *\\(" --include='*.[ch]' src compat 2>/dev/null |
  grep -vE "$allowed"'|^[^:]*:[0-9]*: *(/?\*|//)|/\*.*(free|malloc)' |
  sed 's|$|   (belongs in src/os/memory.c)|'
