/** Texts that may become golden cases: JSON lines, CSV, Langfuse exports, and promptfoo results and tests. */
import { CsvError, parse as parseCsv } from 'csv-parse/sync';
import { parse as parseYaml } from 'yaml';
import { AssayError } from '../../errors.ts';
import { readText } from '../../files.ts';
import type { OutputMap } from '../ingest/outputs/output-map.ts';
import { readResults } from '../ingest/outputs/results-file.ts';

export type ImportItem = {
  readonly where: string;
  readonly name?: string | undefined;
  readonly topic?: string | undefined;
  readonly domain?: string | undefined;
  readonly text?: string | undefined;
  /** The known answer: an output, or the expected one. */
  readonly answer?: unknown;
};

/** More than anybody corrects; a larger file is not a list of texts. */
const MOST_ROWS = 100_000;

export function readImport(path: string, map: OutputMap): readonly ImportItem[] {
  const items = itemsOf(path, map);
  if (items.length === 0) throw new AssayError('INPUT_INVALID', `${path} holds no texts`);
  if (items.length > MOST_ROWS)
    throw new AssayError('INPUT_INVALID', `${path} has ${items.length} texts; at most ${MOST_ROWS} are read`);
  return items;
}

function itemsOf(path: string, map: OutputMap): readonly ImportItem[] {
  if (/\.csv$/i.test(path)) return csvItems(path);
  if (/\.ya?ml$/i.test(path)) return testItems(parsed(path, parseYaml), path) ?? [];
  const tests = /\.json$/i.test(path) ? testItems(parsed(path, JSON.parse), path) : undefined;
  if (tests !== undefined) return tests;
  return readResults(path, map).items.map(({ where, names, texts, value }) => {
    const row = rowItem(where, isRecord(value) ? value : {});
    return { ...row, name: names[0], text: longest(texts), answer: row.answer ?? value };
  });
}

function parsed(path: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(readText(path));
  } catch (cause) {
    if (cause instanceof AssayError) throw cause;
    throw new AssayError('INPUT_INVALID', `${path} cannot be read as ${path.split('.').at(-1)}`, { cause });
  }
}

type Fields = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A promptfoo configuration that contains its tests. */
function testItems(value: unknown, path: string): readonly ImportItem[] | undefined {
  const tests = isRecord(value) ? value.tests : undefined;
  if (!Array.isArray(tests)) return undefined;
  return tests.map((test: unknown, i) => {
    const where = `${path}: test ${i + 1}`;
    const { vars, description, metadata } = isRecord(test) ? test : {};
    const row = isRecord(vars) ? vars : {};
    const item = rowItem(where, { ...(isRecord(metadata) ? metadata : {}), ...row });
    const text = item.text ?? longest(Object.values(row));
    return { ...item, text, topic: item.topic ?? textIn({ description }, ['description']) };
  });
}

function csvItems(path: string): readonly ImportItem[] {
  try {
    const rows = parseCsv(readText(path), { columns: true, bom: true, skip_empty_lines: true }) as Fields[];
    return rows.map((row, i) => rowItem(`${path}: row ${i + 1}`, row));
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    throw new AssayError('INPUT_INVALID', `${path}: ${cause.message}`, { cause });
  }
}

const TEXTS = ['sourceText', 'source_text', 'text', 'input', 'document', 'content'];
const ANSWERS = ['expected', 'expected_output', 'expectedOutput', 'output', 'answer'];

function rowItem(where: string, row: Fields): ImportItem {
  const answer = ANSWERS.map((key) => row[key]).find((one) => one !== undefined && one !== '');
  return {
    where,
    name: textIn(row, ['id', 'name', 'case', 'title']),
    topic: textIn(row, ['topic', 'title', 'subject']),
    domain: textIn(row, ['domain', 'category']),
    text: textIn(row, TEXTS),
    answer,
  };
}

function textIn(row: Fields, keys: readonly string[]): string | undefined {
  return keys
    .map((key) => row[key])
    .find((one): one is string => typeof one === 'string' && one.trim() !== '');
}

function longest(values: readonly unknown[]): string | undefined {
  const texts = values.filter((one): one is string => typeof one === 'string' && one.trim() !== '');
  return texts.toSorted((a, b) => b.length - a.length)[0];
}
