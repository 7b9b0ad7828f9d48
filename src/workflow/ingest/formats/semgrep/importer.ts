/** What `semgrep scan --json` writes. */
import { z } from 'zod';
import type { Severity } from '../../../truth.ts';
import { linesOf, MAX_ITEMS } from '../../fields.ts';
import { importedRun, titled } from '../../imported-run.ts';
import { isRecord } from '../../is-record.ts';
import { mapperFor, type SeverityTable } from '../../mapping.ts';
import { check, type RawValue, refuse } from '../../validate.ts';
import type { ImportedRuns, Importer, ImportOptions, RawFile } from '../importer.ts';

const position = z.object({ line: z.int().optional() });
const words = z.union([z.string(), z.array(z.string())]).optional();

const result = z.object({
  check_id: z.string().trim().min(1),
  path: z.string().trim().min(1),
  start: position.nullish(),
  end: position.nullish(),
  extra: z
    .object({
      message: z.string().optional(),
      severity: z.string().optional(),
      lines: z.string().optional(),
      is_ignored: z.boolean().nullish(),
      metadata: z.object({ cwe: words.catch(undefined) }).nullish(),
    })
    .optional(),
});

const schema = z.object({
  version: z.string().nullish(),
  results: z.array(result).max(MAX_ITEMS),
  errors: z.array(z.object({ level: z.string().optional() })).nullish(),
});

const SEVERITIES: SeverityTable = {
  format: 'Semgrep',
  values: new Map<string, Severity | undefined>([
    ['CRITICAL', 'CRITICAL'],
    ['ERROR', 'CRITICAL'],
    ['HIGH', 'CRITICAL'],
    ['WARNING', 'IMPORTANT'],
    ['MEDIUM', 'IMPORTANT'],
    ['INFO', 'MINOR'],
    ['LOW', 'MINOR'],
    ['INVENTORY', undefined],
    ['EXPERIMENT', undefined],
  ]),
};

export const semgrep: Importer = {
  name: 'semgrep',
  title: 'Semgrep',
  cannotCarry: ['task', 'depth', 'concerns', 'labels', 'tokens'],
  detect: (file) => {
    const value = file.kind === 'document' ? file.document.value : undefined;
    if (!isRecord(value) || !Array.isArray(value.results)) return false;
    const [first] = value.results as readonly unknown[];
    // A clean report still says which paths it scanned and what went wrong.
    return first === undefined
      ? isRecord(value.paths) && Array.isArray(value.errors)
      : isRecord(first) && Object.hasOwn(first, 'check_id');
  },
  readRuns: (file, options) => readResults(documentOf(file), options),
};

function documentOf(file: RawFile): RawValue {
  if (file.kind === 'document') return file.document;
  throw refuse({ path: file.path, value: undefined }, [], 'is no report of Semgrep');
}

function readResults(source: RawValue, options: ImportOptions): ImportedRuns {
  const report = check(schema, source);
  const mapper = mapperFor(source, SEVERITIES, options.maps);
  let ignored = 0;
  const findings = report.results.flatMap(({ check_id, path, start, end, extra = {} }, index) => {
    if (extra.is_ignored === true) {
      ignored += 1;
      return [];
    }
    const place = ['results', index];
    const severity =
      extra.severity === undefined
        ? undefined
        : mapper.severity(extra.severity, [...place, 'extra', 'severity']);
    const lines = linesOf(start?.line, end?.line);
    const quote = quoteOf(extra.lines);
    return [
      {
        ...titled(extra.message?.trim() || check_id),
        ...(severity !== undefined && { severity }),
        category: mapper.category(check_id, [...place, 'check_id'], weaknessOf(extra.metadata?.cwe)),
        file: path,
        ...(lines !== undefined && { lines }),
        ...(quote !== undefined && { quote }),
      },
    ];
  });
  const failures = (report.errors ?? []).filter(({ level }) => level === undefined || level === 'error');
  const notes = [
    ...(ignored > 0 ? [`results that are ignored, no findings: ${ignored}`] : []),
    ...(failures.length > 0
      ? [`errors that the tool met, so that it may have missed something: ${failures.length}`]
      : []),
  ];
  const workflow = ['Semgrep', report.version].filter(Boolean).join(' ');
  return importedRun(source, 'Semgrep', { workflow }, findings, mapper, notes, options);
}

/** `CWE-89: Improper Neutralization …` */
function weaknessOf(cwe: string | string[] | undefined): string | undefined {
  const [first] = typeof cwe === 'string' ? [cwe] : (cwe ?? []);
  const number = /^cwe-0*(\d{1,5})\b/i.exec(first ?? '')?.[1];
  return number === undefined ? undefined : `CWE-${number}`;
}

/** Without an account the tool writes a notice where the matched lines would stand. */
function quoteOf(lines: string | undefined): string | undefined {
  const quote = lines?.trim();
  return quote === undefined || quote === '' || quote === 'requires login' ? undefined : quote;
}
