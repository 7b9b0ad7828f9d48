/** Sums minutes in the database: a bucket has one part per batch. */
import {
  emptyCell,
  mergeCells,
  type ProductionCell,
  type ProductionGrain,
} from '../../decomposition/production/cell.ts';
import type { Where } from '../sql/engine.ts';
import { damaged } from '../sql/tables.ts';
import type { ProductionCellQuery } from '../store.ts';
import type { Connection, RowValues } from './connection.ts';

const MOMENTS = 'Tuple(n UInt64, sum Float64, sumOfSquares Float64)';
const SHAPE = `Tuple(requests UInt64, errors UInt64, errorKinds Map(String, UInt64),
  latency Tuple(n UInt64, zeros UInt64, bins Array(Tuple(Int32, UInt64)), min Nullable(Float64), max Nullable(Float64)),
  confidence Tuple(n UInt64, sum Float64, bins Array(UInt64)), confidenceOfRequests ${MOMENTS}, concepts ${MOMENTS},
  relationships ${MOMENTS}, cost ${MOMENTS}, tokens Tuple(input Float64, output Float64), predicates Map(String, UInt64),
  sampled UInt64, quotes Tuple(given UInt64, verified UInt64), mentions Tuple(concepts UInt64, unmentioned UInt64))`;

/** Sums are exact to the billionth, so that they do not depend on the order of their parts. */
const PARTS = 1e9;

const whole = (path: string) => `sum(part.${path})`;
const exact = (path: string) => `sum(toInt128(round(part.${path} * ${PARTS})))`;
const moments = (path: string) => [whole(`${path}.n`), exact(`${path}.sum`), exact(`${path}.sumOfSquares`)];
const counts = (path: string) => `sumMap(part.${path})`;

/** In the order in which a cell is put together below. */
const SUMS = [
  whole('requests'),
  whole('errors'),
  counts('errorKinds'),
  whole('latency.n'),
  whole('latency.zeros'),
  'sumMap(part.latency.bins.1, part.latency.bins.2)',
  'minOrNull(part.latency.min)',
  'maxOrNull(part.latency.max)',
  whole('confidence.n'),
  exact('confidence.sum'),
  'sumForEach(part.confidence.bins)',
  ...['confidenceOfRequests', 'concepts', 'relationships', 'cost'].flatMap(moments),
  whole('tokens.input'),
  whole('tokens.output'),
  counts('predicates'),
  whole('sampled'),
  whole('quotes.given'),
  whole('quotes.verified'),
  whole('mentions.concepts'),
  whole('mentions.unmentioned'),
];

const SPANS: Readonly<Record<ProductionGrain, string>> = {
  minute: 'at',
  hour: "concat(substring(at, 1, 13), ':00:00.000Z')",
  day: "concat(substring(at, 1, 10), 'T00:00:00.000Z')",
};

/** Of the filed sums that fit, by span, prompt version and model, in this order. */
export async function addedUp(
  connection: Connection,
  { by, perProject }: Pick<ProductionCellQuery, 'by' | 'perProject'>,
  where: Where,
): Promise<ProductionCell[]> {
  const place = `span, prompt_version, model, ${perProject === true ? 'project' : "'' AS whose"}`;
  const of = `span, prompt_version, model${perProject === true ? ', project' : ''}`;
  const sql = `SELECT ${place}, min(isValidJSON(sums)), ${SUMS.join(', ')} FROM (
      SELECT ${SPANS[by]} AS span, prompt_version, model, project, sums, JSONExtract(sums, '${SHAPE}') AS part
      FROM production_sum FINAL${where.sql})
    GROUP BY ${of} ORDER BY ${of}`;
  const cells: ProductionCell[] = [];
  for await (const row of connection.iterate(sql, where.values)) cells.push(cellOf(connection, row));
  return cells;
}

function cellOf(
  connection: Connection,
  [at, version, model, project, isWhole, ...sums]: RowValues,
): ProductionCell {
  if (Number(isWhole) !== 1) throw damaged(connection.place.address, 'production_sum', 'sums');
  const place = {
    at: String(at),
    ...(version !== '' && { promptVersion: String(version) }),
    ...(model !== '' && { model: String(model) }),
    ...(project !== '' && { project: String(project) }),
  };
  const next = sums[Symbol.iterator]();
  const value = () => next.next().value as unknown;
  const number = () => Number(value());
  const parts = () => number() / PARTS;
  const named = () =>
    Object.fromEntries(Object.entries(value() as object).map(([name, count]) => [name, Number(count)]));
  const list = () => (value() as readonly unknown[]).map(Number);
  const ofMoments = () => ({ n: number(), sum: parts(), sumOfSquares: parts() });
  const sketch = (): ProductionCell['latency'] => {
    const [n, zeros] = [number(), number()];
    const [bins, found] = value() as readonly [readonly unknown[], readonly unknown[]];
    const [min, max] = [value(), value()];
    const counted = bins.map((bin, i) => [Number(bin), Number(found[i])] as const);
    return { n, zeros, bins: counted, ...(n > 0 && { min: Number(min), max: Number(max) }) };
  };
  const cell: ProductionCell = {
    ...place,
    requests: number(),
    errors: number(),
    errorKinds: named(),
    latency: sketch(),
    confidence: { n: number(), sum: parts(), bins: list() },
    confidenceOfRequests: ofMoments(),
    concepts: ofMoments(),
    relationships: ofMoments(),
    cost: ofMoments(),
    tokens: { input: number(), output: number() },
    predicates: named(),
    sampled: number(),
    quotes: { given: number(), verified: number() },
    mentions: { concepts: number(), unmentioned: number() },
  };
  // Limits the number of names.
  return mergeCells([emptyCell(place), cell]) ?? cell;
}
