/** Output of `semgrep scan --json`. */
import { z } from 'zod';
import { isRecord, MAX_ITEMS } from '../fields.ts';
import { reportImporter } from '../imported-run.ts';

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

export const semgrep = reportImporter({
  name: 'semgrep',
  title: 'Semgrep',
  cannotCarry: ['task', 'depth', 'concerns', 'labels', 'tokens'],
  severities: new Map([
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
  schema,
  detect: (file) => {
    const value = file.kind === 'document' ? file.document.value : undefined;
    if (!isRecord(value) || !Array.isArray(value.results)) return false;
    const [first] = value.results as readonly unknown[];
    // A clean report still lists the scanned paths and errors.
    return first === undefined
      ? isRecord(value.paths) && Array.isArray(value.errors)
      : isRecord(first) && Object.hasOwn(first, 'check_id');
  },
  reportIn: (file) => (file.kind === 'document' ? file.document : undefined),
  read: ({ version, results, errors }) => {
    const ignored = results.filter(({ extra }) => extra?.is_ignored === true).length;
    const failures = (errors ?? []).filter(({ level }) => level === undefined || level === 'error');
    return {
      workflow: ['Semgrep', version].filter(Boolean).join(' '),
      findings: results.flatMap(({ check_id, path, start, end, extra = {} }, index) => {
        if (extra.is_ignored === true) return [];
        return {
          place: ['results', index],
          message: extra.message?.trim() || check_id,
          severity: extra.severity,
          category: check_id,
          tag: weaknessOf(extra.metadata?.cwe),
          file: path,
          from: start?.line,
          to: end?.line,
          quote: quoteOf(extra.lines),
        };
      }),
      notes: [
        ignored > 0 && `results that are ignored, no findings: ${ignored}`,
        failures.length > 0 &&
          `errors that the tool met, so that it may have missed something: ${failures.length}`,
      ].filter((note) => note !== false),
    };
  },
});

/** `CWE-89: Improper Neutralization …` */
function weaknessOf(cwe: string | string[] | undefined): string | undefined {
  const [first] = typeof cwe === 'string' ? [cwe] : (cwe ?? []);
  const number = /^cwe-0*(\d{1,5})\b/i.exec(first ?? '')?.[1];
  return number === undefined ? undefined : `CWE-${number}`;
}

/** Without an account, the tool writes a notice instead of the matched lines. */
function quoteOf(lines: string | undefined): string | undefined {
  const quote = lines?.trim();
  return quote === undefined || quote === '' || quote === 'requires login' ? undefined : quote;
}
