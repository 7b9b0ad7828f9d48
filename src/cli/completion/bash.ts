import { choicesOf, type WordsAfter } from './words-after.ts';

function branches(entries: readonly (readonly [string, readonly string[]])[]): string {
  return entries.map(([key, words]) => `    '${key}') words='${words.join(' ')}' ;;`).join('\n');
}

export function bashScript(after: WordsAfter): string {
  const starts = [...after.keys()].filter((start) => start !== '');
  return `# Completion of assay for bash: source <(assay completion bash)
_assay() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" start='' words='' next i
  for ((i = 1; i < COMP_CWORD; i++)); do
    next="\${start:+$start }\${COMP_WORDS[i]}"
    case "$next" in
    ${starts.map((start) => `'${start}'`).join('|')}) start="$next" ;;
    esac
  done
  case "$start $before" in
${branches(choicesOf(after))}
  esac
  [[ -z $words ]] && case "$start" in
${branches([...after].map(([start, words]) => [start, words.map(({ word }) => word)]))}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _assay assay
`;
}
