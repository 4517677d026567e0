# bash completion for tapstile, tapstiled, tapstile-nfc, tapstile-net and tapstile-authority
# What can be completed is asked of the program itself: `--help` and `help COMMAND` know every command and option.

# Names in a help text: commands ("  status  How …") or options ("  --json  one …").
_tapstile_names() { sed -nE "s/^  ($1)( .*)?\$/\1/p" <<<"$2"; }

# What an option takes, as its help says: FILE, DIR, sign|agree; nothing for a flag.
_tapstile_takes() { sed -nE "s/^  $1 ([^ ]+)  .*/\1/p" <<<"$2"; }

_tapstile_values() {
    local kind=$1 word=$2
    case $kind in
        FILE* | PATH) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
        DIR | FOLDER) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$word") ;;
        *[a-z]*"|"*) mapfile -t COMPREPLY < <(compgen -W "${kind//|/ }" -- "$word") ;;
    esac
}

_tapstile() {
    local program=$1 word=$2 before=$3 help takes words="" command=${COMP_WORDS[1]}
    COMPREPLY=()
    help=$("$program" --help 2>/dev/null) || return 0
    if [[ $help == *"Usage: "*" COMMAND "* ]]; then
        if [ "$COMP_CWORD" -eq 1 ]; then
            words="$(_tapstile_names '[a-z][a-z-]*' "$help") help --help --version"
        elif [ "$command" = help ]; then
            words=$(_tapstile_names '[a-z][a-z-]*' "$help")
        fi
        if [ -n "$words" ]; then
            mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
            return 0
        fi
        help=$("$program" help "$command" 2>/dev/null) || return 0
    fi
    takes=
    [[ $before == --* ]] && takes=$(_tapstile_takes "$before" "$help")
    if [ -n "$takes" ]; then
        _tapstile_values "$takes" "$word"
    elif [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_tapstile_names '--[a-z-]+' "$help")" -- "$word")
    else
        case $command in
            clock) takes="confirm|reset-floor" ;;
            journal) [ "$COMP_CWORD" -ne 2 ] || takes="verify|checkpoint|ack|audit-key|export-evidence" ;;
            lane) case $COMP_CWORD in
                3) takes="hold-open|lock-down|free|close|release|normal|arm|disarm|toggle" ;;
                4) takes="in|out" ;;
            esac ;;
            passback) [ "$COMP_CWORD" -ne 2 ] || takes="show|reset" ;;
            simulate) [ "$COMP_CWORD" -ne 3 ] || takes="on|off" ;;
            serve) [ "$COMP_CWORD" -ne 2 ] || takes="init|operator|check" ;;
            list) takes="gates|issuers|people|tokens|enrolled|cards|revocations|memberships" ;;
            *) [[ $help =~ $'\n  '(FILE|PATH|DIR|FOLDER)'  ' ]] && takes=${BASH_REMATCH[1]} ;;
        esac
        _tapstile_values "$takes" "$word"
    fi
}

complete -F _tapstile tapstile tapstiled tapstile-nfc tapstile-net tapstile-authority
