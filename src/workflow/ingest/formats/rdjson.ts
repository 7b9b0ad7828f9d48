/** reviewdog's diagnostic format, as one document (rdjson) or one diagnostic per line (rdjsonl). */
import { z } from 'zod';
import { isRecord, MAX_ITEMS } from '../fields.ts';
import { reportImporter } from '../imported-run.ts';
import { linesAsOne } from './importer.ts';

const position = z.object({ line: z.int().optional() });
/** Names or numbers of the enumeration: protocol buffers allow both. */
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

export const rdjson = reportImporter({
  name: 'rdjson',
  title: 'reviewdog rdjson',
  suffixes: { '.rdjson': 'json', '.rdjsonl': 'jsonl' },
  cannotCarry: ['workflow', 'task', 'depth', 'concerns', 'quote', 'labels', 'tokens'],
  severities: new Map([
    ['ERROR', 'CRITICAL'],
    ['WARNING', 'IMPORTANT'],
    ['INFO', 'MINOR'],
    ['UNKNOWN_SEVERITY', undefined],
    ['1', 'CRITICAL'],
    ['2', 'IMPORTANT'],
    ['3', 'MINOR'],
    ['0', undefined],
  ]),
  schema,
  detect: (file) => {
    if (file.kind === 'document')
      return isRecord(file.document.value) && Array.isArray(file.document.value.diagnostics);
    if (file.kind === 'text') return false;
    const first = file.lines[0]?.value;
    // A clean report has no lines, so only the file name identifies it.
    if (first === undefined) return file.path.endsWith('.rdjsonl');
    return isRecord(first) && Object.hasOwn(first, 'message') && Object.hasOwn(first, 'location');
  },
  reportIn: (file) => {
    if (file.kind === 'lines') return linesAsOne(file, (diagnostics) => ({ diagnostics }), 1);
    return file.kind === 'document' ? file.document : undefined;
  },
  read: ({ source, severity: overall, diagnostics }) => ({
    workflow: source?.name ?? diagnostics.find((one) => one.source?.name)?.source?.name,
    findings: diagnostics.map(({ message, severity = overall, code, location }, index) => ({
      place: ['diagnostics', index],
      message,
      severity,
      category: code?.value?.trim(),
      file: location?.path,
      from: location?.range?.start.line,
      to: location?.range?.end?.line,
    })),
  }),
});
