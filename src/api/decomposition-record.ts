/** Requests of production between a service and the server. Without zod: `assay/monitor` runs in services of others. */
import type { z } from 'zod';
import type { DecompositionRecord } from '../decomposition/production/record.ts';
import { withCamelKeys, withSnakeKeys } from '../letter-case.ts';
import type { sentDecomposition } from './schema/decomposition-record.ts';

type SentDecomposition = z.output<typeof sentDecomposition>;

export function encodeDecomposition({ experiment, ...record }: DecompositionRecord) {
  return { ...withSnakeKeys(record), ...(experiment && { experiment: withSnakeKeys(experiment) }) };
}

/** Without `text` and `output`, which are stored apart. */
export function decodeDecomposition(sent: SentDecomposition): DecompositionRecord {
  const { text: _, output: __, experiment, at, ...facts } = sent;
  return {
    ...withCamelKeys(facts),
    at: new Date(at).toISOString(),
    ...(experiment && { experiment: withCamelKeys(experiment) }),
  };
}
