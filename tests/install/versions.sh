#!/bin/sh
# versions.sh BUILD WORK CMAKE CC: installs BUILD below WORK, asks everything that has a version for it, and uninstalls it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
build=$1 work=$2 cmake=$3 cc=$4
prefix=$work/prefix

# same WHAT ANSWER WANTED
same() {
  echo "-- $1: $2"
  [ "$2" = "$3" ] || { echo "   should be $3"; exit 1; }
}

rm -rf "$work"
mkdir -p "$prefix/share/man/man5"
"$cmake" --install "$build" --prefix "$prefix" > "$work/install.log"
lib=$(dirname "$(find "$prefix" -name libblitz.so)")

number() {
  sed -n "s/^#define BLITZ_VERSION_$1 \([0-9]*\)$/\1/p" "$prefix/include/blitz.h"
}
major=$(number MAJOR) minor=$(number MINOR)
version=$major.$minor.$(number PATCH)
echo "-- the header: $version"

soname() {
  readelf -d "$1" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p'
}
for name in libblitz libblitz-omp; do
  so=$name.so.$major
  [ $name = libblitz ] || so=$name.so.0 # whatever the version
  same "SONAME of $name" "$(soname "$lib/$name.so")" "$so"
  same "link $name.so" "$(readlink "$lib/$name.so")" "$so"
  same "link $so" "$(readlink "$lib/$so")" "$name.so.$version"
  same "pkg-config --modversion ${name#lib}" \
    "$(PKG_CONFIG_PATH="$lib/pkgconfig" pkg-config --modversion "${name#lib}")" "$version"
  "$cc" "$here/version.c" -I"$prefix/include" -L"$lib" "-l${name#lib}" -Wl,-rpath,"$lib" -o "$work/version"
  same "blitz_version of $name" "$("$work/version")" "$version $version"
  same "version of blitz_call in $name" "$(nm -D --with-symbol-versions "$lib/$name.so" | sed -n 's/.* blitz_call@@//p')" \
    "BLITZ_$major"
done
same 'blitz-run --version' "$("$prefix/bin/blitz-run" --version)" "blitz-run $version, library $lib/blitz/libgomp.so.1"
same 'debian/changelog' "$(sed -n '1s/^blitz (\(.*\)-[^-]*) .*/\1/p' "$root/debian/changelog")" "$version"
same 'cmake/conda/recipe.yaml' "$(sed -n 's/^  version: //p' "$root/cmake/conda/recipe.yaml" | head -n 1)" "$version"
next=$((major + 1))
[ "$major" != 0 ] || next=0.$((minor + 1))
same "what libblitz$major.symbols excludes" \
  "$(sed -n 's/.* (<< \(.*\)~)$/\1/p' "$root/debian/libblitz$major.symbols")" "$next"
grep -q "^## $version" "$root/CHANGELOG.md" || { echo "CHANGELOG.md has no $version"; exit 1; }

echo '-- find_package'
mkdir "$work/project"
cat > "$work/project/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.25)
project(versions LANGUAGES C)
foreach(fits $major.$minor $version)
  find_package(blitz \${fits} REQUIRED)
  if(NOT blitz_VERSION STREQUAL $version)
    message(FATAL_ERROR "found as \${blitz_VERSION}")
  endif()
endforeach()
foreach(other $major.$minor.99 $major.$((minor + 1)) $((major + 1)).0)
  unset(blitz_DIR CACHE)
  find_package(blitz \${other} QUIET)
  if(blitz_FOUND)
    message(FATAL_ERROR "$version is taken for \${other}")
  endif()
endforeach()
END
"$cmake" -S "$work/project" -B "$work/project/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" \
  > "$work/project.log" 2>&1 || { cat "$work/project.log"; exit 1; }

for file in LICENSE README.md CHANGELOG.md; do
  cmp "$prefix/share/doc/blitz/$file" "$root/$file"
done

echo '-- uninstall'
"$cmake" --build "$build" --target uninstall > "$work/uninstall.log" 2>&1 || { cat "$work/uninstall.log"; exit 1; }
left=$(find "$prefix" ! -type d; find "$prefix" -path '*blitz*'; find "$prefix" -path '*/auto-load/*')
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
[ -d "$prefix/share/man/man5" ] || { echo 'took a folder that it had not made'; exit 1; }
! "$cmake" --build "$build" --target uninstall > "$work/again.log" 2>&1 || { echo 'uninstalled twice'; exit 1; }
grep -q 'Nothing to uninstall' "$work/again.log"
echo 'all say the same, and nothing is left'
