/**
 * Spans and log records that have come and are not told yet. They come in the order in which work ended, or in none:
 * they wait until all are there, or until they are too many; then the earlier half goes on.
 */
import { type OtlpLog, type RawLog, readLog } from './log-record.ts';
import { type OtlpSpan, type RawSpan, readSpan } from './span.ts';

export type Raw = RawSpan | RawLog;
export type Waiting = { raw: (readonly [line: number, raw: Raw])[]; weight: number };

export type Batch = { readonly spans: readonly OtlpSpan[]; readonly logs: readonly OtlpLog[] };

const MAX_WAITING = 6_000;
const MAX_WEIGHT = 16 * 1024 * 1024;

export function newWaiting(): Waiting {
  return { raw: [], weight: 0 };
}

/** True when they are too many. What is nested deeper than any exporter nests is left out. */
export function hold(waiting: Waiting, line: number, raw: Raw): boolean {
  const weight = weightOf(raw, 0);
  if (weight === TOO_DEEP) return false;
  waiting.raw.push([line, raw]);
  waiting.weight += weight;
  return waiting.raw.length > MAX_WAITING || waiting.weight > MAX_WEIGHT;
}

export function takeAll(waiting: Waiting): Batch {
  const { raw } = waiting;
  waiting.raw = [];
  waiting.weight = 0;
  return batchOf(raw);
}

/** The half that ended first, traces as a whole: of one that goes on the rest is still to come. */
export function takeHalf(waiting: Waiting): Batch {
  const placed = waiting.raw.map((one) => ({ one, ...placeOf(one) }));
  const last = new Map<string, number>();
  for (const { trace, end } of placed) last.set(trace, Math.max(last.get(trace) ?? 0, end));
  // A single trace is cut where it must be.
  const ended = ({ trace, end }: { trace: string; end: number }) =>
    last.size > 1 ? (last.get(trace) ?? end) : end;
  placed.sort((a, b) => ended(a) - ended(b));
  let half = Math.ceil(placed.length / 2);
  const edge = placed[half - 1];
  while (last.size > 1 && half < placed.length && placed[half]?.trace === edge?.trace) half += 1;
  waiting.raw = placed.slice(half).map(({ one }) => one);
  waiting.weight = waiting.raw.reduce((sum, [, raw]) => sum + weightOf(raw, 0), 0);
  return batchOf(placed.slice(0, half).map(({ one }) => one));
}

function batchOf(raw: readonly (readonly [line: number, raw: Raw])[]): Batch {
  const spans: OtlpSpan[] = [];
  const logs: OtlpLog[] = [];
  for (const [line, one] of raw) {
    const span = 'span' in one ? readSpan(one, line) : undefined;
    const log = 'log' in one ? readLog(one, line) : undefined;
    if (span !== undefined) spans.push(span);
    if (log !== undefined) logs.push(log);
  }
  return { spans, logs };
}

export function placeOf([line, raw]: readonly [line: number, raw: Raw]): { trace: string; end: number } {
  if ('log' in raw) {
    const log = readLog(raw, line);
    return { trace: log?.traceId ?? '', end: log?.at ?? 0 };
  }
  const span = readSpan({ span: { ...raw.span, attributes: [], events: [] }, resource: [] }, line);
  return { trace: span?.traceId ?? '', end: span?.end ?? span?.start ?? 0 };
}

const MAX_DEPTH = 100;
const TOO_DEEP = Number.POSITIVE_INFINITY;

/** About how many bytes it takes. */
export function weightOf(value: unknown, depth: number): number {
  if (typeof value === 'string') return value.length + 16;
  if (typeof value !== 'object' || value === null) return 8;
  if (depth > MAX_DEPTH) return TOO_DEEP;
  let weight = 16;
  for (const one of Object.values(value)) weight += weightOf(one, depth + 1);
  return weight;
}
