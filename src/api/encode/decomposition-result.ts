/** Results that are kept to be compared with: in a baseline, and in the ledger of the prompts. */
import type { z } from 'zod';
import type { Result } from '../../decomposition/result-file.ts';
import type { decompositionResult } from '../schema/decomposition-result.ts';
import type { DecompositionRunWire } from './decomposition-run.ts';
import { encodeMeasurement } from './measurement.ts';

export type DecompositionResultWire = z.infer<typeof decompositionResult>;

/** A run without the lists of each case: what a comparison needs, and a diff that people can read. */
export function encodeBaseline({
  format,
  version,
  run,
  suite,
  cases,
}: DecompositionRunWire): DecompositionResultWire {
  const { truth_hash, n_cases, metrics, drafts } = suite;
  return {
    format,
    version,
    run,
    suite: { truth_hash, n_cases, ...(drafts && { drafts }), metrics },
    cases: cases.map(({ id, error, zone, metrics }) => ({
      id,
      error,
      zone,
      metrics,
    })),
  };
}

/** What a later comparison needs and no more. */
export function encodeResult({ run, suite, cases }: Result): DecompositionResultWire {
  return {
    format: 'assay-run',
    version: 2,
    run: { ...run, prompt_sha256: run.prompt_sha256 ?? null },
    suite: { ...suite, metrics: mapValues(suite.metrics, encodeMeasurement) },
    cases: cases.map(({ id, error, metrics }) => ({
      id,
      error,
      metrics: mapValues(metrics, (one) =>
        one.measured ? { value: one.value, n: one.n } : { value: null, n: 0, reason: one.reason },
      ),
    })),
  };
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
