/**
 * One conversation in several files: spans in one and what was said in another, batches of one trace, the same spans
 * as JSON and as protobuf. Files that share a trace or a conversation are read as if they were one.
 */
import type { CopyWeighing, LoadedFormat } from '../format.ts';
import { conversationOf } from './conversation-id.ts';
import { type RawLog, readLog } from './log-record.ts';
import { hexId, readSpan } from './span.ts';
import { type Raw, weightOf } from './waiting.ts';

/** More than this of several files is not kept at once: then each file is read by itself. */
const MAX_WEIGHT = 32 * 1024 * 1024;

type Placed = readonly (readonly [line: number, raw: Raw])[];
export type RawOf = (record: unknown, line: number) => Placed | undefined;
export type Feed = (state: unknown, raw: Placed, emit: Parameters<LoadedFormat['step']>[3]) => void;

const TELLING =
  /^(?:gen_ai|llm|openinference|ai|traceloop|langfuse|langsmith|mastra|mlflow|gcp\.vertex|session|input|output)\./;

/** By what files are known to belong together: the traces and conversations of what is said in them. */
export function sharedNames(raw: Raw): string[] {
  if ('log' in raw) {
    const log = readLog(raw, 1);
    return log === undefined ? [] : [`otlp trace ${log.traceId}`];
  }
  const { span } = raw;
  const stated = span.attributes ?? span.span_attributes;
  const keys = Array.isArray(stated)
    ? stated.map((one) => (one as { key?: unknown } | null)?.key)
    : Object.keys((stated as object | null) ?? {});
  if (!keys.some((key) => typeof key === 'string' && TELLING.test(`${key}.`))) return [];
  const read = readSpan({ ...raw, span: { ...span, events: [] } }, 1);
  const conversation = read === undefined ? undefined : conversationOf(read);
  const trace = read?.traceId ?? hexId(span.traceId);
  return [
    ...(trace === undefined ? [] : [`otlp trace ${trace}`]),
    ...(conversation === undefined ? [] : [`otlp conversation ${conversation}`]),
  ];
}

/** What only the other files have. Log records have no identity: those of a span are all in one file, or copies. */
function elsewhere(files: ReadonlyMap<string, Placed>, owner: string): Placed {
  const told = new Set(logged(files.get(owner) ?? []));
  const found: (readonly [number, Raw])[] = [];
  for (const [path, raw] of files) {
    if (path === owner) continue;
    const own = raw.filter(([, one]) => !('log' in one) || !told.has(spanOfLog(one)));
    for (const id of logged(own)) told.add(id);
    for (const one of own) found.push(one);
  }
  return found;
}

function logged(raw: Placed): string[] {
  return raw.flatMap(([, one]) => ('log' in one ? [spanOfLog(one)] : []));
}

function spanOfLog(raw: RawLog): string {
  const log = readLog(raw, 1);
  return `${log?.traceId} ${log?.spanId}`;
}

export function weighFiles(format: LoadedFormat, rawOf: RawOf, feed: Feed): CopyWeighing {
  const files = new Map<string, (readonly [number, Raw])[]>();
  let weight = 0;
  const isTooMuch = () => weight > MAX_WEIGHT;
  /** What was said is told where its spans are. */
  const owner = () =>
    [...files].find(([, raw]) => raw.some(([, one]) => 'span' in one))?.[0] ?? [...files.keys()][0];
  const take = (path: string, raw: Placed): void => {
    if (isTooMuch()) return;
    const known = files.get(path) ?? [];
    files.set(path, known);
    for (const one of raw) {
      known.push(one);
      weight += weightOf(one[1], 0);
    }
    if (isTooMuch()) files.clear();
  };
  const { entryKeys: _keys, ...silent } = format;
  return {
    look: (path) => ({
      ...silent,
      step: (_state, record, line) => {
        take(path, rawOf(record, line) ?? []);
        return undefined;
      },
      finish: () => {},
    }),
    // All of them are read anew: the owner with what the others have, the others without it.
    lostBy: () => (isTooMuch() ? [] : ['otlp']),
    hasOwn: (path) => isTooMuch() || path === owner(),
    rest: (path) => {
      if (isTooMuch()) return format;
      if (path !== owner()) return { ...silent, step: () => undefined, finish: () => {} };
      let others = elsewhere(files, path);
      return {
        ...silent,
        step: (state, record, line, emit) => {
          feed(state, others, emit);
          others = [];
          return format.step(state, record, line, emit);
        },
      };
    },
  };
}
