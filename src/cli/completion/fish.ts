import { quoted, type WordsAfter } from './words-after.ts';

export function fishScript(after: WordsAfter): string {
  const lines = [...after].flatMap(([start, words]) =>
    words.map(({ word, doc, choices }) => {
      const at = `-n ${quoted(`__assay_at ${quoted(start, '"')}`)}`;
      if (!word.startsWith('--')) return `complete -c assay ${at} -f -a ${word} -d ${quoted(doc)}`;
      const values = choices.length === 0 ? '' : ` -x -a ${quoted(choices.join(' '))}`;
      return `complete -c assay ${at} -l ${word.slice(2)}${values} -d ${quoted(doc)}`;
    }),
  );
  const starts = [...after.keys()].filter((start) => start !== '').map((start) => quoted(start));
  return `# Completion of assay for fish
function __assay_at
  set -l start ''
  for word in (commandline -opc)[2..]
    set -l next (string trim -- "$start $word")
    contains -- $next ${starts.join(' ')}; and set start $next
  end
  test "$start" = "$argv[1]"
end
${lines.join('\n')}
`;
}
