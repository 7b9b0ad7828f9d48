/** What ESLint writes with `--format json`, or with `json-with-metadata`. */
import { z } from 'zod';
import type { Severity } from '../../../truth.ts';
import { linesOf, MAX_ITEMS } from '../../fields.ts';
import { importedRun, titled } from '../../imported-run.ts';
import { isRecord } from '../../is-record.ts';
import { mapperFor, type SeverityTable } from '../../mapping.ts';
import { check, type RawValue, refuse } from '../../validate.ts';
import type { ImportedRuns, Importer, ImportOptions, RawFile } from '../importer.ts';

const line = z.int().nullish();

const files = z
  .array(
    z.object({
      filePath: z.string().trim().min(1),
      messages: z
        .array(
          z.object({
            ruleId: z.string().nullish(),
            severity: z.union([z.string(), z.int()]).transform(String),
            message: z.string().trim().min(1),
            line,
            endLine: line,
            fatal: z.boolean().optional(),
          }),
        )
        .max(MAX_ITEMS),
    }),
  )
  .max(MAX_ITEMS);

const SEVERITIES: SeverityTable = {
  format: 'ESLint',
  values: new Map<string, Severity | undefined>([
    ['2', 'CRITICAL'],
    ['1', 'IMPORTANT'],
    ['error', 'CRITICAL'],
    ['warn', 'IMPORTANT'],
  ]),
};

export const eslint: Importer = {
  name: 'eslint',
  title: 'ESLint',
  cannotCarry: ['task', 'depth', 'concerns', 'quote', 'labels', 'tokens'],
  detect: (file) => {
    const [first] = listOf(file) ?? [];
    return isRecord(first) && Object.hasOwn(first, 'filePath') && Array.isArray(first.messages);
  },
  readRuns: (file, options) => readMessages(resultsOf(file), options),
};

function listOf(file: RawFile): readonly unknown[] | undefined {
  const value = file.kind === 'document' ? file.document.value : undefined;
  const list = isRecord(value) ? value.results : value;
  return Array.isArray(list) ? list : undefined;
}

function resultsOf(file: RawFile): RawValue {
  const value = listOf(file);
  if (value === undefined) throw refuse({ path: file.path, value }, [], 'is no report of ESLint');
  return { path: file.path, value };
}

function readMessages(source: RawValue, options: ImportOptions): ImportedRuns {
  const mapper = mapperFor(source, SEVERITIES, options.maps);
  const unread: string[] = [];
  const findings = check(files, source).flatMap(({ filePath, messages }, file) =>
    messages.flatMap((message, index) => {
      // The file could not be parsed: that says nothing about what a rule would have found in it.
      if (message.fatal === true) {
        unread.push(filePath);
        return [];
      }
      const place = [file, 'messages', index];
      const rule = message.ruleId?.trim();
      const lines = linesOf(message.line ?? undefined, message.endLine ?? undefined);
      const severity = mapper.severity(message.severity, [...place, 'severity']);
      return [
        {
          ...titled(message.message),
          ...(severity !== undefined && { severity }),
          ...(rule && { category: mapper.category(rule, [...place, 'ruleId']) }),
          file: filePath,
          ...(lines !== undefined && { lines }),
        },
      ];
    }),
  );
  const notes =
    unread.length > 0
      ? [
          `files that the tool could not parse, so that it found nothing in them: ${unread.length} (${unread[0]})`,
        ]
      : [];
  return importedRun(source, 'ESLint', { workflow: 'ESLint' }, findings, mapper, notes, options);
}
