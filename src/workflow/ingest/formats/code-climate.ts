/** Code Climate issues, as GitLab and many linters write them: a list, or one issue per line. */
import { z } from 'zod';
import { isRecord, MAX_ITEMS } from '../fields.ts';
import { reportImporter } from '../imported-run.ts';
import { linesAsOne } from './importer.ts';

const line = z.int();
const position = z.object({ line });

const issue = z.object({
  description: z.string().trim().min(1),
  content: z.object({ body: z.string() }).nullish(),
  check_name: z.string().trim().optional(),
  categories: z.array(z.string().trim().min(1)).optional(),
  severity: z.string().optional(),
  location: z.object({
    path: z.string().trim().min(1),
    lines: z.object({ begin: line, end: line.optional() }).optional(),
    positions: z.object({ begin: position, end: position.optional() }).optional(),
  }),
});

export const codeClimate = reportImporter({
  name: 'code-climate',
  title: 'Code Climate',
  cannotCarry: ['workflow', 'task', 'depth', 'concerns', 'quote', 'labels', 'tokens'],
  severities: new Map([
    ['blocker', 'CRITICAL'],
    ['critical', 'CRITICAL'],
    ['major', 'IMPORTANT'],
    ['minor', 'MINOR'],
    ['info', 'MINOR'],
  ]),
  schema: z.array(issue).max(MAX_ITEMS),
  detect: (file) => {
    if (file.kind === 'lines') return isIssue(file.lines[0]?.value);
    if (file.kind === 'text' || !Array.isArray(file.document.value)) return false;
    const issues: readonly unknown[] = file.document.value;
    // An empty list is a clean report, because an empty list of runs would not be a valid file.
    return issues.length === 0 || isIssue(issues[0]);
  },
  reportIn: (file) => {
    if (file.kind === 'lines') return linesAsOne(file, (issues) => issues);
    return file.kind === 'document' ? file.document : undefined;
  },
  read: (issues) => ({
    findings: issues.map(({ description, content, check_name, categories, severity, location }, index) => ({
      place: [index],
      message: content?.body ? `${description}\n${content.body}` : description,
      severity,
      category: categories?.[0] ?? check_name,
      file: location.path,
      from: location.lines?.begin ?? location.positions?.begin.line,
      to: location.lines?.end ?? location.positions?.end?.line,
    })),
  }),
});

function isIssue(value: unknown): boolean {
  return isRecord(value) && (Object.hasOwn(value, 'check_name') || Object.hasOwn(value, 'fingerprint'));
}
