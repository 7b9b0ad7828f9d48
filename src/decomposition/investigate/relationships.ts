/** Section 6.3: relationships that are wrong or missing, and which predicate was taken for which. */
import { type Edge, type ExtractedRelationship, isWithin } from '../evidence.ts';
import { PREDICATES } from '../golden-rules.ts';
import type { GoldenCase } from '../ingest/golden-case.ts';
import { resolveEnds } from '../match/match-relationships.ts';
import { nameOwner, prepareCase } from '../match/prepare-case.ts';
import type { Context, InvestigatedTrial } from './findings.ts';

/** Each wrong relationship is exactly one of these; the first that fits. */
export const WRONG_KINDS = [
  'forbidden',
  'end not matched',
  'not readable',
  'reversed',
  'wrong predicate',
  'reversed and wrong predicate',
  'pair not expected',
] as const;

type WrongKind = (typeof WRONG_KINDS)[number];

type WrongRelationship = Edge & {
  readonly kind: WrongKind;
  readonly count: number;
  readonly runs: number;
  readonly expected?: string;
  readonly unmatched?: readonly string[];
};

/** Why an expected relationship was missed; the first that fits. */
export const MISSED_RELATIONSHIP_KINDS = [
  'end missed',
  'reversed',
  'wrong predicate',
  'pair not extracted',
] as const;

type MissedRelationshipKind = (typeof MISSED_RELATIONSHIP_KINDS)[number];

type MissedRelationship = Edge & {
  readonly required: boolean;
  readonly kind: MissedRelationshipKind;
  readonly runs: number;
  readonly evidence?: string;
};

const NOT_EXTRACTED = 'not extracted';

/** `expected` predicate × `extracted` one, for pairs that the golden case has: how often. */
export type Confusion = { readonly expected: string; readonly extracted: string; readonly count: number };

export type RelationshipFindings = {
  readonly wrong: readonly WrongRelationship[];
  readonly missed: readonly MissedRelationship[];
  readonly confusion: readonly Confusion[];
};

type Judged = {
  readonly kind: WrongKind | 'correct';
  readonly expected?: string;
  readonly unmatched?: string[];
};

export function relationshipFindings(context: Context): RelationshipFindings {
  const pairs = expectedPairs(context.golden);
  const confusion = new Map<string, Confusion>();
  const confuse = (expected: string, extracted: string) => {
    const key = `${expected} ${extracted}`;
    confusion.set(key, { expected, extracted, count: (confusion.get(key)?.count ?? 0) + 1 });
  };
  const wrong = new Map<
    string,
    { edge: Omit<WrongRelationship, 'count' | 'runs'>; count: number; runs: Set<number> }
  >();
  const missed: MissedIn[] = context.golden.expectedRelationships.map(() => new Map());
  for (const [number, run] of context.runs.entries()) {
    const endOf = endsOf(run, context);
    for (const edge of run.trial.relationships) {
      // Accuracy counts it once, so it is wrong once.
      if (edge.duplicate) continue;
      const judged = judgeEdge(edge, endOf(edge.source), endOf(edge.target), pairs);
      if (judged.expected !== undefined && judged.kind !== 'reversed') {
        confuse(judged.expected, edge.predicate);
      }
      if (judged.kind !== 'correct') addWrong(wrong, edge, judged as Judged & { kind: WrongKind }, number);
    }
    for (const [i, kind] of missedIn(run, endOf, pairs).entries()) {
      if (kind === undefined) continue;
      missed[i]?.set(kind, (missed[i]?.get(kind) ?? 0) + 1);
      const { predicate } = context.golden.expectedRelationships[i] as Edge;
      if (kind === 'end missed' || kind === 'pair not extracted') confuse(predicate, NOT_EXTRACTED);
    }
  }
  return {
    wrong: [...wrong.values()]
      .map(({ edge, count, runs }) => ({ ...edge, count, runs: runs.size }))
      .sort((a, b) => WRONG_KINDS.indexOf(a.kind) - WRONG_KINDS.indexOf(b.kind) || b.count - a.count),
    missed: missedRelationships(context.golden, missed),
    confusion: [...confusion.values()].sort((a, b) => b.count - a.count),
  };
}

type End =
  | { readonly expected: string }
  /** It is a canary, or a concept that was not expected. */
  | { readonly unmatched: 'canary' | 'extra' };

/** As matching resolves it; a name that only a looser level matches is not an expected concept. */
function endsOf({ output, trial }: InvestigatedTrial, { golden, level }: Context): (name: string) => End {
  const resolve = resolveEnds(output, trial.concepts, prepareCase(golden));
  // The same name is an end of many relationships.
  const known = new Map<string, End>();
  return (name) => {
    const end = known.get(name) ?? asEnd(resolve(name));
    known.set(name, end);
    return end;
  };
  function asEnd(end: ReturnType<typeof resolve>): End {
    if (typeof end === 'string') return { unmatched: end === 'canary' ? 'canary' : 'extra' };
    return isWithin(end.level, level) ? { expected: end.expected } : { unmatched: 'extra' };
  }
}

type Pairs = {
  readonly predicates: (source: string, target: string) => readonly string[];
  readonly owner: (name: string) => string;
};

function expectedPairs(golden: GoldenCase): Pairs {
  const prepared = prepareCase(golden);
  const owner = (name: string) => nameOwner(name, golden, prepared);
  const pairs = new Map<string, string[]>();
  for (const { source, target, predicate } of golden.expectedRelationships) {
    const add = (one: string, other: string) => {
      const key = JSON.stringify([one, other]);
      pairs.set(key, [...(pairs.get(key) ?? []), predicate]);
    };
    add(owner(source), owner(target));
    // It holds both ways, so neither way is the reverse.
    if (predicate === 'RELATES_TO') add(owner(target), owner(source));
  }
  return { owner, predicates: (source, target) => pairs.get(JSON.stringify([source, target])) ?? [] };
}

function judgeEdge(edge: ExtractedRelationship, source: End, target: End, { predicates }: Pairs): Judged {
  const { predicate } = edge;
  if (edge.forbidden) return { kind: 'forbidden' };
  if (edge.correct !== undefined) return { kind: 'correct', expected: predicate };
  if ('unmatched' in source || 'unmatched' in target) {
    const unmatched = [
      ...('unmatched' in source ? [sayEnd(edge.source, source.unmatched)] : []),
      ...('unmatched' in target ? [sayEnd(edge.target, target.unmatched)] : []),
    ];
    return { kind: 'end not matched', unmatched };
  }
  if (edge.flaw !== undefined) return { kind: 'not readable' };
  const ahead = predicates(source.expected, target.expected);
  const back = predicates(target.expected, source.expected);
  if (back.includes(predicate)) return { kind: 'reversed', expected: predicate };
  if (ahead[0] !== undefined) return { kind: 'wrong predicate', expected: ahead[0] };
  // Extracted as RELATES_TO it has no direction to be wrong about.
  if (back[0] !== undefined && predicate === 'RELATES_TO')
    return { kind: 'wrong predicate', expected: back[0] };
  if (back[0] !== undefined) return { kind: 'reversed and wrong predicate', expected: back[0] };
  return { kind: 'pair not expected' };
}

function sayEnd(name: string, what: 'canary' | 'extra'): string {
  return what === 'canary' ? `${name} (a canary)` : name;
}

function addWrong(
  wrong: Map<string, { edge: Omit<WrongRelationship, 'count' | 'runs'>; count: number; runs: Set<number> }>,
  { source, target, predicate }: Edge,
  { kind, expected, unmatched }: Judged & { kind: WrongKind },
  run: number,
): void {
  const key = JSON.stringify([kind, source.toLowerCase(), target.toLowerCase(), predicate, expected]);
  const known = wrong.get(key);
  if (known !== undefined) {
    known.count++;
    known.runs.add(run);
    return;
  }
  const edge = {
    source,
    target,
    predicate,
    kind,
    expected,
    ...(unmatched && { unmatched }),
  };
  wrong.set(key, { edge, count: 1, runs: new Set([run]) });
}

/** For each expected relationship why this run missed it; `undefined` where it was found. */
function missedIn(
  { trial }: InvestigatedTrial,
  endOf: (name: string) => End,
  { owner }: Pairs,
): (MissedRelationshipKind | undefined)[] {
  const found = new Set(trial.expected.filter((one) => one.found !== undefined).map(({ label }) => label));
  const extracted = new Map<string, Set<string>>();
  for (const { source, target, predicate } of trial.relationships) {
    const [from, to] = [endOf(source), endOf(target)];
    if ('unmatched' in from || 'unmatched' in to) continue;
    const key = JSON.stringify([from.expected, to.expected]);
    extracted.set(key, (extracted.get(key) ?? new Set()).add(predicate));
  }
  return trial.expectedRelationships.map((edge) => {
    if (edge.found !== undefined) return undefined;
    const [source, target] = [owner(edge.source), owner(edge.target)];
    if (!found.has(source) || !found.has(target)) return 'end missed';
    const back = extracted.get(JSON.stringify([target, source]));
    if (back?.has(edge.predicate)) return 'reversed';
    return back !== undefined || extracted.has(JSON.stringify([source, target]))
      ? 'wrong predicate'
      : 'pair not extracted';
  });
}

type MissedIn = Map<MissedRelationshipKind, number>;

function missedRelationships(golden: GoldenCase, missed: readonly MissedIn[]): MissedRelationship[] {
  const list = golden.expectedRelationships.flatMap((edge, i): MissedRelationship[] => {
    const kinds = [...(missed[i] ?? [])].sort((a, b) => b[1] - a[1]);
    const [most] = kinds;
    if (most === undefined) return [];
    const { source, target, predicate, required, evidence } = edge;
    return [
      {
        source,
        target,
        predicate,
        required,
        kind: most[0],
        runs: kinds.reduce((sum, [, runs]) => sum + runs, 0),
        evidence,
      },
    ];
  });
  return list.sort((a, b) => b.runs - a.runs || Number(b.required) - Number(a.required));
}

export function confusionAxes(confusion: readonly Confusion[]): {
  readonly rows: readonly string[];
  readonly columns: readonly string[];
} {
  const holds = (name: string) =>
    confusion.some(({ expected, extracted }) => expected === name || extracted === name);
  const named = confusion.flatMap(({ expected, extracted }) => [expected, extracted]);
  const own = named.filter((name) => name !== NOT_EXTRACTED);
  const rows = [...new Set<string>([...PREDICATES.filter((name) => holds(name)), ...own])];
  return { rows, columns: holds(NOT_EXTRACTED) ? [...rows, NOT_EXTRACTED] : rows };
}
