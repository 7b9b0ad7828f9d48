/** Code Climate issues, as GitLab and many linters write them: a list, or one issue per line. */
import { z } from 'zod';
import type { Severity } from '../truth.ts';
import { linesOf, MAX_ITEMS } from './fields.ts';
import { importedRun, titled } from './imported-run.ts';
import { mapperFor, type SeverityTable } from './mapping.ts';
import type { ImportedRuns, RunOptions } from './run.ts';
import { check, refuse, type Source } from './validate.ts';

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

export function importCodeClimate(source: Source, options: RunOptions): ImportedRuns {
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
  return importedRun(source, 'Code Climate', undefined, findings, mapper, [], options);
}
