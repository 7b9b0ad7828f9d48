import type { Severity } from '../truth.ts';
import { titled } from './imported-run.ts';
import type { Mapper, SeverityTable, ValueMaps } from './mapping.ts';
import type { Mark, TextFinding } from './review-text.ts';
import type { FindingDraft } from './run-schema.ts';

/** The words for severities in reviews that are written as text. A word that is not among them is text. */
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
    ...(lines !== undefined && { lines }),
    ...(quote !== undefined && { quote }),
  }));
}

/** What the words before a text say: the first known severity, and the first word in brackets that is none. */
export function marked(
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
  return {
    severity,
    ...(category !== undefined && { category: mapper.category(category, ['findings', index]) }),
  };
}
