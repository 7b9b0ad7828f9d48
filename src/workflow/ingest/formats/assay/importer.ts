/** Our own format: one run, a list of runs, or lines of runs and findings. */
import type { ReviewRun } from '../../../review.ts';
import { isRecord } from '../../is-record.ts';
import { RUN_REMEDY, runOf, runSchema } from '../../run-schema.ts';
import { check, type RawValue, refuse } from '../../validate.ts';
import type { Importer, RawFile } from '../importer.ts';
import { runsOfLines } from './runs-of-lines.ts';

export const assay: Importer = {
  name: 'assay',
  title: 'Assay',
  cannotCarry: [],
  detect: (file) => isRun(firstOf(file)),
  readRuns: (file) => ({ runs: runsOf(file), format: 'Assay', mappings: [], notes: [] }),
};

function firstOf(file: RawFile): unknown {
  if (file.kind === 'lines') return file.lines[0]?.value;
  if (file.kind === 'text') return undefined;
  const { value } = file.document;
  return Array.isArray(value) ? value[0] : value;
}

/** Ground truths and experiments may have findings of their own kind beside what makes them what they are. */
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
