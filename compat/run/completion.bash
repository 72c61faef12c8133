# Completion of blitz-run for bash: its options and their values, then the program, then what completes the program.
_blitz_run() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} i
  local with_value=' -n --threads --places --bind --trace --report --watchdog --runs --attach --library --folder '
  COMPREPLY=()

  # Behind the first word that is neither an option nor the value of one, the program has the word.
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
      --) ((i++)); break ;;
      -*)
        if [[ $with_value == *" ${COMP_WORDS[i]} "* ]]; then
          ((i++))
          [[ ${COMP_WORDS[i]} != = ]] || ((i++))
        elif [[ ${COMP_WORDS[i + 1]} == = ]]; then
          ((i += 2))
        fi
        ;;
      *) break ;;
    esac
  done
  if ((i < COMP_CWORD)); then
    if declare -F _command_offset > /dev/null; then
      _command_offset "$i"
    else
      mapfile -t COMPREPLY < <(compgen -f -- "$cur")
    fi
    return
  fi

  [[ $prev != = ]] || prev=${COMP_WORDS[COMP_CWORD - 2]}
  [[ $cur != = ]] || cur=
  case $prev in
    --places) mapfile -t COMPREPLY < <(compgen -W 'threads cores sockets ll_caches numa_domains' -- "$cur") ;;
    --bind) mapfile -t COMPREPLY < <(compgen -W 'true false primary close spread' -- "$cur") ;;
    --trace | --report | --library | --stats) mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
    --attach) mapfile -t COMPREPLY < <(compgen -W "$(command ps -eo pid= 2> /dev/null)" -- "$cur") ;;
    --folder) mapfile -t COMPREPLY < <(compgen -d -- "$cur") ;;
    -n | --threads | --watchdog | --runs) ;;
    *)
      case $cur in
        -*)
          mapfile -t COMPREPLY < <(compgen -W '-n --threads --places --bind --stats --trace --report --watchdog
            --check --folder --compare --runs --attach --library --version --help' -- "$cur")
          ;;
        *) mapfile -t COMPREPLY < <(compgen -c -- "$cur"; compgen -f -- "$cur") ;;
      esac
      ;;
  esac
}
complete -o filenames -o bashdefault -F _blitz_run blitz-run
