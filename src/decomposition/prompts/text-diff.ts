import { diff } from 'node:util';

export type DiffLine = { readonly kind: 'same' | 'added' | 'removed'; readonly text: string };

export type PromptDiff = {
  readonly before: string;
  readonly after: string;
  readonly added: number;
  readonly removed: number;
  readonly lines: readonly DiffLine[];
};

export function diffLines(from: string, to: string): DiffLine[] {
  const [before, after] = [linesOf(from), linesOf(to)];
  // Equal texts have no differences.
  if (before.join('\n') === after.join('\n')) return before.map((text) => ({ kind: 'same', text }));
  return removedFirst(
    diff(before, after).map(([operation, text]) => ({
      kind: operation === 1 ? 'removed' : operation === -1 ? 'added' : 'same',
      text,
    })),
  );
}

/** Within one change, removed lines come before added ones. */
function removedFirst(lines: readonly DiffLine[]): DiffLine[] {
  const result: DiffLine[] = [];
  let added: DiffLine[] = [];
  for (const line of lines) {
    if (line.kind === 'added') added.push(line);
    else if (line.kind === 'removed') result.push(line);
    else {
      result.push(...added, line);
      added = [];
    }
  }
  return [...result, ...added];
}

function linesOf(text: string): string[] {
  return text.replace(/\r?\n$/, '').split(/\r?\n/);
}

const CONTEXT = 3;
const SIGNS = { same: ' ', added: '+', removed: '-' } as const;

/** In the format of `diff -u`: changed lines with three lines of context. */
export function unified(lines: readonly DiffLine[], from: string, to: string): string {
  const near = lines.map((_, i) => lines.slice(Math.max(0, i - CONTEXT), i + CONTEXT + 1).some(isChange));
  const out = [`--- ${from}`, `+++ ${to}`];
  let [before, after] = [0, 0];
  for (const [i, { kind, text }] of lines.entries()) {
    if (near[i] && !near[i - 1]) {
      const end = near.indexOf(false, i);
      const hunk = lines.slice(i, end === -1 ? lines.length : end);
      out.push(`@@ -${rangeOf(before, hunk, 'added')} +${rangeOf(after, hunk, 'removed')} @@`);
    }
    if (near[i]) out.push(`${SIGNS[kind]}${text}`);
    if (kind !== 'added') before++;
    if (kind !== 'removed') after++;
  }
  return `${out.join('\n')}\n`;
}

/** `3,7`: first line and count. A single line has no count; an empty range names the line before. */
function rangeOf(done: number, hunk: readonly DiffLine[], without: DiffLine['kind']): string {
  const count = hunk.filter(({ kind }) => kind !== without).length;
  if (count === 0) return `${done},0`;
  return count === 1 ? String(done + 1) : `${done + 1},${count}`;
}

function isChange({ kind }: DiffLine): boolean {
  return kind !== 'same';
}
