/** Assay's own format: one run, a list of runs, or lines of runs and findings. */
import type { ReviewRun } from '../../review.ts';
import { check, type FieldPlace, isRecord, type RawValue, refuse } from '../fields.ts';
import { type FindingDraft, RUN_REMEDY, runOf, runSchema } from '../run-schema.ts';
import type { Importer, RawFile } from './importer.ts';

export const assay: Importer = {
  name: 'assay',
  title: 'Assay',
  cannotCarry: [],
  detect: (file) => isRun(firstOf(file)),
  readRuns: (file) => ({ runs: runsOf(file), mappings: [], notes: [] }),
};

function firstOf(file: RawFile): unknown {
  if (file.kind === 'lines') return file.lines[0]?.value;
  if (file.kind === 'text') return undefined;
  const { value } = file.document;
  return Array.isArray(value) ? value[0] : value;
}

/** Ground truths and experiments may also contain findings, so check for their own keys. */
function isRun(value: unknown): boolean {
  const has = (key: string) => isRecord(value) && Object.hasOwn(value, key);
  return (has('workflow') || has('findings')) && !has('tasks') && !has('errors') && !has('traps');
}

function runsOf(file: RawFile): ReviewRun[] {
  if (file.kind === 'lines') return runsOfLines(file.lines, file.path);
  if (file.kind === 'document') return checkRuns(file.document);
  throw refuse({ path: file.path, value: undefined }, [], 'is text, not a run', RUN_REMEDY);
}

function checkRuns(document: RawValue): ReviewRun[] {
  const { value, path, lineOf } = document;
  if (!Array.isArray(value)) return [runOf(check(runSchema, document, RUN_REMEDY), path)];
  return value.map((one, index) =>
    runOf(
      check(
        runSchema,
        {
          path: `${path} [${index}]`,
          value: one,
          ...(lineOf && { lineOf: (place) => lineOf([index, ...place]) }),
        },
        RUN_REMEDY,
      ),
      path,
    ),
  );
}

type Part = { readonly header: RawValue; readonly given: unknown[]; readonly added: RawValue[] };

/** Each line is a run, with or without findings, or one more finding of the run above it. */
function runsOfLines(lines: readonly RawValue[], path: string): ReviewRun[] {
  const parts: Part[] = [];
  for (const line of lines) {
    if (!isRecord(line.value)) throw refuse(line, [], 'is neither a run nor a finding');
    if (Object.hasOwn(line.value, 'workflow')) {
      const { findings = [] } = line.value;
      if (!Array.isArray(findings)) throw refuse(line, ['findings'], 'must be a list');
      parts.push({ header: line, given: findings, added: [] });
    } else {
      const above = parts.at(-1);
      if (above === undefined)
        throw refuse(
          line,
          [],
          'is a finding before the first run; a line with workflow, task and run comes first',
        );
      above.added.push(line);
    }
  }
  return parts.map((part) => runOf(check(runSchema, sourceOf(part, path)), path));
}

function sourceOf({ header, given, added }: Part, path: string): RawValue {
  const findings = [...given, ...added.map(({ value }) => value)] as FindingDraft[];
  const lineOf = (place: FieldPlace) => {
    const [key, index] = place;
    const line = key === 'findings' ? added[Number(index) - given.length] : undefined;
    return (line ?? header).lineOf?.([]);
  };
  return { path, value: { ...(header.value as object), findings }, lineOf };
}
