/** reviewdog's diagnostic format, as one document (rdjson) or one diagnostic per line (rdjsonl). */
import { z } from 'zod';
import type { Severity } from '../../../truth.ts';
import { linesOf, MAX_ITEMS } from '../../fields.ts';
import { importedRun, titled } from '../../imported-run.ts';
import { isRecord } from '../../is-record.ts';
import { mapperFor, type SeverityTable } from '../../mapping.ts';
import { check, type RawValue, refuse } from '../../validate.ts';
import {
  type ImportedRuns,
  type Importer,
  type ImportOptions,
  linesAsOne,
  type RawFile,
} from '../importer.ts';

const position = z.object({ line: z.int().optional() });
/** The names of the enumeration, or its numbers: protocol buffers allow both. */
const severityValue = z
  .union([z.string(), z.int()], { error: 'must be a name or a number' })
  .transform(String)
  .optional();
const tool = z.object({ name: z.string().optional() }).nullish();

const schema = z.object({
  source: tool,
  severity: severityValue,
  diagnostics: z
    .array(
      z.object({
        message: z.string().trim().min(1),
        location: z
          .object({
            path: z.string().optional(),
            range: z.object({ start: position, end: position.nullish() }).nullish(),
          })
          .nullish(),
        severity: severityValue,
        source: tool,
        code: z.object({ value: z.string().optional() }).nullish(),
      }),
    )
    .max(MAX_ITEMS),
});

const SEVERITIES: SeverityTable = {
  format: 'rdjson',
  values: new Map<string, Severity | undefined>([
    ['ERROR', 'CRITICAL'],
    ['WARNING', 'IMPORTANT'],
    ['INFO', 'MINOR'],
    ['UNKNOWN_SEVERITY', undefined],
    ['1', 'CRITICAL'],
    ['2', 'IMPORTANT'],
    ['3', 'MINOR'],
    ['0', undefined],
  ]),
};

export const rdjson: Importer = {
  name: 'rdjson',
  title: 'reviewdog rdjson',
  suffixes: { '.rdjson': 'json', '.rdjsonl': 'jsonl' },
  cannotCarry: ['workflow', 'task', 'depth', 'concerns', 'quote', 'labels', 'tokens'],
  detect: (file) => {
    if (file.kind === 'document')
      return isRecord(file.document.value) && Array.isArray(file.document.value.diagnostics);
    if (file.kind === 'text') return false;
    const first = file.lines[0]?.value;
    // A clean report has no line; only its name can say what it is.
    if (first === undefined) return file.path.endsWith('.rdjsonl');
    return isRecord(first) && Object.hasOwn(first, 'message') && Object.hasOwn(first, 'location');
  },
  readRuns: (file, options) => readDiagnostics(rawValueOf(file), options),
};

function rawValueOf(file: RawFile): RawValue {
  if (file.kind === 'document') return file.document;
  if (file.kind === 'lines') return linesAsOne(file, (diagnostics) => ({ diagnostics }), 1);
  throw refuse({ path: file.path, value: undefined }, [], 'is text, not diagnostics');
}

function readDiagnostics(source: RawValue, options: ImportOptions): ImportedRuns {
  const document = check(schema, source);
  const mapper = mapperFor(source, SEVERITIES, options.maps);
  const findings = document.diagnostics.map((diagnostic, index) => {
    const place = ['diagnostics', index];
    const given = diagnostic.severity ?? document.severity;
    const severity = given === undefined ? undefined : mapper.severity(given, [...place, 'severity']);
    const code = diagnostic.code?.value?.trim();
    const { path, range } = diagnostic.location ?? {};
    const [from, to] = [range?.start.line, range?.end?.line];
    if (from !== undefined && to !== undefined && to >= 1 && to < from) {
      throw refuse(
        source,
        [...place, 'location', 'range'],
        `ends at line ${to}, before it begins at line ${from}`,
      );
    }
    const lines = linesOf(from, to);
    return {
      ...titled(diagnostic.message),
      ...(severity !== undefined && { severity }),
      ...(code && { category: mapper.category(code, [...place, 'code', 'value']) }),
      ...(path && { file: path }),
      ...(lines !== undefined && { lines }),
    };
  });
  const name = document.source?.name ?? document.diagnostics.find((one) => one.source?.name)?.source?.name;
  return importedRun(source, 'rdjson', { workflow: name }, findings, mapper, [], options);
}
