/**
 * A plain list of findings with places and texts. Prompts often ask models for it, and benchmarks such as BC-Bench
 * write it.
 */
import { isRecord, linesOf, MAX_ITEMS, type RawValue, refuse } from '../fields.ts';
import { importedRun, titled } from '../imported-run.ts';
import { mapperFor } from '../mapping.ts';
import { WRITTEN_SEVERITIES } from '../review-remarks.ts';
import { type Importer, linesAsOne, type RawFile } from './importer.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Common names for the parts of a finding, the usual name first. */
const FILE = ['file', 'path', 'filePath', 'file_path', 'filename'];
const FROM = ['line', 'line_start', 'start_line', 'startLine', 'lineNumber', 'line_number'];
const TO = ['line_end', 'end_line', 'endLine'];
const TEXT = ['title', 'summary', 'message', 'issue', 'body', 'comment', 'description'];
const CATEGORY = ['category', 'domain', 'type', 'rule'];
const LISTS = ['findings', 'issues', 'comments'];

export const flatList: Importer = {
  name: 'flat-list',
  title: 'flat list',
  cannotCarry: ['depth', 'concerns', 'labels', 'tokens'],
  detect: (file) => {
    const items = itemsOf(file)?.value;
    return Array.isArray(items) && items.every(isFinding) && (items.length > 0 || file.kind === 'document');
  },
  readRuns: (file, options) => {
    const source = itemsOf(file);
    if (source === undefined || !Array.isArray(source.value))
      throw refuse({ path: file.path, value: undefined }, [], 'is no list of findings');
    if (source.value.length > MAX_ITEMS) throw refuse(source, [], `has more than ${MAX_ITEMS} findings`);
    const mapper = mapperFor(source, WRITTEN_SEVERITIES, options.maps);
    const findings = (source.value as readonly Fields[]).map((one, index) => {
      const severity = wordIn(one, ['severity'])?.toLowerCase();
      const category = wordIn(one, CATEGORY);
      const [from, to] = [numberIn(one, FROM), numberIn(one, TO)];
      const { title, description } = titled(wordIn(one, TEXT) ?? '');
      const more = wordIn(
        one,
        ['description', 'body', 'message'].filter((key) => one[key] !== title),
      );
      return {
        title,
        description: description ?? more,
        severity: severity === undefined ? undefined : mapper.severity(severity, [index, 'severity']),
        category: category === undefined ? undefined : mapper.category(category),
        file: wordIn(one, FILE),
        lines: linesOf(from, to),
        quote: wordIn(one, ['quote']),
      };
    });
    return importedRun(source, {}, findings, mapper, [], options);
  },
};

function itemsOf(file: RawFile): RawValue | undefined {
  if (file.kind === 'lines') return linesAsOne(file, (values) => values);
  if (file.kind !== 'document') return undefined;
  const { value } = file.document;
  if (Array.isArray(value)) return file.document;
  // Assay's own format names its workflow.
  if (!isRecord(value) || 'workflow' in value || 'errors' in value || 'traps' in value) return undefined;
  const list = LISTS.find((key) => Array.isArray(value[key]));
  return list === undefined ? undefined : { path: file.path, value: value[list] };
}

function isFinding(value: unknown): boolean {
  return isRecord(value) && wordIn(value, FILE) !== undefined && wordIn(value, TEXT) !== undefined;
}

function wordIn(fields: Fields, keys: readonly string[]): string | undefined {
  const found = keys.map((key) => fields[key]).find((one) => typeof one === 'string' && one.trim() !== '');
  return found as string | undefined;
}

function numberIn(fields: Fields, keys: readonly string[]): number | undefined {
  const found = keys
    .map((key) => fields[key])
    .find((one) => typeof one === 'number' || /^\d{1,9}$/.test(String(one)));
  const number = Number(found);
  return found !== undefined && Number.isInteger(number) && number > 0 ? number : undefined;
}
