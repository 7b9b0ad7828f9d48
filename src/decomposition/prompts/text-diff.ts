import { diff } from 'node:util';

export type DiffLine = { readonly kind: 'same' | 'added' | 'removed'; readonly text: string };

/** Two versions of a prompt beside each other. */
export type PromptDiff = {
  readonly before: string;
  readonly after: string;
  readonly added: number;
  readonly removed: number;
  readonly lines: readonly DiffLine[];
};

/** Line by line, from the first text to the second. */
export function diffLines(from: string, to: string): DiffLine[] {
  const [before, after] = [linesOf(from), linesOf(to)];
  // Equal texts give no entries at all.
  if (before.join('\n') === after.join('\n')) return before.map((text) => ({ kind: 'same', text }));
  return diff(before, after).map(([operation, text]) => ({
    kind: operation === 1 ? 'removed' : operation === -1 ? 'added' : 'same',
    text,
  }));
}

function linesOf(text: string): string[] {
  return text.replace(/\r?\n$/, '').split(/\r?\n/);
}

const CONTEXT = 3;
const SIGNS = { same: ' ', added: '+', removed: '-' } as const;

/** As `diff -u` writes it: changed lines with three lines around them. */
export function unified(lines: readonly DiffLine[], from: string, to: string): string {
  const near = lines.map((_, i) => lines.slice(Math.max(0, i - CONTEXT), i + CONTEXT + 1).some(isChange));
  const out = [`--- ${from}`, `+++ ${to}`];
  let [before, after] = [1, 1];
  for (const [i, { kind, text }] of lines.entries()) {
    if (near[i] && !near[i - 1]) out.push(`@@ -${before} +${after} @@`);
    if (near[i]) out.push(`${SIGNS[kind]}${text}`);
    if (kind !== 'added') before++;
    if (kind !== 'removed') after++;
  }
  return `${out.join('\n')}\n`;
}

function isChange({ kind }: DiffLine): boolean {
  return kind !== 'same';
}
