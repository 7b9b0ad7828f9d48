import type { ImportedRuns, ImportOptions } from './formats/importer.ts';
import type { Mapper } from './mapping.ts';
import { type NamesSaid, namesFor } from './run-names.ts';
import { type FindingDraft, runOf, runSchema } from './run-schema.ts';
import { check, type RawValue } from './validate.ts';

/** A run of another tool, checked like one of our own. Its findings are numbered in the order of the file. */
export function importedRun(
  source: RawValue,
  format: string,
  said: NamesSaid,
  findings: readonly Omit<FindingDraft, 'id'>[],
  mapper: Mapper,
  notes: readonly string[],
  options: ImportOptions,
): ImportedRuns {
  const names = namesFor(source.path, said, options);
  const draft = {
    workflow: names.workflow,
    task: names.task,
    run: names.run,
    model: options.model,
    findings: findings.map((finding, index) => ({ id: `F${index + 1}`, ...finding })),
  };
  return {
    runs: [runOf(check(runSchema, { ...source, value: draft }), source.path)],
    format,
    mappings: mapper.mappings(),
    notes: [...names.notes, ...notes],
  };
}

/** The first line of a message is its title; the whole of it the description, when there is more. */
export function titled(message: string): { title: string; description?: string } {
  const whole = message.trim();
  const first = whole.split('\n', 1)[0]?.trim() ?? '';
  const title = first.length > 300 ? `${first.slice(0, 299)}…` : first;
  return title === whole ? { title } : { title, description: whole };
}
