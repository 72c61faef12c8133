#!/bin/bash
# completion.sh FILE: what bash completes for blitz-run, without the package bash-completion.
. "${1:?usage: completion.sh FILE}" || exit 2
status=0
cd "$(mktemp -d)" || exit 2
trap 'rm -rf "$PWD"' EXIT
touch data.txt
mkdir data

# completes WANTED WORD...: whether the last word may become WANTED.
completes() {
  local wanted=$1 word
  shift
  COMP_WORDS=(blitz-run "$@")
  COMP_CWORD=$#
  COMPREPLY=()
  _blitz_run
  for word in "${COMPREPLY[@]}"; do
    [ "$word" != "$wanted" ] || return 0
  done
  return 1
}
offers() { completes "$@" || { echo "blitz-run ${*:2}: $1 is not among: ${COMPREPLY[*]}"; status=1; }; }
withholds() { ! completes "$@" || { echo "blitz-run ${*:2}: $1 is offered"; status=1; }; }

offers --stats --s
offers --compare --
offers cores --places c
offers ll_caches --places = l
offers spread --bind s
offers data.txt --trace d
offers data.txt --stats = d
offers data --check --folder d
offers ls l
offers ls -n 2 l
offers ls --trace = file l
offers data.txt ls d
offers data.txt -- ls d
withholds --stats ls --s
withholds --stats --check ls --s
withholds cores --trace c
exit $status
