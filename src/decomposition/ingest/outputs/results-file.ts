/** Files that hold many outputs: results of promptfoo, logs of Inspect AI, exports of Langfuse, lists, lines of JSON, one object by case. */
import { AssayError } from '../../../errors.ts';
import { readText } from '../../../files.ts';
import { isRecord, listIn } from './foreign-graph.ts';
import { inspectArchive, inspectItem, isInspectLog } from './inspect-log.ts';
import { unwrap } from './known-shapes.ts';
import { isLangfuseRow, langfuseItems } from './langfuse-export.ts';
import type { OutputMap } from './output-map.ts';
import { isPromptfooRow, promptfooItems } from './promptfoo-results.ts';
import { NAMES, type ResultItem, type ResultRow, textsOf } from './result-item.ts';
import { parsePath, valueAt } from './value-path.ts';

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
  /** What a log says of all its samples. */
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
