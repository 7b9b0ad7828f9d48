/**
 * Review comments by people and bots on a change: comments with a place are findings, the rest is read as a written
 * review.
 */

import type { Severity } from '../truth.ts';
import type { RawValue } from './fields.ts';
import type { ImportedRuns, ImportOptions } from './formats/importer.ts';
import { importedRun, type StatedNames, titled } from './imported-run.ts';
import { type Mapper, mapperFor, type SeverityTable, type ValueMaps } from './mapping.ts';
import { type Mark, marksOf, readReviewText, type TextFinding } from './review-text.ts';
import type { FindingDraft } from './run-schema.ts';

export type Remark = {
  readonly author: string | undefined;
  readonly body: string;
  /** Absent for a comment on the whole change. */
  readonly file?: string;
  readonly lines?: [number, number];
};

/** Counts the parts of a discussion that are not findings. */
export class LeftOut {
  readonly #counts = new Map<string, number>();
  readonly #system: string;

  /** `system`: the label for automatic notes. */
  constructor(system = '') {
    this.#system = system;
  }

  add(what: 'system' | keyof typeof LEFT_OUT, n = 1): void {
    if (n > 0) this.#counts.set(what, (this.#counts.get(what) ?? 0) + n);
  }

  notes(): string[] {
    return Object.entries({ system: this.#system, ...LEFT_OUT }).flatMap(([what, said]) =>
      this.#counts.has(what) ? [`${said}: ${this.#counts.get(what)}`] : [],
    );
  }
}

const LEFT_OUT = {
  replies: 'replies in a thread, no findings',
  empty: 'remarks without a text, no findings',
  old: 'remarks on lines that the change removes, taken without their lines',
};

const NOBODY = 'unknown author';

/** One run per author. If an option or the file name gives the workflow, all remarks belong to that workflow. */
export function runsOfRemarks(
  source: RawValue,
  remarks: readonly Remark[],
  said: Omit<StatedNames, 'workflow'>,
  notes: readonly string[],
  options: ImportOptions,
): ImportedRuns {
  const authors = Map.groupBy(remarks, ({ author }) => author ?? NOBODY);
  const named = options.workflow !== undefined || /^[^/\\]+--[^/\\]+--[^/\\]+$/.test(fileName(source.path));
  if (named || authors.size <= 1) {
    const [only] = authors.keys();
    const who = [...authors].map(([author, { length }]) => `${author} (${length})`).join(', ');
    return runOfRemarks(
      source,
      remarks,
      { ...said, workflow: only },
      [...notes, ...(authors.size > 1 ? [`remarks of ${who} are taken as one workflow`] : [])],
      options,
    );
  }
  const parts = [...authors].map(([author, theirs]) =>
    runOfRemarks(source, theirs, { ...said, workflow: author }, [], options),
  );
  return {
    runs: parts.flatMap(({ runs }) => runs),
    mappings: parts.flatMap(({ mappings }) => mappings),
    notes: [...new Set([...notes, ...parts.flatMap((part) => part.notes)])],
  };
}

function fileName(path: string): string {
  return path.replace(/^.*[/\\]/, '').replace(/\.\w+$/, '');
}

function runOfRemarks(
  source: RawValue,
  remarks: readonly Remark[],
  said: StatedNames,
  notes: readonly string[],
  options: ImportOptions,
): ImportedRuns {
  const mapper = mapperFor(source, WRITTEN_SEVERITIES, options.maps);
  let general = 0;
  const findings = remarks.flatMap(({ body, file, lines }, index): Draft[] => {
    if (file === undefined) {
      const { findings: within } = readReviewText(body);
      if (within.length === 0) general += 1;
      return drafts(within, mapper, options.maps);
    }
    const { badges, rest } = badgesOf(body);
    const [first = ''] = rest.split('\n', 1);
    const said = marked([...badges, ...marksOf(first).marks], mapper, options.maps ?? {}, index);
    return [{ ...titled(rest), ...said, file, lines }];
  });
  const about = said.workflow === undefined ? '' : ` by ${said.workflow}`;
  const placeless = general > 0 ? [`remarks${about} that name no place, no findings: ${general}`] : [];
  return importedRun(source, said, findings, mapper, [...notes, ...placeless], options);
}

/** Effort estimates are not categories. */
const EFFORTS = new Set([
  'quick win',
  'heavy lift',
  'low value',
  'nitpick',
  'potential issue',
  'refactor suggestion',
]);

/** `_Functional Correctness_ | _🟠 Major_`, the first line of CodeRabbit comments, and the text after it. */
function badgesOf(body: string): { readonly badges: readonly Mark[]; readonly rest: string } {
  const whole = body.trim();
  const [first = '', ...others] = whole.split('\n');
  const parts = first
    .trim()
    .split('|')
    .map((part) => part.trim());
  const words = parts.map((part) =>
    /^_([^_]{1,80})_$/
      .exec(part)?.[1]
      ?.replace(/[^\p{L}\p{N} &-]/gu, '')
      .trim(),
  );
  const text = others.join('\n').trim();
  if (text === '' || words.some((word) => !word)) return { badges: [], rest: whole };
  const badges = words.flatMap((word = '') =>
    EFFORTS.has(word.toLowerCase()) ? [] : [{ word, bracketed: true }],
  );
  return { badges, rest: withoutDetails(text).replace(/^\*\*([^*\n]{1,300})\*\*/, '$1') || text };
}

/** Removes the collapsed section before the text, which only explains the analysis. */
function withoutDetails(text: string): string {
  let rest = text;
  while (rest.startsWith('<details>') && rest.includes('</details>'))
    rest = rest.slice(rest.indexOf('</details>') + '</details>'.length).trim();
  return rest;
}

/** Severity words in written reviews. Any other word is text. */
export const WRITTEN_SEVERITIES: SeverityTable = {
  format: 'reviews in words',
  values: new Map<string, Severity | undefined>([
    ['critical', 'CRITICAL'],
    ['blocker', 'CRITICAL'],
    ['important', 'IMPORTANT'],
    ['major', 'IMPORTANT'],
    ['high', 'IMPORTANT'],
    ['medium', 'IMPORTANT'],
    ['warning', 'IMPORTANT'],
    ['minor', 'MINOR'],
    ['trivial', 'MINOR'],
    ['low', 'MINOR'],
    ['nit', 'MINOR'],
    ['suggestion', 'MINOR'],
    ['info', 'MINOR'],
  ]),
};

export type Draft = Omit<FindingDraft, 'id'>;

export function drafts(findings: readonly TextFinding[], mapper: Mapper, maps: ValueMaps = {}): Draft[] {
  return findings.map(({ text, file, lines, quote, marks }, index) => ({
    ...titled(text),
    ...marked(marks, mapper, maps, index),
    file,
    lines,
    quote,
  }));
}

/** Reads the words before a text: the first known severity, and the first bracketed word that is not a severity. */
function marked(
  marks: readonly Mark[],
  mapper: Mapper,
  maps: ValueMaps,
  index: number,
): Pick<Draft, 'severity' | 'category'> {
  const isSeverity = (word: string) =>
    WRITTEN_SEVERITIES.values.has(word.toLowerCase()) || maps.severity?.has(word.toLowerCase()) === true;
  const word = marks.find((mark) => isSeverity(mark.word))?.word.toLowerCase();
  const severity = word === undefined ? undefined : mapper.severity(word, ['findings', index]);
  const category = marks.find((mark) => mark.bracketed && !isSeverity(mark.word))?.word;
  return { severity, category: category === undefined ? undefined : mapper.category(category) };
}
