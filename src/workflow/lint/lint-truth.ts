import { minimumDetectableEffect, neededN } from '../../stats/power.ts';
import type { ReviewedDocument } from '../match/document.ts';
import { pathParts } from '../match/place.ts';
import type { GroundTruth, KnownError } from '../truth.ts';
import { few, type LintFinding } from './lint-finding.ts';
import { lintPlaces } from './lint-places.ts';

export type TruthLintOptions = {
  /** The reviewed documents, laid out; without them quotes and lines are not looked up. */
  readonly documents?: readonly ReviewedDocument[];
  /** Fewer errors than this are a warning. Without it a small ground truth is only noted. */
  readonly minErrors?: number;
};

export function lintTruth(truth: GroundTruth, file: string, options: TruthLintOptions = {}): LintFinding[] {
  const { documents } = options;
  const items = [...truth.errors, ...truth.traps];
  return [
    ...draftNote(truth, file),
    ...unplaced(truth, file),
    ...overlaps(truth.errors, file),
    ...(documents === undefined ? [] : items.flatMap((item) => lintPlaces(item.id, file, item, documents))),
    ...composition(truth, file),
    ...size(truth.errors.length, file, options.minErrors),
  ];
}

function draftNote({ draft }: GroundTruth, file: string): LintFinding[] {
  if (!draft) return [];
  const message = 'is a draft that nobody has corrected; no gate passes on it';
  return [{ level: 'note', rule: 'draft', file, place: 'draft', message }];
}

function unplaced({ errors, traps }: GroundTruth, file: string): LintFinding[] {
  return [...errors, ...traps]
    .filter(({ locations, quote }) => locations.length === 0 && quote === undefined)
    .map(({ id }) => ({
      level: 'warning',
      rule: 'no-place',
      file,
      place: id,
      message: 'has no location and no quote, so only a label can say that a finding reports it',
    }));
}

type Range = { readonly id: string; readonly from: number; readonly to: number };

/** Of two errors at the same lines a finding could mean either. Each range is held against the widest one before it. */
function overlaps(errors: readonly KnownError[], file: string): LintFinding[] {
  const ranges = Map.groupBy(
    errors.flatMap(({ id, locations }) =>
      locations.flatMap(({ file: document, lines }) =>
        lines === undefined
          ? []
          : [{ id, from: lines[0], to: lines[1], document: pathParts(document ?? '').join('/') }],
      ),
    ),
    ({ document }) => document,
  );
  return [...ranges].flatMap(([document, list]) => {
    const sorted: Range[] = list.toSorted((a, b) => a.from - b.from || a.to - b.to);
    let widest = sorted[0];
    return sorted.slice(1).flatMap((range): LintFinding[] => {
      const before = widest;
      if (before === undefined || range.to > before.to) widest = range;
      if (before === undefined || before.to < range.from || before.id === range.id) return [];
      const to = Math.min(range.to, before.to);
      const lines = to === range.from ? `line ${to}` : `lines ${range.from}–${to}`;
      const where = document === '' ? lines : `${document} ${lines}`;
      const message = `shares ${where} with ${before.id}; a finding there could mean either`;
      return [{ level: 'warning', rule: 'overlap', file, place: range.id, message }];
    });
  });
}

function composition({ categories, errors }: GroundTruth, file: string): LintFinding[] {
  const used = new Set(errors.map(({ category }) => category));
  const empty = categories.filter((category) => !used.has(category));
  const note = (rule: string, place: string, message: string): LintFinding => ({
    level: 'note',
    rule,
    file,
    place,
    message,
  });
  if (errors.length === 0) return [note('no-errors', 'errors', 'is empty: detection cannot be measured')];
  return [
    ...(empty.length > 0
      ? [note('empty-category', 'categories', `no error is ${few(empty)}: blindness there cannot be seen`)]
      : []),
    ...(errors.some(({ severity }) => severity === 'CRITICAL')
      ? []
      : [
          note(
            'no-critical',
            'errors',
            'no error is CRITICAL: the detection rate of critical errors cannot be measured',
          ),
        ]),
  ];
}

/** Spread of a paired difference per error, and the difference worth seeing, for which the needed number is told. */
const [SD, DIFFERENCE] = [0.4, 0.2];

function size(n: number, file: string, minErrors: number | undefined): LintFinding[] {
  const needed = minErrors ?? neededN(SD, DIFFERENCE) ?? 0;
  if (n >= needed || n === 0) return [];
  const effect = minimumDetectableEffect(SD, n);
  const seen =
    effect === undefined
      ? 'one error shows no difference'
      : `a difference under ${Math.round(effect * 100)} points is missed more often than one time in five`;
  return [
    {
      level: minErrors === undefined ? 'note' : 'warning',
      rule: 'few-errors',
      file,
      place: 'errors',
      message: `${n} of ${needed} errors: ${seen} (SD ${SD} per error)`,
    },
  ];
}
