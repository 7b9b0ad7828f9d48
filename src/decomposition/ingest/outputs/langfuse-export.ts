/** Answers in exports of Langfuse: what traces gave, else what observations did that lie in no other. */
import { AssayError } from '../../../errors.ts';
import { answerText, textsWithin } from './conversation.ts';
import { isRecord } from './foreign-graph.ts';
import type { OutputMap } from './output-map.ts';
import { figure, NAMES, noAnswer, type ResultItem, type ResultRow, textsOf } from './result-item.ts';
import { parsePath, valueAt } from './value-path.ts';

type Fields = Readonly<Record<string, unknown>>;

export function isLangfuseRow(value: unknown): boolean {
  return isTrace(value) || isObservation(value);
}

function isTrace(value: unknown): boolean {
  return (
    isRecord(value) &&
    'output' in value &&
    'timestamp' in value &&
    ('sessionId' in value || 'session_id' in value)
  );
}

function isObservation(value: unknown): boolean {
  if (!isRecord(value) || !('output' in value)) return false;
  const [trace, start] = [value.traceId ?? value.trace_id, value.startTime ?? value.start_time];
  return typeof trace === 'string' && start !== undefined && /^[A-Z]+$/.test(String(value.type));
}

export function langfuseItems(rows: readonly ResultRow[], map: OutputMap, path: string): ResultItem[] {
  const traces = rows.filter(({ value }) => isTrace(value));
  const all = traces.length > 0 ? traces : rows;
  const parentOf = (row: Fields) => row.parentObservationId ?? row.parent_observation_id;
  const roots = all.filter(({ value }) => isRecord(value) && !parentOf(value));
  const chosen =
    roots.length > 0 ? roots : all.filter(({ value }) => isRecord(value) && value.type === 'GENERATION');
  const items = chosen
    .map(({ where, value }) => itemOf(where, isRecord(value) ? value : {}, map))
    .filter(({ facts }) => map.provider === undefined || facts?.model === map.provider);
  refuseSeveral(items, path);
  return items;
}

/** Answers of two models are no repeats of each other. */
function refuseSeveral(items: readonly ResultItem[], path: string): void {
  const [first, ...others] = new Set(items.flatMap(({ facts }) => facts?.model ?? []));
  if (first === undefined || others.length === 0) return;
  throw new AssayError(
    'INPUT_INVALID',
    `${path} holds the answers of ${others.length + 1} models: ${[first, ...others].slice(0, 5).join('; ')}`,
    { remedy: [{ say: 'Choose one', options: { map: `provider=${first}` } }] },
  );
}

function itemOf(where: string, row: Fields, map: OutputMap): ResultItem {
  const input = parsed(row.input);
  const output = answerText(parsed(row.output));
  const named = [row.metadata, input].map((one) => (isRecord(parsed(one)) ? (parsed(one) as Fields) : {}));
  const names = named.flatMap((fields) => NAMES.map((key) => fields[key]));
  const seconds = figure(row.latency);
  const costUsd = figure(row.totalCost ?? row.total_cost ?? row.calculatedTotalCost);
  const model = row.model ?? row.provided_model_name;
  return {
    where,
    names: textsOf(map.id === undefined ? names : [valueAt(row, parsePath(map.id, 'id'))]),
    texts: textsWithin(input),
    value: map.output === undefined ? output : row,
    ...(output === undefined || output === null || output === ''
      ? { error: noAnswer(where, row.statusMessage ?? row.status_message) }
      : {}),
    facts: {
      ...(typeof model === 'string' && model !== '' && { model: model.slice(0, 200) }),
      ...(seconds !== undefined && { latencyMs: seconds * 1000 }),
      ...(costUsd !== undefined && costUsd > 0 && { costUsd }),
    },
  };
}

/** Exports to storage hold what was said as a text of JSON. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
