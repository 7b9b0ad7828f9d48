import type { Reading, SignalContext } from '../signal.ts';

/** A context with only the given values. */
export function contextWith(known: Partial<SignalContext> = {}): SignalContext {
  return { taskType: 'coding', baseline: undefined, modelTier: undefined, outcome: undefined, ...known };
}

export function readValue(reading: Reading): number | undefined {
  return reading.measured ? reading.value : undefined;
}
