import type { ChangedHooks } from '../../operations/hooks/change-hooks.ts';
import { plain } from '../../report/unsafe-text.ts';

/** Which lines of which files come and go. */
export function sayChanges({ files, next }: ChangedHooks, isTrial: boolean): string {
  if (files.length === 0) return 'Nothing to change.\n';
  const blocks = files.map(({ path, before, after }) => {
    const what = after === undefined ? 'removed' : before === undefined ? 'new' : 'changed';
    return [`${plain(path)} (${what})`, ...linesOf(before, after)].join('\n');
  });
  const end = [
    ...(isTrial ? ['Nothing was written.'] : []),
    ...(next === undefined ? [] : [`Then run: ${next}`]),
  ];
  return `${[...blocks, ...end].join('\n\n')}\n`;
}

function linesOf(before = '', after = ''): string[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const [gone, come] = [only(old, now), only(now, old)];
  return [...gone.map((line) => `  - ${plain(line)}`), ...come.map((line) => `  + ${plain(line)}`)];
}

/** A line counts as often as it is there. */
function only(lines: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0 && line.trim() !== '';
  });
}
