/**
 * The person's own words of a message: without code, quotations, pasted logs, diffs and notices of the program, whose
 * words ("wrong", "failed", "undo") are somebody else's.
 */
const MAX_LOOK = 4_000;
const MAX_WORDS = 1_500;

const NOT_OWN_LINE =
  /^\s*(?:>|\||[+-]{3} |@@ |\$ |#+ |❯|at \S+ ?\(|\d{4}[-/]\d\d[-/]\d\d[T ]|\[?\d\d:\d\d:\d\d|\[(?:info|warn|error|debug)|(?:info|warn|warning|error|debug|fatal|traceback|exception|panic|exit code)\b.{0,3}[:(\]]|File "|[\w./-]+:\d+:\d+|\S+(?:Error|Exception):)/i;

export function ownWords(text: string): string {
  const head = text.length > MAX_LOOK ? text.slice(0, MAX_LOOK) : text;
  const start = head.trimStart();
  if (start.startsWith('<') || start.startsWith('[') || start.startsWith('{')) return '';
  const bare = head
    .replace(/```[\s\S]*?(?:```|$)/g, ' ')
    .replace(/`[^`\n]{0,200}`/g, ' x ')
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/[\u201c\u201d\u201e\u00ab\u00bb]/g, '"')
    .replace(/"[^"\n]{4,400}"/g, ' x ');
  const own = bare
    .split('\n')
    .filter((line) => !NOT_OWN_LINE.test(line))
    .join('\n')
    .trim();
  return own.length > MAX_WORDS ? own.slice(0, MAX_WORDS) : own;
}
