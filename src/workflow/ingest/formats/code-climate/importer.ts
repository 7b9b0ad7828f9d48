/** Code Climate issues, as GitLab and many linters write them: a list, or one issue per line. */
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

const SEVERITIES: SeverityTable = {
  format: 'Code Climate',
  values: new Map<string, Severity | undefined>([
    ['blocker', 'CRITICAL'],
    ['critical', 'CRITICAL'],
    ['major', 'IMPORTANT'],
    ['minor', 'MINOR'],
    ['info', 'MINOR'],
  ]),
};

export const codeClimate: Importer = {
  name: 'code-climate',
  title: 'Code Climate',
  cannotCarry: ['workflow', 'task', 'depth', 'concerns', 'quote', 'labels', 'tokens'],
  detect: (file) => {
    if (file.kind === 'lines') return isIssue(file.lines[0]?.value);
    if (file.kind === 'text' || !Array.isArray(file.document.value)) return false;
    const issues: readonly unknown[] = file.document.value;
    // A clean report is an empty list; a list of no runs would be no file at all.
    return issues.length === 0 || isIssue(issues[0]);
  },
  readRuns: (file, options) => readIssues(rawValueOf(file), options),
};

function isIssue(value: unknown): boolean {
  return isRecord(value) && (Object.hasOwn(value, 'check_name') || Object.hasOwn(value, 'fingerprint'));
}

function rawValueOf(file: RawFile): RawValue {
  if (file.kind === 'document') return file.document;
  if (file.kind === 'lines') return linesAsOne(file, (issues) => issues);
  throw refuse({ path: file.path, value: undefined }, [], 'is text, not a list of issues');
}

function readIssues(source: RawValue, options: ImportOptions): ImportedRuns {
  const issues = check(z.array(issue).max(MAX_ITEMS), source);
  const mapper = mapperFor(source, SEVERITIES, options.maps);
  const findings = issues.map(
    ({ description, content, check_name, categories, severity: given, location }, index) => {
      const severity = given === undefined ? undefined : mapper.severity(given, [index, 'severity']);
      const [category] = categories ?? [];
      const { path, positions } = location;
      const from = location.lines?.begin ?? positions?.begin.line;
      const to = location.lines?.end ?? positions?.end?.line;
      if (from !== undefined && to !== undefined && to >= 1 && to < from) {
        throw refuse(source, [index, 'location'], `ends at line ${to}, before it begins at line ${from}`);
      }
      const lines = linesOf(from, to);
      return {
        ...titled(content?.body ? `${description}\n${content.body}` : description),
        ...(severity !== undefined && { severity }),
        ...(category !== undefined
          ? { category: mapper.category(category, [index, 'categories', 0]) }
          : check_name && {
              category: mapper.category(check_name, [index, 'check_name']),
            }),
        file: path,
        ...(lines !== undefined && { lines }),
      };
    },
  );
  return importedRun(source, 'Code Climate', {}, findings, mapper, [], options);
}
