/** Matches one run of a review to the ground truth: which errors it found, and the class of each finding. */
import { createHash } from 'node:crypto';
import { AssayError } from '../../errors.ts';
import { assignment } from '../../stats/assignment.ts';
import { resolveLabels } from '../agreement.ts';
import type { ErrorOutcome, FindingClass, FindingOutcome, MatchEdge, RunEvidence } from '../evidence.ts';
import { splitLabels } from '../own-labels.ts';
import { DEPTHS, type Depth, type Finding, type FindingLabel, type ReviewRun } from '../review.ts';
import type { GroundTruth } from '../truth.ts';
import { FULL_VALUE, isElsewhere, type MatchCandidate, searchFor } from './candidates.ts';
import { chanceLevel } from './chance.ts';
import { documentsOf, layOut, normaliseText, type ReviewedDocument } from './document.ts';
import { LINE_TOLERANCE, pathParts, sectionOf, splitLines } from './place.ts';

/**
 * Increased whenever the same truth and run would match differently. The suffix for documents marks that quotes were
 * checked.
 */
export const MATCHER_VERSION = 'workflow-4';

export type ExamineOptions = {
  /** The reviewed documents, path → text, in which quotes are looked up. */
  readonly documents?: ReadonlyMap<string, string>;
  /** How many lines a finding may be away from an error and still match partly; 3 by default. */
  readonly lineTolerance?: number;
};

export function examineRun(
  truth: GroundTruth,
  run: ReviewRun,
  { documents, lineTolerance = LINE_TOLERANCE }: ExamineOptions = {},
): RunEvidence {
  const options = {
    documents: documents && layOut(documents),
    lineTolerance,
    byFile: truth.identify === 'file',
    categories: new Set(truth.categories.map((name) => name.toUpperCase())),
  };
  const searchErrors = searchFor(truth.errors, options);
  const searchTraps = searchFor(truth.traps, options);
  const places = new Map(truth.errors.map(({ id }, index) => [id, index]));
  const examined = run.findings.map((given) => {
    const { own: ownLabels, others } = splitLabels(given.labels, run);
    const finding = { ...given, labels: others };
    const { candidates, quoteMissing } = searchErrors(finding);
    const opinion = opinionOn(finding, candidates, places, run);
    const trap = trapOf(truth, searchTraps(finding).candidates, candidates);
    const labelled = opinion.decided?.error === undefined ? undefined : places.get(opinion.decided.error);
    const error = labelled === undefined ? undefined : truth.errors[labelled];
    const elsewhere = error !== undefined && isElsewhere(finding, error, lineTolerance);
    return { finding, ownLabels, candidates, quoteMissing, trap, elsewhere, ...opinion };
  });
  const first = twinsOf(examined.map(({ finding }) => finding));
  const credited = credit(
    examined.map((one, index) => (first[index] === index && mayBeCredited(one) ? one.standing : [])),
    truth.errors.length,
  );
  const classes = examined.map((one, index) => classOf(one, strengthOf(one, credited.get(index))));
  // A duplicate finding gets the class of the first one, or DUPLICATE if that one is credited.
  const classAt = (index: number): FindingClass => {
    const own = classes[first[index] as number] as FindingClass;
    return first[index] !== index && credited.has(first[index] as number) ? 'DUPLICATE' : own;
  };
  const idOf = (error: number) => truth.errors[error]?.id as string;
  return {
    workflow: run.workflow,
    task: run.task,
    run: run.run,
    model: run.model,
    agentTokens: run.agentTokens,
    workflowTokens: run.workflowTokens,
    costUsd: run.costUsd,
    durationMs: run.durationMs,
    truthHash: truth.hash,
    matcherVersion: [
      MATCHER_VERSION,
      ...(documents === undefined ? [] : ['documents']),
      ...(lineTolerance === LINE_TOLERANCE ? [] : [`lines.${lineTolerance}`]),
    ].join('+'),
    evaluators: [...new Set(examined.flatMap(({ finding }) => finding.labels.map(({ by }) => by)))].sort(),
    categories: truth.categories,
    concerns: run.concerns,
    chance: chanceLevel(truth, run.findings, options),
    errors: errorOutcomes(truth, examined, credited, options.documents),
    findings: examined.map((one, index) =>
      findingOutcome(one, classAt(index), aboutWhich(one, credited.get(first[index] as number), idOf)),
    ),
    ...edgesOf(examined, credited, idOf),
  };
}

/**
 * Thousands of findings may each fit thousands of errors. Credit considers every pair. Above this limit, a result
 * stores only the best pairs of each finding and the credited one.
 */
const [MOST_PAIRS, BEST_PAIRS] = [100_000, 10];

function edgesOf(
  examined: readonly Examined[],
  credited: ReadonlyMap<number, number>,
  idOf: (error: number) => string,
): Pick<RunEvidence, 'edges' | 'pairs'> {
  const pairs = examined.reduce((sum, { edges }) => sum + edges.length, 0);
  const tooMany = pairs > MOST_PAIRS;
  const edges = examined.flatMap(({ finding, edges: all }, index) =>
    all
      .filter(({ target }, place) => !tooMany || place < BEST_PAIRS || credited.get(index) === target)
      .map(
        ({ target, strength, criteria }): MatchEdge => ({
          finding: finding.id,
          error: idOf(target),
          strength,
          criteria,
          chosen: credited.get(index) === target,
        }),
      ),
  );
  return { edges, ...(tooMany && { pairs }) };
}

/** Index of the first unlabelled finding with the same text and place; the finding's own index if there is none. */
function twinsOf(findings: readonly Finding[]): readonly number[] {
  const seen = new Map<string, number>();
  return findings.map(({ id: _id, labels, title, description, ...rest }, index) => {
    if (labels.length > 0) return index;
    const words = [title, description ?? ''].map(normaliseText);
    const { file, section, lines, quote, category } = rest;
    const key = JSON.stringify([words, file, section, lines, quote, category]);
    const first = seen.get(key) ?? index;
    seen.set(key, first);
    return first;
  });
}

/** A finding that matches a trap earns no credit unless a label decides otherwise. */
function mayBeCredited({ trap, decided }: Examined): boolean {
  return trap === undefined || decided !== undefined;
}

function strengthOf({ standing }: Examined, credited: number | undefined): 'Y' | 'P' | undefined {
  return standing.find(({ target }) => target === credited)?.strength;
}

type Opinion = {
  /** The deciding label. */
  readonly decided: FindingLabel | undefined;
  readonly disputed: boolean;
  /** Every pair from criteria or from the deciding label. */
  readonly edges: readonly MatchCandidate[];
  /** The pairs that may be credited: those of the label, if there is one. */
  readonly standing: readonly MatchCandidate[];
};

type Examined = Opinion & {
  /** Contains only the labels that count. */
  readonly finding: Finding;
  readonly ownLabels: readonly FindingLabel[];
  readonly candidates: readonly MatchCandidate[];
  readonly quoteMissing: boolean;
  readonly trap: Bait | undefined;
  /** The deciding label names an error at a different place. */
  readonly elsewhere: boolean;
};

/** A label overrides place and lines; if they contradict each other, the finding is marked. */
const LABEL_VALUE = 100;

function opinionOn(
  finding: Finding,
  candidates: readonly MatchCandidate[],
  places: ReadonlyMap<string, number>,
  run: ReviewRun,
): Opinion {
  const { decision: decided, disputed } = resolveLabels(finding.labels);
  for (const { error, by } of finding.labels) {
    if (error !== undefined && !places.has(error)) throw unknownError(run, finding, by, error);
  }
  if (decided === undefined)
    return { decided, disputed, edges: candidates, standing: disputed ? [] : candidates };
  if (decided.match !== 'Y' && decided.match !== 'P')
    return { decided, disputed, edges: candidates, standing: [] };
  const target = decided.error === undefined ? candidates[0]?.target : (places.get(decided.error) as number);
  if (target === undefined) throw unknownError(run, finding, decided.by, undefined);
  const known = candidates.find((candidate) => candidate.target === target);
  const labelled: MatchCandidate = {
    target,
    strength: decided.match,
    criteria: [...(known?.criteria ?? []), 'label'],
    value: LABEL_VALUE + (decided.match === 'Y' ? FULL_VALUE : 0) + ((known?.value ?? 0) % FULL_VALUE),
  };
  return {
    decided,
    disputed,
    edges: [labelled, ...candidates.filter((candidate) => candidate !== known)],
    standing: [labelled],
  };
}

function unknownError(run: ReviewRun, finding: Finding, by: string, error: string | undefined): AssayError {
  const what =
    error === undefined
      ? 'does not name the matched error'
      : `names the error "${error}", which the ground truth does not have`;
  const where = run.path ?? `run ${run.run} of ${run.workflow}`;
  return new AssayError('INPUT_INVALID', `${where}: the label by ${by} on finding ${finding.id} ${what}`, {
    remedy: 'Give the id of an error of the ground truth that the run is scored against.',
  });
}

/** A matching trap; not `certain` if an error fits as well, because criteria alone cannot decide then. */
type Bait = { readonly id: string; readonly certain: boolean };

function trapOf(
  truth: GroundTruth,
  traps: readonly MatchCandidate[],
  errors: readonly MatchCandidate[],
): Bait | undefined {
  const [trap, error] = [traps[0], errors[0]];
  const id = trap && truth.traps[trap.target]?.id;
  if (trap === undefined || id === undefined) return undefined;
  if (error === undefined || (trap.strength === 'Y' && error.strength === 'P')) return { id, certain: true };
  if (trap.strength === 'P') return error.strength === 'Y' ? undefined : { id, certain: false };
  return trap.value >= error.value ? { id, certain: true } : undefined;
}

function classOf(
  { decided, disputed, trap, standing }: Examined,
  credited: 'Y' | 'P' | undefined,
): FindingClass {
  if (credited !== undefined) return credited === 'Y' ? 'MATCHED' : 'PARTIAL';
  if (disputed) return 'UNRESOLVED';
  if (decided !== undefined && decided.match !== 'Y' && decided.match !== 'P') return decided.match;
  if (decided === undefined && trap !== undefined) return trap.certain ? 'FALSE' : 'UNRESOLVED';
  // The identified error is credited to another finding. A partial match alone proves nothing yet.
  return standing.some(({ strength }) => strength === 'Y') ? 'DUPLICATE' : 'UNRESOLVED';
}

/** The error that a finding is credited with, or a duplicate of. */
function aboutWhich(
  one: Examined,
  credited: number | undefined,
  idOf: (error: number) => string,
): string | undefined {
  if (credited !== undefined) return idOf(credited);
  if (one.decided?.match === 'DUPLICATE') return one.decided.error;
  const [first] = one.standing;
  return first === undefined ? undefined : idOf(first.target);
}

function findingOutcome(
  one: Examined,
  findingClass: FindingClass,
  about: string | undefined,
): FindingOutcome {
  const { finding, trap, decided } = one;
  const { id, title, concern, methods, labels } = finding;
  const judged = judgedDepth(labels);
  const depth = judged ?? finding.depth;
  const error = ['MATCHED', 'PARTIAL', 'DUPLICATE'].includes(findingClass) ? about : undefined;
  return {
    id,
    title,
    class: findingClass,
    error,
    concern,
    methods,
    depth,
    ...(depth !== undefined && judged === undefined && { ownDepth: true as const }),
    labels,
    ...(one.ownLabels.length > 0 && { ownLabels: one.ownLabels }),
    identity: error === undefined ? placeAndText(finding) : `error ${error}`,
    ...(trap !== undefined && decided === undefined && { trap: trap.id }),
    ...(one.quoteMissing && { quoteMissing: true as const }),
    ...(one.disputed && { disputed: true as const }),
    ...(isAgainstCriteria(one) && { againstCriteria: true as const }),
  };
}

/** The median of several labels, or the shallower of the two middle ones. */
function judgedDepth(labels: readonly FindingLabel[]): Depth | undefined {
  const depths = labels.flatMap(({ depth }) => (depth === undefined ? [] : [DEPTHS.indexOf(depth)]));
  const middle = depths.toSorted((a, b) => a - b)[Math.floor((depths.length - 1) / 2)];
  return middle === undefined ? undefined : DEPTHS[middle];
}

/** Evidence does not contain review texts; a hash is enough to recognise them. */
function placeAndText({ file, section, quote, title }: Finding): string {
  const text = normaliseText(quote ?? title).toLowerCase();
  const heading = section === undefined ? undefined : sectionOf(section);
  const place = [
    file === undefined
      ? ''
      : pathParts(splitLines(file).file)
          .join('/')
          .toLowerCase()
          .replace(/^[ab]\//, ''),
    heading?.number ?? '',
    heading?.title ?? '',
  ];
  return `text ${hashOf([place, text])}`;
}

function hashOf(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16);
}

function isAgainstCriteria({ decided, candidates, trap, standing, elsewhere }: Examined): boolean {
  if (decided === undefined) return false;
  const identified = candidates.some(({ strength }) => strength === 'Y');
  if (decided.match === 'FALSE' || decided.match === 'UNRESOLVED') return identified && !trap;
  if (decided.match === 'BONUS_VALID') return identified || trap?.certain === true;
  if (decided.match === 'DUPLICATE') return false;
  const said = candidates.find(({ target }) => target === standing[0]?.target);
  return (
    trap?.certain === true ||
    (said === undefined ? elsewhere || candidates.length > 0 : said.strength !== decided.match)
  );
}

function errorOutcomes(
  truth: GroundTruth,
  examined: readonly Examined[],
  credited: ReadonlyMap<number, number>,
  documents: readonly ReviewedDocument[] = [],
): ErrorOutcome[] {
  const finder = new Map([...credited].map(([finding, error]) => [error, examined[finding] as Examined]));
  const texts = new Map(documents.map(({ text }) => [text, text === '' ? undefined : hashOf(text)]));
  return truth.errors.map(({ id, severity, category, description, locations, quote }, index) => {
    const found = finder.get(index);
    const document = locations.find(({ file }) => file !== undefined)?.file;
    return {
      id,
      severity,
      category,
      credit: found === undefined ? 0 : strengthOf(found, index) === 'Y' ? 1 : 0.5,
      ...(found !== undefined && { finding: found.finding.id }),
      document,
      likeness: {
        ...(locations.some(({ lines }) => lines !== undefined) && { place: hashOf(locations) }),
        words: hashOf([normaliseText(description).toLowerCase(), normaliseText(quote ?? '')]),
        ...(document !== undefined && { text: textOf(document, documents, texts) }),
      },
    };
  });
}

function textOf(
  path: string,
  documents: readonly ReviewedDocument[],
  texts: ReadonlyMap<string, string | undefined>,
): string | undefined {
  const [only, ...others] = documentsOf(documents, pathParts(splitLines(path).file));
  return only === undefined || others.length > 0 ? undefined : texts.get(only.text);
}

/** An error that a finding could be credited with. */
type Claim = { readonly target: number; readonly value: number };

/**
 * The best one-to-one assignment: as many pairs as possible, and among those the largest sum of values. Findings that
 * share no error, directly or indirectly, are solved separately, so that large runs stay fast. Returns finding → error.
 */
function credit(claims: readonly (readonly Claim[])[], errors: number): ReadonlyMap<number, number> {
  const credited = new Map<number, number>();
  for (const findings of partsOf(claims, errors)) {
    const columnOf = new Map<number, number>();
    for (const finding of findings) {
      for (const { target } of claims[finding] ?? [])
        if (!columnOf.has(target)) columnOf.set(target, columnOf.size);
    }
    const columns = [...columnOf.keys()];
    const values = new Float64Array(findings.length * columns.length).fill(-Infinity);
    findings.forEach((finding, row) => {
      for (const { target, value } of claims[finding] ?? [])
        values[row * columns.length + (columnOf.get(target) as number)] = value;
    });
    const { columnOfRow } = assignment(values, findings.length, columns.length, { maximise: true });
    columnOfRow.forEach((column, row) => {
      if (column >= 0) credited.set(findings[row] as number, columns[column] as number);
    });
  }
  return credited;
}

/** Connected groups of findings that share errors, by union–find over the errors with path halving. */
function partsOf(claims: readonly (readonly Claim[])[], errors: number): Iterable<readonly number[]> {
  const parent = Int32Array.from({ length: errors }, (_, error) => error);
  const up = (error: number) => parent[error] as number;
  const root = (error: number): number => {
    let top = error;
    for (; up(top) !== top; top = up(top)) parent[top] = up(up(top));
    return top;
  };
  for (const [first, ...others] of claims) {
    if (first === undefined) continue;
    for (const { target } of others) parent[root(target)] = root(first.target);
  }
  const claiming = claims.flatMap((own, finding) => (own.length > 0 ? [finding] : []));
  return Map.groupBy(claiming, (finding) => root(claims[finding]?.[0]?.target ?? 0)).values();
}
