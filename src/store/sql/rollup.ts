/**
 * Sums over sessions in SQL. What a session adds is a whole number of small parts, so that adding up in any order gives
 * the same in every database. SQLite adds up by day and group (`session_day`) when sessions are written; everything else
 * is added up from the rows.
 */
import { LOW_COVERAGE } from '../../measure/confidence.ts';
import { finite } from '../canonical.ts';
import { checkPeriod } from '../query.ts';
import {
  BINS,
  type Bucket,
  COVERAGE_BINS,
  compareRollups,
  compareScorings,
  DIMENSIONS,
  Q_BINS,
  Q_PARTS,
  type RollupQuery,
  rollupOf,
  SCORED_WITH,
  type SessionRollup,
  type SessionScoring,
  SUMMED_CATEGORIES,
  SUMS,
  type Sum,
  TIER_NAMES,
  USD_PARTS,
} from '../rollup.ts';
import type { InProjects } from '../session-narrowing.ts';
import { startOfBucket } from '../time-bucket.ts';
import { type Engine, type Row, Where } from './engine.ts';
import { narrowByNames, narrowByStart } from './sessions.ts';
import { columnName } from './tables.ts';

/** Beyond these a value is no measurement; it counts as the limit, so that sums stay whole numbers. */
const [MAX_USD, MAX_TOKENS] = ['1e6', '1e11'];

const truth = (condition: string) => `CASE WHEN ${condition} THEN 1 ELSE 0 END`;
const clamp = (column: string, most: number | string) =>
  `(CASE WHEN ${column} > ${most} THEN ${most} WHEN ${column} > 0 THEN ${column} ELSE 0 END)`;
const whole = (value: string) => `CAST(${value} + 0.5 AS BIGINT)`;
const parts = (column: string) => whole(`${clamp(column, 1)} * ${Q_PARTS}`);
const squares = (column: string) => whole(`${clamp(column, 1)} * ${clamp(column, 1)} * ${Q_PARTS}`);
const usd = whole(`${clamp('cost_usd', MAX_USD)} * ${USD_PARTS}`);
const whenPriced = (value: string) =>
  `CASE WHEN q IS NOT NULL AND cost_usd IS NOT NULL THEN ${value} ELSE 0 END`;
const tokens = (column: string) => whole(clamp(column, MAX_TOKENS));

/** Poor or failed, corrected, or written lines that nothing verified: what a user has to look after. */
const TROUBLED =
  "q < 0.6 - 1e-9 OR corrections > 0 OR (lines_written > 0 AND (verified IS NULL OR verified <> 'yes'))";

/** What a session adds to each sum, from its columns. */
const EXPRESSIONS = {
  sessions: '1',
  q_n: truth('q IS NOT NULL'),
  q_sum: parts('q'),
  q_squares: squares('q'),
  ...Object.fromEntries(TIER_NAMES.map((tier) => [`tier_${tier}`, truth(`tier = '${tier}'`)])),
  verified_yes: truth(`q IS NOT NULL AND verified = 'yes'`),
  verified_failed: truth(`q IS NOT NULL AND verified = 'failed'`),
  low_confidence: truth(`coverage < ${LOW_COVERAGE}`),
  cost_n: truth('cost_usd IS NOT NULL'),
  cost_sum: usd,
  cost_at_least: truth('cost_usd IS NOT NULL AND cost_at_least = 1'),
  priced_q_n: whenPriced('1'),
  priced_q_sum: whenPriced(parts('q')),
  priced_q_squares: whenPriced(squares('q')),
  priced_cost_sum: whenPriced(usd),
  priced_at_least: whenPriced(truth('cost_at_least = 1')),
  priced_troubled: whenPriced(truth(TROUBLED)),
  input_tokens_sum: tokens('input_tokens'),
  output_tokens_sum: tokens('output_tokens'),
  cache_read_tokens_sum: tokens('cache_read_tokens'),
  cache_write_tokens_sum: tokens('cache_write_tokens'),
  ...Object.fromEntries(
    SUMMED_CATEGORIES.flatMap((name) => [
      [`${name}_n`, truth(`${name} IS NOT NULL`)],
      [`${name}_sum`, parts(name)],
      [`${name}_squares`, squares(name)],
    ]),
  ),
  attention_n: truth('attention > 0'),
  risky_sum: tokens('risky_actions'),
  turns_sum: tokens('turns'),
} as Readonly<Record<Sum, string>>;

/** A value that misses a line by rounding is on it, as in zones and tiers; 1 is in the last bin. */
const binOf = (column: string, bins: number) =>
  `CASE WHEN ${column} >= 1 THEN ${bins - 1} ELSE CAST(${clamp(column, 1)} * ${bins} + 1e-7 AS BIGINT) END`;
/** The bins of Q and coverage of a session, as `,150,230`. */
const BINS_OF_ROW = `CASE WHEN q IS NULL THEN '' ELSE ',' || CAST(${binOf('q', Q_BINS)} AS TEXT) END
  || ',' || CAST(${Q_BINS} + ${binOf('coverage', COVERAGE_BINS)} AS TEXT)`;

/** Columns of `session_day`. */
export const SUMS_OF_ROWS = SUMS.map((name) => `sum(${EXPRESSIONS[name]})`).join(', ');
export const BINS_OF_ROWS = `group_concat(${BINS_OF_ROW}, '')`;

/** The length of the prefix of a time that identifies its bucket. Weeks are sums of days. */
const PREFIX: Readonly<Record<Bucket, number>> = { hour: 13, day: 10, week: 10, month: 7 };

export async function sessionRollup(engine: Engine, query: RollupQuery): Promise<SessionRollup[]> {
  const by = DIMENSIONS.filter((name) => query.by?.includes(name));
  const where = new Where(engine.dialect);
  const sources = sourcesOf(engine, query, where, by.length > 0);
  if (sources.length === 0) return [];
  const bucket = query.bucket === undefined ? [] : ['bucket'];
  const keys = [...bucket, ...by.map(columnName)];
  const sums = SUMS.map((name) => `sum(${name})`);
  const bins = query.histograms === true ? [engine.dialect.countBins('bins')] : [];
  const { groups } = engine.dialect.sessions;
  const joined = by.length > 0 && groups !== undefined ? ` JOIN ${groups} USING (group_id)` : '';
  const sql = `SELECT ${[...keys, ...sums, ...bins].join(', ')} FROM (${sources.join(' UNION ALL ')}) AS part${joined}
    ${keys.length === 0 ? 'HAVING count(*) > 0' : `GROUP BY ${keys.join(', ')}`}`;
  const found = new Found(query, by);
  for (const row of await engine.all(sql, where.values)) found.add(row);
  return found.rollups();
}

/** Whole days from the sums by day where there are such, and rows for the rest. */
function sourcesOf({ dialect }: Engine, query: RollupQuery, where: Where, isGrouped: boolean): string[] {
  const { bucket, coverageFrom } = query;
  const { since, until } = checkPeriod(query);
  if (since !== undefined && until !== undefined && since >= until) return [];
  const { groups, days, keys } = dialect.sessions;
  const names = groups === undefined ? DIMENSIONS.map(columnName).join(', ') : 'group_id';
  const bucketIn = (time: string) =>
    bucket === undefined ? '' : `substr(${time}, 1, ${PREFIX[bucket]}) AS bucket, `;
  const bins = query.histograms === true;
  const rows = (period: { since?: string; until?: string }) => {
    const some = where
      .nested()
      .and('coverage >= ?', coverageFrom === undefined ? undefined : finite(coverageFrom, 'coverageFrom'));
    narrowByStart(narrowByNames(some, dialect, query), period);
    const sums = SUMS.map((name) => `${EXPRESSIONS[name]} AS ${name}`);
    return `SELECT ${bucketIn('start')}${names}, ${sums.join(', ')}${bins ? `, ${BINS_OF_ROW} AS bins` : ''}
      FROM ${keys()}${some.sql}`;
  };
  const [first, end] = [since && firstDayFrom(since), until?.slice(0, 10)];
  const hasDays = first === undefined || end === undefined || first < end;
  if (days === undefined || bucket === 'hour' || coverageFrom !== undefined || !hasDays)
    return [rows({ since, until })];
  const whole = narrowByNames(where.nested(), dialect, query)
    .and('day >= ?', first)
    .and('day < ?', end)
    .when(first === undefined && end !== undefined, "day > ''");
  // Days of a group are adjacent: summed first unless days are requested.
  const summed = bucket === undefined && isGrouped;
  const sums = SUMS.map((name) => (summed ? `sum(${name}) AS ${name}` : name));
  const dayBins = summed ? `${dialect.countBins('bins')} AS bins` : 'bins';
  return [
    `SELECT ${bucketIn('day')}group_id, ${sums.join(', ')}${bins ? `, ${dayBins}` : ''} FROM ${days}${whole.sql}
     ${summed ? 'GROUP BY group_id' : ''}`,
    ...(since !== undefined && first !== undefined && since < `${first}T`
      ? [rows({ since, until: `${first}T00:00:00.000Z` })]
      : []),
    ...(until !== undefined && end !== undefined && until > `${end}T00:00:00.000Z`
      ? [rows({ since: `${end}T00:00:00.000Z`, until })]
      : []),
  ];
}

/** The first day that begins at or after a time. */
function firstDayFrom(time: string): string {
  const day = time.slice(0, 10);
  if (time === `${day}T00:00:00.000Z`) return day;
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
}

type Group = {
  readonly bucket: string | undefined;
  readonly names: readonly unknown[];
  readonly sums: number[];
  readonly bins: number[];
};

/** Rows of sums, days of a week added up. */
class Found {
  readonly #query: RollupQuery;
  readonly #by: readonly (typeof DIMENSIONS)[number][];
  readonly #groups = new Map<string, Group>();

  constructor(query: RollupQuery, by: readonly (typeof DIMENSIONS)[number][]) {
    this.#query = query;
    this.#by = by;
  }

  add(row: Row): void {
    const { bucket, histograms } = this.#query;
    const from = bucket === undefined ? 0 : 1;
    const prefix = from === 0 ? '' : String(row[0]);
    const start = bucket === undefined || prefix === '' ? undefined : startOfBucket(bucket, prefix);
    const names = row.slice(from, from + this.#by.length);
    const group = this.#groupOf(start, names);
    const first = from + this.#by.length;
    for (let i = 0; i < SUMS.length; i += 1)
      group.sums[i] = (group.sums[i] as number) + Number(row[first + i]);
    if (histograms === true) addBins(group.bins, String(row[first + SUMS.length] ?? ''));
  }

  #groupOf(bucket: string | undefined, names: readonly unknown[]): Group {
    const key = JSON.stringify([bucket, names]);
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = { bucket, names, sums: new Array(SUMS.length).fill(0), bins: new Array(BINS).fill(0) };
      this.#groups.set(key, group);
    }
    return group;
  }

  rollups(): SessionRollup[] {
    const rollups = [...this.#groups.values()].map(({ bucket, names, sums, bins }) => {
      const present = this.#by.flatMap((name, i) => (names[i] == null ? [] : [[name, names[i]]]));
      const counted = this.#query.histograms === true ? bins : undefined;
      return rollupOf(bucket, Object.fromEntries(present), sums, counted);
    });
    return rollups.sort(compareRollups);
  }
}

const [COMMA, ZERO] = [44, 48];

/** Of `,150,230`, or of JSON that says how often each occurs. */
function addBins(bins: number[], text: string): void {
  if (text.startsWith('{')) {
    for (const [bin, n] of Object.entries(JSON.parse(text) as Readonly<Record<string, number | string>>))
      bins[Number(bin)] = (bins[Number(bin)] ?? 0) + Number(n);
    return;
  }
  let bin = 0;
  for (let i = 1; i <= text.length; i += 1) {
    const code = i === text.length ? COMMA : text.charCodeAt(i);
    if (code !== COMMA) bin = bin * 10 + code - ZERO;
    else {
      bins[bin] = (bins[bin] ?? 0) + 1;
      bin = 0;
    }
  }
}

/** How many of the sessions were scored with what, the most first. */
export async function sessionScorings(engine: Engine, query: InProjects): Promise<SessionScoring[]> {
  const { groups, days, keys } = engine.dialect.sessions;
  const scored = SCORED_WITH.map(columnName).join(', ');
  const where = narrowByNames(new Where(engine.dialect), engine.dialect, query);
  const from = groups === undefined ? keys() : `${days} JOIN ${groups} USING (group_id)`;
  const rows = await engine.all(
    `SELECT ${scored}, ${groups === undefined ? 'count(*)' : 'sum(sessions)'} FROM ${from}${where.sql} GROUP BY ${scored}`,
    where.values,
  );
  const scorings = rows.map((row) => {
    const present = SCORED_WITH.flatMap((name, i) => (row[i] == null ? [] : [[name, row[i]]]));
    return {
      ...(Object.fromEntries(present) as Omit<SessionScoring, 'sessions'>),
      sessions: Number(row[SCORED_WITH.length]),
    };
  });
  return scorings.sort(compareScorings);
}
