/** Files that hold many outputs: results of promptfoo, lists, lines of JSON, one object by case. */
import { AssayError } from '../../../errors.ts';
import { readText } from '../../../files.ts';
import { isRecord, listIn } from './foreign-graph.ts';
import { unwrap } from './known-shapes.ts';
import type { OutputMap } from './output-map.ts';
import { parsePath, valueAt } from './value-path.ts';

/** One output, and what it could be paired with a case by. */
export type ResultItem = {
  /** Where it stands, for errors. */
  readonly where: string;
  /** Names that may be that of a case. */
  readonly names: readonly string[];
  /** Texts that may be that of a case. */
  readonly texts: readonly string[];
  readonly value: unknown;
  /** Why there is no value. */
  readonly error?: string;
  readonly facts?: {
    readonly model?: string;
    readonly promptVersion?: string;
    readonly latencyMs?: number;
    readonly costUsd?: number;
  };
};

export type ResultItems = { readonly items: readonly ResultItem[]; readonly format: string };

export function readResults(path: string, map: OutputMap): ResultItems {
  const { rows, keyed } = rowsOf(path);
  if (keyed !== undefined) return { format: 'outputs by case', items: keyed };
  if (rows.length > 0 && rows.every(({ value }) => isPromptfooRow(value))) {
    return { format: 'results of promptfoo', items: promptfooItems(rows, map, path) };
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

type Row = { readonly where: string; readonly value: unknown };

function rowsOf(path: string): { readonly rows: readonly Row[]; readonly keyed?: readonly ResultItem[] } {
  const text = readText(path);
  if (/\.(jsonl|ndjson)$/i.test(path)) return { rows: linesOf(text, path) };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new AssayError('INPUT_INVALID', `${path} is neither a folder nor JSON`, { cause });
  }
  const inner = isRecord(value) && isRecord(value.results) ? value.results : value;
  const list = Array.isArray(value) ? value : listIn(inner, 'results');
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

function linesOf(text: string, path: string): Row[] {
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

const NAMES = ['id', 'case', 'caseId', 'case_id', 'name', 'topic', 'title'];
const TEXTS = ['text', 'sourceText', 'source_text', 'input', 'page_content', 'pageContent', 'document'];
const ANSWERS = ['output', 'graph', 'result', 'answer', 'response'];

/** What names an item: its own fields, or those of the document it was made from. */
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

/** The output of a row that holds more than it. */
function answerIn(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const key = ANSWERS.find(
    (one) => isRecord(value[one]) || Array.isArray(value[one]) || typeof value[one] === 'string',
  );
  return key === undefined ? value : value[key];
}

function textsOf(values: readonly unknown[]): string[] {
  return values.flatMap((one) => (typeof one === 'string' || typeof one === 'number' ? [String(one)] : []));
}

/** `testIdx` and `promptIdx` are in every row that promptfoo writes. */
function isPromptfooRow(value: unknown): boolean {
  return isRecord(value) && typeof value.testIdx === 'number' && typeof value.promptIdx === 'number';
}

function promptfooItems(rows: readonly Row[], map: OutputMap, path: string): ResultItem[] {
  const all = rows.map(({ value, where }) => ({ where, row: value as Record<string, unknown> }));
  const chosen = all.filter(
    ({ row }) =>
      (map.provider === undefined || providerOf(row) === map.provider) &&
      (map.prompt === undefined || labelOf(row) === map.prompt),
  );
  refuseSeveral(
    chosen.map(({ row }) => row),
    path,
  );
  return chosen.map(({ where, row }) => promptfooItem(where, row, map));
}

/** Answers of two models or prompts are no repeats of each other. */
function refuseSeveral(rows: readonly Record<string, unknown>[], path: string): void {
  for (const [key, nameOf] of [
    ['provider', providerOf],
    ['prompt', labelOf],
  ] as const) {
    const names = [...new Set(rows.map(nameOf))];
    if (names.length < 2) continue;
    const some = names.slice(0, 5).map((name) => (name.length > 60 ? `${name.slice(0, 60)}…` : name));
    throw new AssayError(
      'INPUT_INVALID',
      `${path} holds the answers of ${names.length} ${key}s: ${some.join('; ')}`,
      {
        remedy: [{ say: 'Choose one', options: { map: `${key}=${some[0]}` } }],
      },
    );
  }
}

function providerOf({ provider }: Record<string, unknown>): string {
  const id = isRecord(provider) ? (provider.label ?? provider.id) : provider;
  return typeof id === 'string' && id !== '' ? id : 'an unnamed provider';
}

function labelOf({ prompt }: Record<string, unknown>): string {
  const label = isRecord(prompt) ? (prompt.label ?? prompt.raw) : prompt;
  return typeof label === 'string' ? label : '';
}

function promptfooItem(where: string, row: Record<string, unknown>, map: OutputMap): ResultItem {
  const test = isRecord(row.testCase) ? row.testCase : {};
  const vars = { ...(isRecord(test.vars) ? test.vars : {}), ...(isRecord(row.vars) ? row.vars : {}) };
  const metadata = isRecord(test.metadata) ? test.metadata : {};
  const id = map.id === undefined ? undefined : valueAt(row, parsePath(map.id, 'id'));
  const own = [...NAMES.flatMap((key) => [metadata[key], vars[key]]), test.description];
  const response = isRecord(row.response) ? row.response : {};
  const output = response.output ?? row.output;
  const fault = row.error ?? response.error;
  const label = labelOf(row);
  return {
    where: `${where} test ${Number(row.testIdx) + 1}`,
    names: textsOf(map.id === undefined ? own : [id]),
    texts: textsOf(Object.values(vars)),
    value: map.output === undefined ? output : row,
    // A failed assertion is an error there and an answer here; only what gave no answer failed.
    ...(output === undefined || output === null || output === ''
      ? { error: `${where} gave no answer${typeof fault === 'string' ? `: ${fault.slice(0, 300)}` : ''}` }
      : {}),
    facts: {
      model: providerOf(row).slice(0, 200),
      ...(label !== '' && label.length <= 100 && { promptVersion: label }),
      ...(typeof row.latencyMs === 'number' && row.latencyMs >= 0 && { latencyMs: row.latencyMs }),
      ...(typeof row.cost === 'number' && row.cost >= 0 && { costUsd: row.cost }),
    },
  };
}
