/** Results that were written down: what `run --format json` printed, or a baseline. */
import { z } from 'zod';
import { AssayError } from '../errors.ts';
import { readJson } from '../files.ts';
import type { Side } from '../judge/compare.ts';
import { estimate, type Measurement, unmeasured } from '../measure/metric.ts';
import { MATCH_LEVELS } from './evidence.ts';
import { parseWith } from './ingest/parse.ts';
import { measurementJson, RESULT_FORMAT, RESULT_VERSION, type RunJson } from './run-json.ts';

const measurementSchema = z
  .object({
    value: z.number().nullable(),
    low: z.number().nullable().optional(),
    high: z.number().nullable().optional(),
    n: z.number().min(0),
    micro: z.number().nullable().optional(),
    coverage: z.number().optional(),
    skipped: z.record(z.string(), z.number()).optional(),
    reason: z.string().optional(),
  })
  .transform(
    ({ value, low, high, n, micro, coverage, skipped, reason }): Measurement =>
      value === null
        ? unmeasured(reason ?? 'not measured')
        : estimate(value, n, {
            ...(low != null && high != null && { low, high }),
            ...(micro != null && { pooled: micro }),
            ...(coverage !== undefined && { coverage }),
            ...(skipped && { skipped }),
          }),
  );

const metricsSchema = z.record(z.string().regex(/^[a-z][a-z0-9_]*$/), measurementSchema);
const text = z.string().min(1).max(1000);

/** Keys that a later version adds are no reason to refuse a file. */
export const resultSchema = z.object({
  format: z.literal(RESULT_FORMAT),
  version: z.literal(RESULT_VERSION),
  run: z.object({
    id: text,
    at: z.iso.datetime(),
    subject: text,
    extractor: text,
    prompt: text.nullable(),
    prompt_sha256: text.nullable().optional(),
    model: text.nullable(),
    scorer: text,
    match_level: z.enum(MATCH_LEVELS),
  }),
  suite: z.object({ golden_hash: text.nullable(), n_cases: z.number().int().min(0), metrics: metricsSchema }),
  cases: z
    .array(z.object({ id: text, error: z.string().optional(), metrics: metricsSchema }))
    .refine(
      (cases) => new Set(cases.map(({ id }) => id)).size === cases.length,
      'two cases have the same id',
    ),
});

export type Result = z.output<typeof resultSchema>;

export function readResult(path: string): Result {
  const json = readJson(path);
  checkKind(json, path);
  return parseWith(resultSchema, json, path);
}

/** As the judge compares it. Cases that could not be read have no measurements and are missing from it. */
export function sideOf({ run, suite, cases }: Result): Side {
  return {
    runId: run.id,
    at: run.at,
    scorer: run.scorer,
    ...(suite.golden_hash !== null && { truthHash: suite.golden_hash }),
    metrics: byId(suite.metrics),
    cases: Object.fromEntries(
      cases.filter(({ error }) => error === undefined).map(({ id, metrics }) => [id, byId(metrics)]),
    ),
  };
}

/** `concept_recall` → `decomposition/concept-recall`. */
function metricIdOf(key: string): string {
  return `decomposition/${key.replaceAll('_', '-')}`;
}

function byId(metrics: Readonly<Record<string, Measurement>>): Record<string, Measurement> {
  return Object.fromEntries(Object.entries(metrics).map(([key, one]) => [metricIdOf(key), one]));
}

/** Another kind of file, or one of a newer version, deserves a better word than the first key that differs. */
function checkKind(json: unknown, path: string): void {
  const { format, version } = (typeof json === 'object' && json !== null ? json : {}) as Record<
    string,
    unknown
  >;
  if (format !== RESULT_FORMAT) {
    throw new AssayError('INPUT_INVALID', `${path} is not a result (no "format": "${RESULT_FORMAT}")`, {
      remedy: 'Name a file that `assay decomposition run --format json --out FILE` or `baseline` wrote.',
    });
  }
  if (typeof version === 'number' && version > RESULT_VERSION) {
    throw new AssayError(
      'INPUT_INVALID',
      `${path} has version ${version}; this Assay knows ${RESULT_VERSION}`,
      {
        remedy: 'Update Assay, or measure again with this version.',
      },
    );
  }
}

/** A run of this process, as if it had been written down and read again. */
export function resultOf(run: RunJson): Result {
  return resultSchema.parse(JSON.parse(JSON.stringify(run)));
}

/** What a later comparison needs and no more. */
export function compactResult({ format, version, run, suite, cases }: Result) {
  return {
    format,
    version,
    run,
    suite: { ...suite, metrics: mapValues(suite.metrics, measurementJson) },
    cases: cases.map(({ id, error, metrics }) => ({
      id,
      ...(error !== undefined && { error }),
      metrics: mapValues(metrics, (one) =>
        one.measured ? { value: one.value, n: one.n } : { value: null, n: 0, reason: one.reason },
      ),
    })),
  };
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
