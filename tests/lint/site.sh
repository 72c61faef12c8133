#!/bin/sh
# site.sh CMAKE BUILD: the target docs makes its pages without a warning and without a dead link, which it would find, and
# says what to install where doxygen is missing.
set -u
cmake=$1 build=$2
here=$(cd "$(dirname "$0")" && pwd)
failed=0

# What has no doxygen on its path.
mkdir -p "$build/docs/empty"
PATH=$build/docs/empty "$cmake" -DVERSION=0 -DOUTPUT="$build/docs/none" -P "$here/../../cmake/docs.cmake" \
  > "$build/docs/none.log" 2>&1 && { echo 'docs works without doxygen'; failed=1; }
grep -q 'apt-get install doxygen' "$build/docs/none.log" || { cat "$build/docs/none.log"; failed=1; }

command -v doxygen > /dev/null || { echo 'doxygen not found: install doxygen'; [ $failed = 1 ] || exit 77; exit 1; }
"$cmake" --build "$build" --target docs || exit 1
html=$build/docs/html

# The tables of verbs are tables, and the example is on the start page.
for page in blitz_8h cilk_8h algo_8h sort_8h; do
  grep -q '<table class="verbs">' "$html/$page.html" || { echo "$page: no table of verbs"; failed=1; }
done
for word in blitz_join blitz-run; do
  grep -q $word "$html/index.html" || { echo "$word is not on the start page"; failed=1; }
done

# A dead link is found: to a page, to an anchor, to a file.
copy=$build/docs/copy
for link in nowhere.html 'index.html#nowhere' nowhere.png; do
  rm -rf "$copy"
  cp -r "$html" "$copy"
  echo "<a href=\"$link\">x</a>" >> "$copy/index.html"
  awk -f "$here/../../cmake/docs_links.awk" "$copy"/*.html > "$build/docs/dead.log" &&
    { echo "a link to $link is not found"; failed=1; }
  grep -qF "$link" "$build/docs/dead.log" || { cat "$build/docs/dead.log"; failed=1; }
done
rm -rf "$copy"
exit $failed
