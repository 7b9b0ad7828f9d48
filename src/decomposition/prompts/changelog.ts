/** Formats the measurements of a version for the CHANGELOG: whole percentages, differences in points. */
import type { CaseChange } from '../../judge/case-changes.ts';
import type { Change } from '../../judge/compare.ts';
import type { JudgedMetric } from '../../judge/verdict.ts';
import type { Measurement } from '../../measure/metric.ts';
import { PROMOTION_METRICS } from './promotion.ts';

/**
 * Edits `CHANGELOG.md` of the prompts as text. Each prompt has its own part (`# name`), newest version first, with the
 * three documented sections per entry. Text by users is preserved: only the metrics table is rewritten.
 */

export const CHANGELOG_FILE = 'CHANGELOG.md';
const NOT_MEASURED = 'not measured';

const NEW_FILE = '# Changelog of the prompts\n';

export type Version = { readonly stem: string; readonly version: string; readonly date: string };

export type ImpactRow = {
  readonly metric: string;
  readonly before: string;
  readonly after: string;
  readonly delta: string;
};

/** The table in the documented format. `before`: the version to compare with; absent for a first version. */
export type Impact = { readonly before?: string; readonly rows: readonly ImpactRow[] };

export function startEntry(
  text: string,
  version: Version,
  changes: readonly string[],
  impact: Impact,
): string {
  const lines = linesOf(text === '' ? NEW_FILE : text);
  const part = partOf(lines, version.stem);
  if (part === undefined)
    return join([...lines, '', `# ${version.stem}`, '', ...entryLines(version, changes, impact)]);
  const first = headingFrom(lines, part.from + 1, part.to, /^## /) ?? part.to;
  return join([...lines.slice(0, first), ...entryLines(version, changes, impact), '', ...lines.slice(first)]);
}

export function recordImpact(
  text: string,
  version: Version,
  impact: Impact,
  notes: readonly string[],
): string {
  const withEntry =
    entryOf(linesOf(text), version) === undefined ? startEntry(text, version, [], impact) : text;
  const measured = replaceSection(linesOf(withEntry), version, 'Metrics Impact', () =>
    impactLines(impact, version.version),
  );
  return join(addNotes(measured, version, notes));
}

export function noteOn(text: string, version: Omit<Version, 'date'>, notes: readonly string[]): string {
  const lines = linesOf(text);
  return entryOf(lines, version) === undefined ? text : join(addNotes(lines, version, notes));
}

function addNotes(
  lines: readonly string[],
  version: Omit<Version, 'date'>,
  notes: readonly string[],
): readonly string[] {
  return replaceSection(lines, version, 'Notes', (old) => [
    ...old.filter((line) => line.trim() !== '' && line.trim() !== `- ${NOT_MEASURED}`),
    ...notes.map(item),
  ]);
}

function entryLines({ version, date }: Version, changes: readonly string[], impact: Impact): string[] {
  return [
    `## ${version} (${date})`,
    '',
    '### Changes',
    ...(changes.length === 0 ? ['- not described'] : changes.map(item)),
    '',
    '### Metrics Impact',
    ...impactLines(impact, version),
    '',
    '### Notes',
    `- ${NOT_MEASURED}`,
  ];
}

function impactLines({ before, rows }: Impact, after: string): string[] {
  const dashes = (name: string) => '-'.repeat(name.length + 2);
  if (before === undefined) {
    return [
      `| Metric | ${after} |`,
      `|--------|${dashes(after)}|`,
      ...rows.map((row) => `| ${row.metric} | ${row.after} |`),
    ];
  }
  return [
    `| Metric | ${before} | ${after} | Delta |`,
    `|--------|${dashes(before)}|${dashes(after)}|-------|`,
    ...rows.map((row) => `| ${row.metric} | ${row.before} | ${row.after} | ${row.delta} |`),
  ];
}

/** Forces one line, because a line break would start another block. */
function item(text: string): string {
  return `- ${text.replace(/\s+/g, ' ').trim()}`;
}

type Range = { readonly from: number; readonly to: number };

function replaceSection(
  lines: readonly string[],
  version: Omit<Version, 'date'>,
  title: string,
  content: (old: readonly string[]) => readonly string[],
): readonly string[] {
  const entry = entryOf(lines, version);
  if (entry === undefined) return lines;
  const start = headingFrom(lines, entry.from + 1, entry.to, new RegExp(`^### ${title}\\s*$`));
  if (start === undefined) {
    const body = trimEnd(lines.slice(0, entry.to));
    return [...body, '', `### ${title}`, ...content([]), '', ...lines.slice(entry.to)];
  }
  const end = headingFrom(lines, start + 1, entry.to, /^###? /) ?? entry.to;
  const old = lines.slice(start + 1, end);
  return [
    ...lines.slice(0, start + 1),
    ...content(old),
    ...(end < lines.length ? [''] : []),
    ...lines.slice(end),
  ];
}

function partOf(lines: readonly string[], stem: string): Range | undefined {
  const from = headingFrom(lines, 0, lines.length, new RegExp(`^# ${stem}\\s*$`));
  if (from === undefined) return undefined;
  return { from, to: headingFrom(lines, from + 1, lines.length, /^# /) ?? lines.length };
}

function entryOf(lines: readonly string[], { stem, version }: Omit<Version, 'date'>): Range | undefined {
  const part = partOf(lines, stem);
  if (part === undefined) return undefined;
  const heading = new RegExp(`^## ${version.replaceAll('.', '\\.')}(\\s|$)`);
  const from = headingFrom(lines, part.from + 1, part.to, heading);
  if (from === undefined) return undefined;
  return { from, to: headingFrom(lines, from + 1, part.to, /^## /) ?? part.to };
}

/** The first matching heading in a range of lines, ignoring code blocks. */
function headingFrom(
  lines: readonly string[],
  from: number,
  to: number,
  heading: RegExp,
): number | undefined {
  let fenced = false;
  for (let i = from; i < to; i++) {
    const line = lines[i] ?? '';
    if (/^\s*(```|~~~)/.test(line)) fenced = !fenced;
    else if (!fenced && heading.test(line)) return i;
  }
  return undefined;
}

function linesOf(text: string): string[] {
  return trimEnd(text.split(/\r?\n/));
}

function trimEnd(lines: readonly string[]): string[] {
  return lines.slice(0, lines.findLastIndex((line) => line.trim() !== '') + 1);
}

function join(lines: readonly string[]): string {
  return `${trimEnd(lines).join('\n')}\n`;
}

const NAMES: Readonly<Record<string, string>> = {
  'decomposition/concept-recall': 'Recall',
  'decomposition/concept-precision': 'Precision',
  'decomposition/concept-f1': 'F1',
  'decomposition/relationship-accuracy': 'Relationship accuracy',
  'decomposition/provenance-coverage': 'Provenance',
  'decomposition/hallucination-rate': 'Hallucination',
  'decomposition/overall': 'Overall',
};

const OVERALL = 'decomposition/overall';

/** The documented metrics, and every other one that changed. */
export function impactRows(metrics: readonly JudgedMetric[]): ImpactRow[] {
  const moved = metrics.filter(
    ({ id, change }) =>
      !PROMOTION_METRICS.includes(id) &&
      change !== undefined &&
      !['unchanged', 'not comparable'].includes(change.size),
  );
  return [...PROMOTION_METRICS, ...moved.map(({ id }) => id)].flatMap((id) => {
    const metric = metrics.find((one) => one.id === id);
    if (metric === undefined) return [];
    const { measurement, change } = metric;
    return [
      {
        metric: NAMES[id] ?? metric.title,
        before: percentOf(change?.baseline),
        after: percentOf(measurement),
        delta: deltaOf(change?.baseline, measurement),
      },
    ];
  });
}

/** Placeholders before the first measurement. */
export function unmeasuredRows(): ImpactRow[] {
  return Object.values(NAMES).map((metric) => ({
    metric,
    before: NOT_MEASURED,
    after: NOT_MEASURED,
    delta: NOT_MEASURED,
  }));
}

function percentOf(measurement: Measurement | undefined): string {
  return measurement?.measured ? `${tenths(measurement.value)}%` : NOT_MEASURED;
}

function deltaOf(before: Measurement | undefined, after: Measurement): string {
  if (!before?.measured || !after.measured) return NOT_MEASURED;
  const points = tenths(after.value - before.value);
  return `${points > 0 ? '+' : ''}${points}%`;
}

/** 0.7412 → 74.1, 0.74 → 74; never −0. */
function tenths(share: number): number {
  return Number((share * 100).toFixed(1)) + 0;
}

const WORDS: Readonly<Partial<Record<Change['size'], string>>> = {
  'small regression': 'Slight regression on',
  regression: 'Regression on',
  lost: 'No value any more on',
};

/** An improvement of more than this many points is called significant. */
const SIGNIFICANT_POINTS = 5;

export function caseNotes(changes: readonly CaseChange[]): string[] {
  const moved = changes.flatMap(({ id, changes: ofCase }) => {
    const change = ofCase[OVERALL];
    return change === undefined || change.size === 'unchanged' || change.size === 'not comparable'
      ? []
      : [{ id, change }];
  });
  return moved
    .toSorted((a, b) => (a.change.points ?? -100) - (b.change.points ?? -100))
    .map(({ id, change: { size, points } }) => {
      const by = points === undefined ? '' : ` (${points > 0 ? '+' : ''}${Number(points.toFixed(1))} points)`;
      const better = (points ?? 0) > SIGNIFICANT_POINTS ? 'Significant improvement on' : 'Improvement on';
      const investigate = size === 'improved' ? '' : ', investigate';
      return `${WORDS[size] ?? better} ${id}.gold.json${by}${investigate}`;
    });
}
