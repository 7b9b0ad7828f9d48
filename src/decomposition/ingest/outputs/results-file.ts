/**
 * Files with many outputs: promptfoo results, Inspect AI logs, Langfuse exports, lists, JSON lines, and objects keyed
 * by case.
 */
import { openEvaluation } from '../../../archives/eval-archive.ts';
import { AssayError } from '../../../errors.ts';
import { readText } from '../../../files.ts';
import { unwrap } from './known-shapes.ts';
import { type OutputMap, parsePath, valueAt } from './output-map.ts';
import { answerText, isRecord, listIn, textsWithin } from './read-foreign.ts';

export type ResultItems = { readonly items: readonly ResultItem[]; readonly format: string };

export function readResults(path: string, map: OutputMap): ResultItems {
  if (/\.eval$/i.test(path)) return { format: 'a log of Inspect AI', items: inspectArchive(path, map) };
  const { rows, keyed, about } = rowsOf(path);
  if (about !== undefined) {
    const items = rows.map(({ value, where }) => inspectItem(value, about, where, map));
    return { format: 'a log of Inspect AI', items };
  }
  if (keyed !== undefined) return { format: 'outputs by case', items: keyed };
  if (rows.length > 0 && rows.every(({ value }) => isPromptfooRow(value))) {
    return { format: 'results of promptfoo', items: promptfooItems(rows, map, path) };
  }
  if (rows.length > 0 && rows.every(({ value }) => isLangfuseRow(value))) {
    return { format: 'an export of Langfuse', items: langfuseItems(rows, map, path) };
  }
  const id = map.id === undefined ? undefined : parsePath(map.id, 'id');
  return {
    format: 'a list of outputs',
    items: rows.map(({ value, where }) => ({
      where,
      names: id === undefined ? namesIn(value) : textsOf([valueAt(value, id)]),
      texts: textsIn(value),
      value: map.output === undefined ? answerIn(value) : value,
    })),
  };
}

type Rows = {
  readonly rows: readonly ResultRow[];
  readonly keyed?: readonly ResultItem[];
  readonly about?: Readonly<Record<string, unknown>>;
};

function rowsOf(path: string): Rows {
  const text = readText(path);
  if (/\.(jsonl|ndjson)$/i.test(path)) return { rows: linesOf(text, path) };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new AssayError('INPUT_INVALID', `${path} is neither a folder nor JSON`, {
      cause,
      ...(/\.(?:ya?ml|csv|html|xml)$/i.test(path) && {
        remedy: 'Let the tool write it as .json or .jsonl; of CSV, HTML, XML and YAML nothing is read here.',
      }),
    });
  }
  if (isInspectLog(value)) {
    const rows = value.samples.map((one, i) => ({ where: `${path}: sample ${i + 1}`, value: one }));
    return { rows, about: value.eval };
  }
  if (isRecord(value) && 'output' in value && isLangfuseRow(value)) return { rows: [{ where: path, value }] };
  const inner = isRecord(value) && isRecord(value.results) ? value.results : value;
  const page = listIn(value, 'data');
  const list = Array.isArray(value)
    ? value
    : (listIn(inner, 'results') ?? (page?.every(isLangfuseRow) ? page : undefined));
  if (list !== undefined)
    return { rows: list.map((one, i) => ({ where: `${path}: ${i + 1}.`, value: one })) };
  if (!isRecord(value)) throw new AssayError('INPUT_INVALID', `${path} holds no outputs`);
  const keyed = Object.entries(value).map(([name, one]) => ({
    where: `${path}: ${name}`,
    names: [name],
    texts: [],
    value: one,
  }));
  return { rows: [], keyed };
}

function linesOf(text: string, path: string): ResultRow[] {
  return text.split('\n').flatMap((line, i) => {
    if (line.trim() === '') return [];
    const where = `${path}:${i + 1}`;
    try {
      return [{ where, value: JSON.parse(line) as unknown }];
    } catch (cause) {
      throw new AssayError('INPUT_INVALID', `${where} is not JSON`, { cause });
    }
  });
}

const TEXTS = ['text', 'sourceText', 'source_text', 'input', 'page_content', 'pageContent', 'document'];
const ANSWERS = ['output', 'graph', 'result', 'answer', 'response'];

function namesIn(value: unknown): string[] {
  const row = unwrap(value);
  if (!isRecord(row)) return [];
  const source = unwrap(row.source);
  const metadata = isRecord(source) ? source.metadata : row.metadata;
  const named = [row, metadata, source].flatMap((one) =>
    isRecord(one) ? [...NAMES, 'source'].map((key) => one[key]) : [],
  );
  return textsOf(named);
}

function textsIn(value: unknown): string[] {
  const row = unwrap(value);
  if (!isRecord(row)) return [];
  const source = unwrap(row.source);
  return textsOf(TEXTS.flatMap((key) => [row[key], isRecord(source) ? source[key] : undefined]));
}

function answerIn(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const key = ANSWERS.find(
    (one) => isRecord(value[one]) || Array.isArray(value[one]) || typeof value[one] === 'string',
  );
  return key === undefined ? value : value[key];
}

export type ResultItem = {
  readonly where: string;
  readonly names: readonly string[];
  readonly texts: readonly string[];
  readonly value: unknown;
  readonly error?: string;
  readonly facts?: {
    readonly model?: string;
    readonly promptVersion?: string;
    readonly latencyMs?: number;
    readonly costUsd?: number;
  };
};

type ResultRow = { readonly where: string; readonly value: unknown };

const NAMES = ['id', 'case', 'caseId', 'case_id', 'name', 'topic', 'title'];

function textsOf(values: readonly unknown[]): string[] {
  return values.flatMap((one) => (typeof one === 'string' || typeof one === 'number' ? [String(one)] : []));
}

function figure(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function noAnswer(where: string, fault: unknown): string {
  return `${where} gave no answer${typeof fault === 'string' && fault !== '' ? `: ${fault.slice(0, 300)}` : ''}`;
}

type Fields = Readonly<Record<string, unknown>>;

const MOST_SAMPLES = 200_000;

function isInspectLog(
  value: unknown,
): value is { readonly eval: Fields; readonly samples: readonly unknown[] } {
  return (
    isRecord(value) &&
    isRecord(value.eval) &&
    typeof value.eval.task === 'string' &&
    Array.isArray(value.samples)
  );
}

function inspectArchive(path: string, map: OutputMap): ResultItem[] {
  const evaluation = openEvaluation(path);
  if (evaluation === undefined)
    throw new AssayError('INPUT_INVALID', `${path} is no archive of Inspect AI, or it is damaged`);
  try {
    const items: ResultItem[] = [];
    for (const sample of evaluation.samples()) {
      if (items.length >= MOST_SAMPLES)
        throw new AssayError('INPUT_INVALID', `${path} has more than ${MOST_SAMPLES} samples`);
      items.push(inspectItem(sample, evaluation.about, `${path}: sample ${items.length + 1}`, map));
    }
    return items;
  } finally {
    evaluation.close();
  }
}

type Found = Pick<ResultItem, 'where' | 'texts' | 'facts'> & {
  readonly row: Fields;
  readonly output: unknown;
  readonly fault: unknown;
  readonly names: readonly unknown[];
};

/** Shared by all tools; `map` may locate the name and output of a row. */
function resultItem({ row, output, fault, names, ...found }: Found, map: OutputMap): ResultItem {
  const isEmpty = output === undefined || output === null || output === '';
  return {
    ...found,
    names: textsOf(map.id === undefined ? names : [valueAt(row, parsePath(map.id, 'id'))]),
    value: map.output === undefined ? output : row,
    error: isEmpty ? noAnswer(found.where, fault) : undefined,
  };
}

function modelName(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, 200) : undefined;
}

/** A cost of 0 means that no price was known. */
function paid(value: unknown): number | undefined {
  return figure(value) || undefined;
}

function millisecondsOf(seconds: unknown): number | undefined {
  const found = figure(seconds);
  return found === undefined ? undefined : found * 1000;
}

function inspectItem(value: unknown, about: Fields, where: string, map: OutputMap): ResultItem {
  const sample = isRecord(value) ? value : {};
  const { id, error, metadata, model_usage } = sample;
  const { model } = about;
  const usage = isRecord(model_usage) && typeof model === 'string' ? model_usage[model] : undefined;
  return resultItem(
    {
      where: typeof id === 'string' || typeof id === 'number' ? `${where} (${id})` : where,
      row: sample,
      output: answerText(sample.output),
      fault: isRecord(error) ? error.message : undefined,
      names: [id, ...NAMES.map((key) => (isRecord(metadata) ? metadata[key] : undefined))],
      texts: textsWithin(sample.input),
      facts: {
        model: modelName(model),
        latencyMs: millisecondsOf(sample.total_time),
        costUsd: isRecord(usage) ? paid(usage.total_cost) : undefined,
      },
    },
    map,
  );
}

function isLangfuseRow(value: unknown): boolean {
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

function langfuseItems(rows: readonly ResultRow[], map: OutputMap, path: string): ResultItem[] {
  const traces = rows.filter(({ value }) => isTrace(value));
  const all = traces.length > 0 ? traces : rows;
  const parentOf = (row: Fields) => row.parentObservationId ?? row.parent_observation_id;
  const roots = all.filter(({ value }) => isRecord(value) && !parentOf(value));
  const chosen =
    roots.length > 0 ? roots : all.filter(({ value }) => isRecord(value) && value.type === 'GENERATION');
  const items = chosen
    .map(({ where, value }) => langfuseItem(where, isRecord(value) ? value : {}, map))
    .filter(({ facts }) => map.provider === undefined || facts?.model === map.provider);
  refuseSeveral(
    'model',
    'provider',
    items.flatMap(({ facts }) => facts?.model ?? []),
    path,
  );
  return items;
}

function langfuseItem(where: string, row: Fields, map: OutputMap): ResultItem {
  const input = parsed(row.input);
  const named = [row.metadata, input].map((one) => (isRecord(parsed(one)) ? (parsed(one) as Fields) : {}));
  return resultItem(
    {
      where,
      row,
      output: answerText(parsed(row.output)),
      fault: row.statusMessage ?? row.status_message,
      names: named.flatMap((fields) => NAMES.map((key) => fields[key])),
      texts: textsWithin(input),
      facts: {
        model: modelName(row.model ?? row.provided_model_name),
        latencyMs: millisecondsOf(row.latency),
        costUsd: paid(row.totalCost ?? row.total_cost ?? row.calculatedTotalCost),
      },
    },
    map,
  );
}

/** Answers of two models or prompts are not repeats of each other. */
function refuseSeveral(what: string, key: 'provider' | 'prompt', all: readonly string[], path: string): void {
  const names = [...new Set(all)];
  if (names.length < 2) return;
  const some = names.slice(0, 5).map((name) => (name.length > 60 ? `${name.slice(0, 60)}…` : name));
  throw new AssayError(
    'INPUT_INVALID',
    `${path} holds the answers of ${names.length} ${what}s: ${some.join('; ')}`,
    { remedy: [{ say: 'Choose one', options: { map: `${key}=${some[0]}` } }] },
  );
}

/** Exports to storage contain messages as JSON text. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** promptfoo writes `testIdx` and `promptIdx` into every row. */
function isPromptfooRow(value: unknown): boolean {
  return isRecord(value) && typeof value.testIdx === 'number' && typeof value.promptIdx === 'number';
}

function promptfooItems(rows: readonly ResultRow[], map: OutputMap, path: string): ResultItem[] {
  const all = rows.map(({ value, where }) => ({ where, row: value as Fields }));
  const chosen = all.filter(
    ({ row }) =>
      (map.provider === undefined || providerOf(row) === map.provider) &&
      (map.prompt === undefined || labelOf(row) === map.prompt),
  );
  const own = chosen.map(({ row }) => row);
  refuseSeveral('provider', 'provider', own.map(providerOf), path);
  refuseSeveral('prompt', 'prompt', own.map(labelOf), path);
  return chosen.map(({ where, row }) => promptfooItem(where, row, map));
}

function providerOf({ provider }: Fields): string {
  const id = isRecord(provider) ? (provider.label ?? provider.id) : provider;
  return typeof id === 'string' && id !== '' ? id : 'an unnamed provider';
}

function labelOf({ prompt }: Fields): string {
  const label = isRecord(prompt) ? (prompt.label ?? prompt.raw) : prompt;
  return typeof label === 'string' ? label : '';
}

function promptfooItem(where: string, row: Fields, map: OutputMap): ResultItem {
  const test = isRecord(row.testCase) ? row.testCase : {};
  const vars = { ...(isRecord(test.vars) ? test.vars : {}), ...(isRecord(row.vars) ? row.vars : {}) };
  const metadata = isRecord(test.metadata) ? test.metadata : {};
  const response = isRecord(row.response) ? row.response : {};
  const label = labelOf(row);
  return resultItem(
    {
      where: `${where} test ${Number(row.testIdx) + 1}`,
      row,
      output: response.output ?? row.output,
      // promptfoo reports a failed assertion as an error, but it has an answer; only rows without an answer failed.
      fault: row.error ?? response.error,
      names: [...NAMES.flatMap((key) => [metadata[key], vars[key]]), test.description],
      texts: textsOf(Object.values(vars)),
      facts: {
        model: modelName(providerOf(row)),
        promptVersion: label !== '' && label.length <= 100 ? label : undefined,
        latencyMs: figure(row.latencyMs),
        costUsd: figure(row.cost),
      },
    },
    map,
  );
}
