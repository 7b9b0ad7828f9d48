/** Runs of a review from any format: our own as JSON, YAML or JSONL; SARIF, reviewdog rdjson and Code Climate. */
import type { ReviewRun } from '../review.ts';
import { importCodeClimate } from './code-climate.ts';
import { isLines, kindOf, kindOfLines } from './kind.ts';
import type { Mapping, ValueMaps } from './mapping.ts';
import { importRdjson } from './rdjson.ts';
import { runsOfLines } from './run-lines.ts';
import { importSarifRun } from './run-sarif.ts';
import { runOf, runSchema } from './run-schema.ts';
import { readLines, readSource } from './source.ts';
import { check, refuse, type Source } from './validate.ts';

export type RunOptions = {
  /** Names for formats that have none; what our own format says is never replaced. */
  readonly workflow?: string;
  readonly task?: string;
  readonly run?: string;
  readonly model?: string;
  /** What a workflow or a task is called that nothing names; without it that is an error. */
  readonly unnamed?: string;
  readonly maps?: ValueMaps;
};

export type ImportedRuns = {
  readonly runs: readonly ReviewRun[];
  readonly format: string;
  readonly mappings: readonly Mapping[];
  /** What a person should know about the import: where names come from, what was left out. */
  readonly notes: readonly string[];
};

/** One file; it may hold several runs. */
export function readRun(path: string, options?: RunOptions): readonly ReviewRun[] {
  return importRuns(path, options).runs;
}

export function importRuns(path: string, options: RunOptions = {}): ImportedRuns {
  return isLines(path) ? importLines(path, options) : importDocument(readSource(path), options);
}

export function importDocument(source: Source, options: RunOptions): ImportedRuns {
  switch (kindOf(source)) {
    case 'sarif':
      return importSarifRun(source, options);
    case 'rdjson':
      return importRdjson(source, options);
    case 'code climate':
      return importCodeClimate(source, options);
    case 'run':
      return { runs: checkRuns(source), format: 'Assay', mappings: [], notes: [] };
    default:
      throw refuse(source, [], `is no run of a review but ${kindOf(source) ?? 'something unknown'}`, REMEDY);
  }
}

function importLines(path: string, options: RunOptions): ImportedRuns {
  const lines = readLines(path);
  const whole = (value: unknown): Source => ({ path, value, lineOf: ([index]) => lineAt(lines, index) });
  switch (kindOfLines(lines, path)) {
    case 'rdjson': {
      const diagnostics = lines.map(({ value }) => value);
      return importRdjson(
        { path, value: { diagnostics }, lineOf: ([, index]) => lineAt(lines, index) },
        options,
      );
    }
    case 'code climate':
      return importCodeClimate(whole(lines.map(({ value }) => value)), options);
    case 'run':
      return { runs: runsOfLines(lines, path), format: 'Assay', mappings: [], notes: [] };
    default:
      throw refuse(lines[0] ?? { path, value: undefined }, [], 'does not begin with a run', REMEDY);
  }
}

function lineAt(lines: readonly Source[], index: PropertyKey | undefined): number | undefined {
  return lines[Number(index)]?.lineOf?.([]);
}

function checkRuns(source: Source): ReviewRun[] {
  const { value, path, lineOf } = source;
  if (!Array.isArray(value)) return [runOf(check(runSchema, source, REMEDY), path)];
  return value.map((one, index) =>
    runOf(
      check(
        runSchema,
        {
          path: `${path} [${index}]`,
          value: one,
          ...(lineOf && { lineOf: (place) => lineOf([index, ...place]) }),
        },
        REMEDY,
      ),
      path,
    ),
  );
}

export const REMEDY =
  'Correct the place that the message names; docs/formats/workflow-run.md describes a run with an example.';
