#!/bin/sh
# cpack.sh SOURCE WORK CMAKE: what CPack makes of a build in WORK: a tarball, an RPM and a package for dpkg. Each is unpacked
# and used there as strangers do.
set -eu
source=$1 work=$2 cmake=$3
cpack=$(dirname "$cmake")/cpack
[ -x "$cpack" ] || cpack=cpack

fail() {
  echo "$*"
  exit 1
}

# used PREFIX: what is unpacked there works.
used() {
  sh "$source/tests/install/strangers.sh" "$1" "$PWD/used" "$cmake" gcc g++ > used.log 2>&1 || { cat used.log; exit 1; }
}

version=$(sed -n '1s/^blitz (\(.*\)-[^-]*) .*/\1/p' "$source/debian/changelog")
machine=$(uname -m)
"$cmake" -S "$source" -B "$work" -G Ninja -DBLITZ_TESTS=OFF -DBLITZ_BENCH=OFF > "$work.log"
"$cmake" --build "$work" >> "$work.log"
cd "$work"
rm -rf ./*.tar.gz ./*.rpm ./*.deb unpacked rpm deb

echo '== tarball'
$cpack -G TGZ > tgz.log || { cat tgz.log; exit 1; }
mkdir unpacked
tar -xzf "blitz-$version-linux-$machine.tar.gz" -C unpacked
top=$PWD/unpacked/blitz-$version-linux-$machine
[ -x "$top/bin/blitz-run" ] || fail "no bin/blitz-run in blitz-$version-linux-$machine"
answer=$("$top/bin/blitz-run" --version)
case $answer in
  "blitz-run $version, library $top/"*/blitz/libgomp.so.1) ;;
  *) fail "the unpacked command says: $answer" ;;
esac
! readelf -S "$top/bin/blitz-run" | grep '\.debug_info' || fail 'not stripped'
strange=$(find "$top" -path '*_CPack_Packages*')
[ -z "$strange" ] || fail "holds the path of the build: $strange"
used "$top"

if command -v rpmbuild > found; then
  echo '== RPM'
  $cpack -G RPM > rpm.log 2>&1 || { cat rpm.log; exit 1; }
  rpm=$(ls ./*.rpm)
  rpm -qp --provides "$rpm" > provides
  rpm -qpl "$rpm" > files
  grep -F "libblitz.so.${version%%.*}" provides || fail 'does not offer libblitz.so'
  ! grep -E 'lib(gomp|omp|iomp5)\.so' provides || fail 'offers itself in the place of another package'
  rpm -qp --requires "$rpm" > requires
  ! grep -E 'lib(gomp|omp|iomp5)\.so' requires || fail 'needs the package that it stands in for'
  grep -qE '^/usr/lib.*/blitz/libgomp\.so\.1$' files || fail 'no libgomp.so.1 in the folder'
  ! grep -F "$work" files || fail 'holds the path of the build'
  mkdir rpm
  (cd rpm && "$cmake" -E tar xf "../$rpm")
  used "$PWD/rpm/usr"
else
  echo 'no rpmbuild: the RPM is left out'
fi

if command -v dpkg-deb > found; then
  echo '== package for dpkg'
  $cpack -G DEB > deb.log 2>&1 || { cat deb.log; exit 1; }
  deb=$(ls ./*.deb)
  fields=$(dpkg-deb -f "$deb" Package Version Depends | tr '\n' ';')
  [ "$fields" = "Package: blitz;Version: $version;Depends: libc6 (>= 2.17);" ] || fail "$deb: $fields"
  dpkg-deb -I "$deb" triggers | grep -qx 'activate-noawait ldconfig' || fail 'no trigger'
  dpkg-deb -x "$deb" deb
  ! find deb | grep -F "$work" || fail 'holds the path of the build'
  used "$PWD/deb/usr"
else
  echo 'no dpkg-deb: its package is left out'
fi
echo 'all are as they should be'
