# Sourced by lint.sh. The manual pages are clean for groff (and for mandoc where there is one), and name every variable of
# the environment that is read; that of blitz-run names every option.

# named VARIABLE PAGE FILE: complains unless PAGE has an entry for VARIABLE, which FILE reads.
named() {
  grep -qE "^\.BR?(.*[^A-Z_])$1([^A-Z_]|\$)" "cmake/man/$2" || echo "$3:1: $1 is not in cmake/man/$2"
}
for variable in $(sed -n 's/^BZ_OPTION("\([A-Z_]*\)".*/\1/p' src/env/options.def); do
  named "$variable" blitz.7 src/env/options.def
  named "$variable" blitz-omp.7 src/env/options.def
done
for variable in $(sed -n 's/^ENV\(_IDLE\)*(\([A-Z_]*\)[,)].*/\2/p' compat/omp/icv/env.def); do
  named "$variable" blitz-omp.7 compat/omp/icv/env.def
done
for file in compat/acc/*.c compat/ompt/*.c compat/tools/*/*.c; do
  for variable in $(sed -n 's/.*bz_os_getenv("\([A-Z_]*\)").*/\1/p; s/^#define VARIABLE "\([A-Z_]*\)"$/\1/p' "$file" \
    2>/dev/null); do
    named "$variable" blitz-omp.7 "$file"
  done
done
for option in $(sed -n 's/.*{"\([a-z]*\)", [a-z]*_argument, .*/\1/p' compat/run/options.c 2>/dev/null); do
  grep -qF "\-\-$option" cmake/man/blitz-run.1 || echo "compat/run/options.c:1: --$option is not in cmake/man/blitz-run.1"
  grep -qF -e "--$option" compat/run/completion.bash ||
    echo "compat/run/options.c:1: --$option is not in compat/run/completion.bash"
done
version=$(sed -n 's/^#define BLITZ_VERSION_[A-Z]* \([0-9]*\)/\1/p' include/blitz.h | paste -sd .)
for page in cmake/man/*.[17]; do
  grep -q "^\.TH .*\"Blitz $version\"" "$page" || echo "$page:1: is not about version $version"
  if command -v groff > /dev/null; then
    groff -man -ww -z -Tutf8 "$page" 2>&1 | sed "s|^|$page: |"
  else
    echo "groff not found: install groff-base"
  fi
  command -v mandoc > /dev/null && mandoc -T lint -W warning "$page"
done
