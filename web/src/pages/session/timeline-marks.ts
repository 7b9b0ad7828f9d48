import { type Run, signalName, signalsOf } from './signals.ts';

export type Mark = {
  readonly line: number;
  readonly tone: 'bad' | 'good';
  readonly names: readonly string[];
};

/** Lines where signals were seen: against it where they cost something, for it where an outcome shows. */
export function marksOf(run: Run): readonly Mark[] {
  const marks = new Map<number, { tone: Mark['tone']; names: string[] }>();
  for (const signal of signalsOf(run)) {
    const tone = signal.cost > 0.001 ? 'bad' : 'good';
    if (tone === 'good' && signal.category !== 'outcome') continue;
    for (const line of signal.lines) {
      const mark = marks.get(line) ?? { tone, names: [] };
      mark.names.push(signalName(signal));
      // The biggest loss comes first; what speaks against it is never hidden by what speaks for it.
      marks.set(line, mark);
    }
  }
  return [...marks].map(([line, mark]) => ({ line, ...mark })).toSorted((a, b) => a.line - b.line);
}

type Label = { readonly at: number; readonly text: string };

/** Percents of the width that a letter takes, on a narrow card. */
const PER_LETTER = 1.35;

/** Labels of marks, as many as there is room for; equal neighbours are one with a count. */
export function placeLabels(wanted: readonly Label[]): readonly Label[] {
  const placed: (Label & { readonly half: number })[] = [];
  for (const [text, same] of Map.groupBy(wanted, ({ text }) => text)) {
    const named = same.length > 1 ? `${text} × ${same.length}` : text;
    const half = (named.length * PER_LETTER) / 2;
    const free = same.find(({ at }) => placed.every((other) => Math.abs(other.at - at) > half + other.half));
    if (free !== undefined) placed.push({ at: free.at, text: named, half });
  }
  return placed;
}
