#!/bin/sh
# lint.sh CHECK [ROOT]: runs the check CHECK.sh over the tree ROOT. A check prints one line for each thing that it
# finds wrong, as "file:line: what"; this fails when it printed any.
here=$(cd "$(dirname "$0")" && pwd)
check=${1:?usage: lint.sh CHECK [ROOT]}
cd "${2:-$here/../..}" || exit 2
[ -r "$here/$check.sh" ] || { echo "lint.sh: no check '$check'"; exit 2; }

# The project's own files with these name patterns, one a line; nothing that a build or git made.
files() {
  for pattern in "$@"; do
    find . \( -name .git -o -name build -o -name .cache \) -prune -o -type f -name "$pattern" -print
  done | sed 's|^\./||' | sort
}

found=$(. "$here/$check.sh")
[ -z "$found" ] && exit 0
printf '%s\n' "$found"
printf '%s: %s found\n' "$check" "$(printf '%s\n' "$found" | wc -l)"
exit 1
