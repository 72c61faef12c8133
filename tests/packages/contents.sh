#!/bin/sh
# contents.sh DEBS WORK: the contents of the packages, and their descriptions of themselves.
set -eu
debs=$1 work=$2
. "$(dirname "$0")/rig.sh"
need_debs amd64
need_debs arm64
rm -rf "$work"
mkdir -p "$work"
version=$(sed -n '1s/^blitz (\(.*\)) .*/\1/p' "$root/debian/changelog")
upstream=${version%-*}

# field DEB NAME WANTED: the control field is as the pattern WANTED says.
field() {
  value=$(dpkg-deb -f "$1" "$2")
  # shellcheck disable=SC2254
  case $value in
    $3) ;;
    *) fail "$(basename "$1"): $2 is '$value', should be '$3'" ;;
  esac
}

# holds FOLDER FILE...: the package unpacked in FOLDER has exactly these files, in this order, besides its
# documentation.
holds() {
  folder=$1
  shift
  printf '%s\n' "$@" | sort > "$work/wanted"
  (cd "$folder" && find . ! -type d ! -path './usr/share/doc/*' | sed 's|^\./||' | sort) > "$work/held"
  diff "$work/wanted" "$work/held" || fail "$folder: these files are only wanted (<), or only held (>)"
}

for arch in amd64 arm64; do
  case $arch in
    amd64) triplet=x86_64-linux-gnu machine=X86-64 ;;
    arm64) triplet=aarch64-linux-gnu machine=AArch64 ;;
  esac
  lib=usr/lib/$triplet
  for name in "$libblitz" libblitz-dev blitz-omp; do
    file=$(deb "$debs/$arch" $name)
    field "$file" Version "$version"
    field "$file" Architecture $arch
    field "$file" Maintainer 'Blitz developers <*@*>'
    mkdir -p "$work/$arch/$name"
    dpkg-deb -x "$file" "$work/$arch/$name"
    for doc in copyright changelog.gz changelog.Debian.gz; do
      [ -s "$work/$arch/$name/usr/share/doc/$name/$doc" ] || fail "$name for $arch has no $doc"
    done
    find "$work/$arch/$name" -type f -exec sh -c 'head -c 4 "$1" | grep -q ELF' - {} \; -print > "$work/elf"
    while read -r elf; do
      readelf -h "$elf" | grep -q "Machine:.*$machine" || fail "$elf is for another machine"
      if readelf -S "$elf" | grep -q '\.debug_info'; then
        fail "$elf has its debugging information"
      fi
    done < "$work/elf"
  done
  libc='libc6 (>= 2.[0-9]*)'
  field "$debs/$arch/${libblitz}_${version}_$arch.deb" Depends "$libc"
  field "$debs/$arch/${libblitz}_${version}_$arch.deb" Multi-Arch same
  field "$debs/$arch/libblitz-dev_${version}_$arch.deb" Depends "$libblitz (= $version), blitz-omp (= $version)"
  field "$debs/$arch/libblitz-dev_${version}_$arch.deb" Multi-Arch same
  field "$debs/$arch/blitz-omp_${version}_$arch.deb" Depends "$libc"
  field "$debs/$arch/blitz-omp_${version}_$arch.deb" Provides ''
  dpkg-deb -I "$debs/$arch/${libblitz}_${version}_$arch.deb" shlibs > "$work/shlibs"
  grep -qE "^libblitz [0-9]+ $libblitz \(>= .*\), $libblitz \(<< " "$work/shlibs" || fail "shlibs of $libblitz"
  dpkg-deb -I "$debs/$arch/blitz-omp_${version}_$arch.deb" shlibs > "$work/shlibs"
  ! grep -v '^libblitz-omp ' "$work/shlibs" || fail 'blitz-omp offers more libraries than its own to link with'
  dpkg-deb -I "$debs/$arch/${libblitz}_${version}_$arch.deb" symbols > "$work/symbols"
  grep -qE "^libblitz\.so\.[0-9]+ $libblitz #MINVER#, $libblitz \(<< " "$work/symbols" &&
    grep -q '^ blitz_call@BLITZ_[0-9]* ' "$work/symbols" || fail "symbols of $libblitz"
  dpkg-deb -I "$debs/$arch/blitz-omp_${version}_$arch.deb" symbols > "$work/symbols"
  [ "$(grep -v '^[ *|]' "$work/symbols")" = 'libblitz-omp.so.0 blitz-omp #MINVER#' ] &&
    grep -q '^ GOMP_parallel@GOMP_4.0 ' "$work/symbols" || fail 'symbols of blitz-omp'
  for name in "$libblitz" blitz-omp; do
    dpkg-deb -I "$debs/$arch/${name}_${version}_$arch.deb" triggers > "$work/triggers"
    grep -q ldconfig "$work/triggers" || fail "$name has no trigger of ldconfig"
  done
  major=${upstream%%.*}
  overrides=usr/share/lintian/overrides
  holds "$work/$arch/$libblitz" "$lib/libblitz.so.$major" "$lib/libblitz.so.$upstream" "$overrides/$libblitz"
  holds "$work/$arch/libblitz-dev" "$lib/libblitz.so" "$lib/libblitz.a" "$lib/libblitz-omp.so" \
    $overrides/libblitz-dev "$lib/pkgconfig/blitz.pc" "$lib/pkgconfig/blitz-omp.pc" usr/share/man/man7/blitz.7.gz \
    $(cd "$work/$arch/libblitz-dev" && ls "$lib"/cmake/blitz/*) \
    $(cd "$root" && ls include/*.h include/*.hpp include/blitz/*.h | sed 's|^|usr/|')
  holds "$work/$arch/blitz-omp" usr/bin/blitz-run "$lib/libblitz-omp.so.0" "$lib/libblitz-omp.so.$upstream" \
    "$lib/blitz/libgomp.so.1" "$lib/blitz/libomp.so.5" "$lib/blitz/libomp.so" "$lib/blitz/libiomp5.so" \
    "$lib/blitz/libblitz-tools.so" \
    "$lib/blitz/ldconfig/libgomp.so.1" "$lib/blitz/ldconfig/libomp.so.5" "$lib/blitz/ldconfig/libomp.so" \
    "$lib/blitz/ldconfig/libiomp5.so" \
    usr/share/bash-completion/completions/blitz-run usr/share/blitz/blitz-gdb.py usr/share/blitz/valgrind.supp \
    "usr/share/gdb/auto-load/$lib/libblitz-omp.so.$upstream-gdb.py" \
    "usr/share/gdb/auto-load/$lib/blitz/libgomp.so.1-gdb.py" $overrides/blitz-omp \
    usr/share/man/man1/blitz-run.1.gz usr/share/man/man7/blitz-omp.7.gz
done
doc=$(deb "$debs/$own" blitz-doc)
field "$doc" Architecture all
mkdir "$work/doc"
dpkg-deb -x "$doc" "$work/doc"
[ -s "$work/doc/usr/share/doc/blitz-doc/html/index.html" ] || fail 'blitz-doc has no index.html'
for name in blitz-omp "$libblitz"; do
  dpkg-deb -c "$(deb "$debs/$own" $name-dbgsym)" > "$work/symbols"
  grep -q '/\.build-id/.*\.debug$' "$work/symbols" || fail "$name-dbgsym has no symbols"
done

# Multi-Arch: same.
for name in "$libblitz" libblitz-dev; do
  (cd "$work/amd64/$name" && find . -type f) | while read -r file; do
    [ ! -e "$work/arm64/$name/$file" ] || cmp "$work/amd64/$name/$file" "$work/arm64/$name/$file" || exit 1
  done || fail "$name: what two architectures have in common differs"
done

emulator=qemu-aarch64
[ "$own" = amd64 ] || emulator=qemu-x86_64
if command -v $emulator > /dev/null; then
  triplet=aarch64-linux-gnu
  [ "$other" = arm64 ] || triplet=x86_64-linux-gnu
  folder=$work/$other/blitz-omp
  answer=$($emulator -L /usr/$triplet "$folder/usr/bin/blitz-run" --library "$folder/usr/lib/$triplet/blitz" --version)
  [ "$answer" = "blitz-run $upstream, library $folder/usr/lib/$triplet/blitz/libgomp.so.1" ] || fail "$other says: $answer"
fi
echo 'every package is as it should be'
