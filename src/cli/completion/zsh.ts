import { choicesOf, quoted, type WordsAfter } from './words-after.ts';

export function zshScript(after: WordsAfter): string {
  const described = (words: readonly { readonly word: string; readonly doc: string }[]) =>
    words.map(({ word, doc }) => `      ${quoted(`${word.replaceAll(':', '\\:')}:${doc}`)}`).join('\n');
  return `#compdef assay
# Completion of assay for zsh: assay completion zsh > a folder of fpath, as _assay
_assay() {
  local start='' next before="\${words[CURRENT-1]}"
  local -a found
  integer i
  for ((i = 2; i < CURRENT; i++)); do
    next="\${start:+$start }\${words[i]}"
    case "$next" in
    ${[...after.keys()]
      .filter((start) => start !== '')
      .map((start) => `(${quoted(start)})`)
      .map((pattern) => `${pattern} start="$next" ;;`)
      .join('\n    ')}
    esac
  done
  case "$start $before" in
${choicesOf(after)
  .map(([key, choices]) => `    (${quoted(key)}) compadd -- ${choices.join(' ')}; return ;;`)
  .join('\n')}
  esac
  case "$start" in
${[...after].map(([start, words]) => `    (${quoted(start)}) found=(\n${described(words)}\n    ) ;;`).join('\n')}
  esac
  _describe -V 'assay' found || _files
}
if [[ $funcstack[1] == _assay ]]; then _assay "$@"; else compdef _assay assay; fi
`;
}
