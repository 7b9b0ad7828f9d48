/** Result files: output of `run --format json`, or a baseline. */

import { existsSync, statSync } from 'node:fs';
import { z } from 'zod';
import { AssayError } from '../errors.ts';
import { readJson } from '../files.ts';
import type { Side } from '../judge/compare.ts';
import { replaceFile, underLock } from '../locked-file.ts';
import { estimate, type Measurement, unmeasured } from '../measure/metric.ts';
import { MATCH_LEVELS } from './evidence.ts';
import { parseWith } from './ingest/parse.ts';
import { valuesHash } from './integrity.ts';

const measurementSchema = z
  .object({
    value: z.number().nullable(),
    low: z.number().nullable().optional(),
    high: z.number().nullable().optional(),
    n: z.number().min(0),
    micro: z.number().nullable().optional(),
    spread: z.number().optional(),
    coverage: z.number().optional(),
    skipped: z.record(z.string(), z.number()).optional(),
    reason: z.string().optional(),
  })
  .transform(
    ({ value, low, high, n, micro, spread, coverage, skipped, reason }): Measurement =>
      value === null
        ? unmeasured(reason ?? 'not measured')
        : estimate(value, n, {
            ...(low != null && high != null && { low, high }),
            ...(micro != null && { pooled: micro }),
            ...(spread !== undefined && { spread }),
            ...(coverage !== undefined && { coverage }),
            ...(skipped && { skipped }),
          }),
  );

const metricsSchema = z.record(z.string().regex(/^[a-z][a-z0-9_]*$/), measurementSchema);
const text = z.string().min(1).max(1000);

const FORMAT = 'assay-run';
const VERSION = 2;

/** Keys added by a later version are accepted. */
export const resultSchema = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  run: z.object({
    id: text,
    at: z.iso.datetime(),
    instrument: z.literal('decomposition'),
    subject: text,
    extractor: text,
    prompt: text.nullable(),
    prompt_sha256: text.nullable().optional(),
    prompt_files: z.record(z.string(), z.string()).optional(),
    model: text.nullable(),
    content_sha256: text.optional(),
    scorer: text,
    standard: text.optional(),
    match_level: z.enum(MATCH_LEVELS),
  }),
  suite: z.object({
    truth_hash: text.nullable(),
    n_cases: z.number().int().min(0),
    drafts: z.array(text).optional(),
    values_sha256: z.string().optional(),
    integrity: z.array(z.string()).optional(),
    golden_versions: z.record(z.string(), z.object({ version: z.string(), sha256: z.string() })).optional(),
    metrics: metricsSchema,
  }),
  cases: z
    .array(z.object({ id: text, error: z.string().optional(), metrics: metricsSchema }))
    .refine(
      (cases) => new Set(cases.map(({ id }) => id)).size === cases.length,
      'two cases have the same id',
    ),
});

type Fields = Readonly<Record<string, unknown>>;

function isFields(json: unknown): json is Fields {
  return typeof json === 'object' && json !== null;
}

export type Result = z.output<typeof resultSchema>;

export function readResult(path: string): Result {
  if (isFolder(path)) {
    throw new AssayError('FILE_EXPECTED', `${path} is a folder, not the result of a run`, {
      remedy: [
        {
          say: 'Measure a folder of outputs first and write the result down as JSON; see how',
          step: { operation: 'decomposition run', options: { help: true } },
        },
      ],
    });
  }
  const json = readJson(path);
  checkKind(json, path);
  return parseWith(resultSchema, json, path);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The form that the judge compares. Unreadable cases have no measurements and are omitted. */
export function sideOf({ run, suite, cases }: Result): Side {
  return {
    runId: run.id,
    at: run.at,
    scorer: run.scorer,
    ...(suite.truth_hash !== null && { truthHash: suite.truth_hash }),
    standard: run.standard,
    metrics: byId(suite.metrics),
    cases: Object.fromEntries(cases.filter(isMeasured).map(({ id, metrics }) => [id, byId(metrics)])),
  };
}

/** Evidence that the file was edited after it was written. */
export function tampering(result: Result, path: string): string[] {
  const { values_sha256: written } = result.suite;
  if (written === valuesHash(sideOf(result))) return [];
  return [
    written === undefined
      ? `${path} has no hash of its values: it was not written by this version, or was changed`
      : `${path} was changed after it was written: its values are not those that were measured`,
  ];
}

/** A partly failed case has both an error and metrics. */
function isMeasured({ error, metrics }: Result['cases'][number]): boolean {
  return error === undefined || Object.keys(metrics).length > 0;
}

/** `concept_recall` → `decomposition/concept-recall`. */
function metricIdOf(key: string): string {
  return `decomposition/${key.replaceAll('_', '-')}`;
}

function byId(metrics: Readonly<Record<string, Measurement>>): Record<string, Measurement> {
  return Object.fromEntries(Object.entries(metrics).map(([key, one]) => [metricIdOf(key), one]));
}

/** Reports another file type or a newer version clearly, instead of the first differing key. */
function checkKind(json: unknown, path: string): void {
  const { format, version, run } = isFields(json) ? json : {};
  const instrument = isFields(run) ? run.instrument : undefined;
  if (format !== FORMAT || instrument !== 'decomposition') {
    throw new AssayError('INPUT_INVALID', `${path} is not a result of decomposition`, {
      remedy: [{ say: 'Name a file that a run wrote as JSON, or a baseline' }],
    });
  }
  if (typeof version === 'number' && version > VERSION) {
    throw new AssayError('INPUT_INVALID', `${path} has version ${version}; this Assay knows ${VERSION}`, {
      remedy: 'Update Assay, or measure again with this version.',
    });
  }
}

/** A run of this process, as if it had been written and read again. */
export function resultOf(run: unknown): Result {
  return resultSchema.parse(JSON.parse(JSON.stringify(run)));
}

export const BASELINE_FILE = '.baseline.json';

export async function writeBaseline(path: string, result: object): Promise<void> {
  await underLock(path, () => replaceFile(path, `${JSON.stringify(result, null, 2)}\n`));
}

export function readBaseline(path: string): Result {
  if (!existsSync(path)) {
    throw new AssayError('FILE_NOT_FOUND', `there is no baseline at ${path}`, {
      remedy: [
        {
          say: 'Make one before the change that you want to judge; see how',
          step: { operation: 'decomposition baseline', options: { help: true } },
        },
      ],
    });
  }
  return readResult(path);
}
