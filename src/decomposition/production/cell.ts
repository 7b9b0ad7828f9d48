/**
 * Records added up by time, prompt version and model. Cells of any span, model or process merge into one, and in whatever
 * order: whoever watches production reads these and not the records.
 */
import type { Moments } from '../../stats/descriptive.ts';
import { EMPTY_SKETCH, mergeSketches, type QuantileSketch, sketchOf } from '../../stats/quantile-sketch.ts';
import {
  CONFIDENCE_BINS,
  type ConfidenceCounts,
  type DecompositionRecord,
  OTHER_PREDICATES,
} from './record.ts';

export const PRODUCTION_GRAINS = ['minute', 'hour', 'day'] as const;
export type ProductionGrain = (typeof PRODUCTION_GRAINS)[number];

export type ProductionCell = {
  readonly at: string;
  /** Absent: unknown, or several. */
  readonly promptVersion?: string;
  readonly model?: string;
  /** Only where those of each project were asked for by themselves. */
  readonly project?: string;
  readonly requests: number;
  readonly errors: number;
  /** Name of an error → how many. */
  readonly errorKinds: Readonly<Record<string, number>>;
  readonly latency: QuantileSketch;
  /** Over concepts. */
  readonly confidence: ConfidenceCounts;
  /** Mean confidence of each request, over requests: what an interval rests on, as concepts of one text are alike. */
  readonly confidenceOfRequests: Moments;
  /** Over the requests of which it is known how many there were; so are the next two. */
  readonly concepts: Moments;
  readonly relationships: Moments;
  readonly cost: Moments;
  readonly tokens: { readonly input: number; readonly output: number };
  readonly predicates: Readonly<Record<string, number>>;
  readonly sampled: number;
  /** Over the sampled ones whose text was seen, as they are: the estimate weighs them. */
  readonly quotes: { readonly given: number; readonly verified: number };
  readonly mentions: { readonly concepts: number; readonly unmentioned: number };
};

/** A cell counts so many names; what comes beyond is counted together. */
const MOST_NAMES = 200;

const NONE: Moments = { n: 0, sum: 0, sumOfSquares: 0 };

type Sums = Omit<
  ProductionCell,
  'at' | 'promptVersion' | 'model' | 'project' | 'errorKinds' | 'predicates' | 'latency'
>;

/** What is added up number by number. */
function noSums(): Sums {
  return {
    requests: 0,
    errors: 0,
    confidence: { n: 0, sum: 0, bins: new Array<number>(CONFIDENCE_BINS).fill(0) },
    confidenceOfRequests: { ...NONE },
    concepts: { ...NONE },
    relationships: { ...NONE },
    cost: { ...NONE },
    tokens: { input: 0, output: 0 },
    sampled: 0,
    quotes: { given: 0, verified: 0 },
    mentions: { concepts: 0, unmentioned: 0 },
  };
}

export type CellPlace = Pick<ProductionCell, 'at' | 'promptVersion' | 'model' | 'project'>;

export function emptyCell({ at, promptVersion, model, project }: CellPlace): ProductionCell {
  const names = { errorKinds: {}, predicates: {} };
  return { at, promptVersion, model, project, ...noSums(), ...names, latency: EMPTY_SKETCH };
}

export function cellOf(record: DecompositionRecord): ProductionCell {
  const { confidence, predicates, quotes, unmentioned, inputTokens = 0, outputTokens = 0 } = record;
  const isError = record.status === 'error';
  return {
    ...emptyCell(record),
    requests: 1,
    errors: isError ? 1 : 0,
    errorKinds: isError ? { [record.errorKind ?? 'unknown']: 1 } : {},
    latency: record.latencyMs === undefined ? EMPTY_SKETCH : sketchOf([record.latencyMs]),
    ...(confidence && { confidence: { ...confidence, sum: exact(confidence.sum) } }),
    confidenceOfRequests:
      confidence === undefined || confidence.n === 0 ? NONE : one(confidence.sum / confidence.n),
    concepts: one(record.concepts),
    relationships: one(record.relationships),
    cost: one(record.costUsd),
    tokens: { input: inputTokens, output: outputTokens },
    ...(predicates && { predicates }),
    sampled: record.sample === undefined ? 0 : 1,
    ...(quotes && { quotes }),
    ...(unmentioned && { mentions: unmentioned }),
  };
}

export function cellsOfAll(cells: readonly ProductionCell[]): ProductionCell[] {
  const groups = Map.groupBy(cells, ({ at, promptVersion, model }) =>
    JSON.stringify([at, promptVersion, model]),
  );
  return [...groups.values()].map((group) => {
    const { project: _, ...all } = mergeCells(group) as ProductionCell;
    return all;
  });
}

/** All of them in one, from the time of the first; its version and model are those that all have. None of none. */
export function mergeCells(cells: readonly ProductionCell[]): ProductionCell | undefined {
  const [first] = cells;
  if (first === undefined) return undefined;
  if (cells.length === 1) return first;
  const same = <K extends 'promptVersion' | 'model' | 'project'>(key: K) =>
    cells.every((cell) => cell[key] === first[key]) ? first[key] : undefined;
  const sums = noSums();
  for (const cell of cells) add(sums, cell, 1);
  return {
    at: cells.map((cell) => cell.at).sort()[0] ?? first.at,
    promptVersion: same('promptVersion'),
    model: same('model'),
    project: same('project'),
    ...sums,
    errorKinds: countsOf(cells.map(({ errorKinds }) => errorKinds)),
    predicates: countsOf(cells.map(({ predicates }) => predicates)),
    latency: mergeSketches(cells.map(({ latency }) => latency)),
  };
}

type Numbers = { [key: string]: number | Numbers };

/** Number by number, to the sums in place. */
function add(sums: object, part: object, sign: 1 | -1): void {
  const [to, from] = [sums as Numbers, part as Numbers];
  for (const [key, value] of Object.entries(to)) {
    const more = from[key] ?? 0;
    if (typeof value === 'number') to[key] = exact(value + sign * (more as number));
    else add(value, more as Numbers, sign);
  }
}

export function startOf(grain: ProductionGrain, at: string): string {
  if (grain === 'minute') return `${at.slice(0, 16)}:00.000Z`;
  return grain === 'hour' ? `${at.slice(0, 13)}:00:00.000Z` : `${at.slice(0, 10)}T00:00:00.000Z`;
}

function one(value: number | undefined): Moments {
  if (value === undefined) return NONE;
  const rounded = exact(value);
  return { n: 1, sum: rounded, sumOfSquares: exact(rounded * rounded) };
}

function countsOf(all: readonly Readonly<Record<string, number>>[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const part of all)
    for (const [name, count] of Object.entries(part)) {
      const key = counts.has(name) || counts.size < MOST_NAMES ? name : OTHER_PREDICATES;
      counts.set(key, (counts.get(key) ?? 0) + count);
    }
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** To the billionth, so that sums are the same in whatever order their parts are added. */
function exact(value: number): number {
  return Number.isInteger(value) ? value : Math.round(value * 1e9) / 1e9;
}

/**
 * What is left of a cell without a part of what it is made of. The smallest and the largest latency stay those of the whole:
 * added to the part again, they give the whole.
 */
export function withoutCell(whole: ProductionCell, part: ProductionCell): ProductionCell {
  const keys = Object.keys(noSums()) as (keyof Sums)[];
  const rest = Object.fromEntries(keys.map((key) => [key, structuredClone(whole[key])]));
  add(rest, part, -1);
  const { latency } = whole;
  const bins = new Map(part.latency.bins);
  const n = latency.n - part.latency.n;
  return {
    ...whole,
    ...rest,
    errorKinds: countsWithout(whole.errorKinds, part.errorKinds),
    predicates: countsWithout(whole.predicates, part.predicates),
    latency: {
      n,
      zeros: latency.zeros - part.latency.zeros,
      bins: latency.bins.flatMap(([bin, count]) => {
        const left = count - (bins.get(bin) ?? 0);
        return left === 0 ? [] : [[bin, left] as const];
      }),
      ...(n > 0 && { min: latency.min ?? 0, max: latency.max ?? 0 }),
    },
  };
}

function countsWithout(
  whole: Readonly<Record<string, number>>,
  part: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(whole).flatMap(([name, count]) => {
      const left = count - (Object.hasOwn(part, name) ? (part[name] ?? 0) : 0);
      return left === 0 ? [] : [[name, left]];
    }),
  );
}
