/** ESLint output with `--format json` or `json-with-metadata`. */
import { z } from 'zod';
import { isRecord, MAX_ITEMS } from '../fields.ts';
import { reportImporter } from '../imported-run.ts';
import type { RawFile } from './importer.ts';

const line = z.int().nullish();

const message = z.object({
  ruleId: z.string().nullish(),
  severity: z.union([z.string(), z.int()]).transform(String),
  message: z.string().trim().min(1),
  line,
  endLine: line,
  fatal: z.boolean().optional(),
});

export const eslint = reportImporter({
  name: 'eslint',
  title: 'ESLint',
  cannotCarry: ['task', 'depth', 'concerns', 'quote', 'labels', 'tokens'],
  severities: new Map([
    ['2', 'CRITICAL'],
    ['1', 'IMPORTANT'],
    ['error', 'CRITICAL'],
    ['warn', 'IMPORTANT'],
  ]),
  schema: z
    .array(z.object({ filePath: z.string().trim().min(1), messages: z.array(message).max(MAX_ITEMS) }))
    .max(MAX_ITEMS),
  detect: (file) => {
    const [first] = listOf(file) ?? [];
    return isRecord(first) && Object.hasOwn(first, 'filePath') && Array.isArray(first.messages);
  },
  reportIn: (file) => {
    const value = listOf(file);
    return value && { path: file.path, value };
  },
  read: (files) => {
    // In a file that could not be parsed, no rule ran.
    const unread = files.filter(({ messages }) => messages.some(({ fatal }) => fatal === true));
    return {
      workflow: 'ESLint',
      findings: files.flatMap(({ filePath, messages }, file) =>
        messages.flatMap(({ ruleId, severity, message: text, line: from, endLine: to, fatal }, index) => {
          if (fatal === true) return [];
          const [place, category] = [[file, 'messages', index], ruleId?.trim()];
          return { place, message: text, severity, category, file: filePath, from, to };
        }),
      ),
      notes:
        unread.length === 0
          ? []
          : [
              `files that the tool could not parse, so that it found nothing in them: ${unread.length} (${unread[0]?.filePath})`,
            ],
    };
  },
});

function listOf(file: RawFile): readonly unknown[] | undefined {
  const value = file.kind === 'document' ? file.document.value : undefined;
  const list = isRecord(value) ? value.results : value;
  return Array.isArray(list) ? list : undefined;
}
