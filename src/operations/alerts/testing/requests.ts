import type { DecompositionRecord } from '../../../decomposition/production/record.ts';

/** So many good requests, a second apart, that end at a time; `part` says what is otherwise about each. */
export function requests(
  name: string,
  count: number,
  end: number,
  part: (i: number) => Partial<DecompositionRecord> = () => ({}),
): DecompositionRecord[] {
  return Array.from({ length: count }, (_, i) => ({
    id: `${name}-${i}`,
    at: new Date(end - (count - i) * 1000).toISOString(),
    status: 'ok' as const,
    latencyMs: 800 + (i % 7) * 100,
    costUsd: 0.02 + (i % 3) * 0.001,
    concepts: 18 + (i % 5),
    ...part(i),
  }));
}
