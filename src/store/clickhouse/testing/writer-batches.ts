/** The batches that test writers write, so that a test can compute the expected rows. */
import type { SessionRow } from '../../schema/session.ts';
import { session } from '../../testing/records.ts';

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 2, 1);

/** Sessions of five days; of every second batch the sessions come again later, scored anew and begun an hour earlier. */
export function batchOf(name: string, batch: number, size: number): SessionRow[] {
  const isAgain = batch % 4 === 3;
  const origin = isAgain ? batch - 2 : batch;
  return Array.from({ length: size }, (_, i) => {
    const startedAt = START + ((origin * size + i) % 120) * HOUR_MS;
    return session(`${name}/${origin}/${i}`, isAgain ? '2' : '1', {
      startedAt: new Date(isAgain ? startedAt - HOUR_MS : startedAt).toISOString(),
      scoredAt: new Date(START + batch).toISOString(),
      costUsd: isAgain ? 3 : 1,
      q: isAgain ? 0.75 : 0.25,
    });
  });
}

/** What is left when all batches are in: the last word on each session. */
export function lastWords(names: readonly string[], batches: number, size: number): SessionRow[] {
  const byKey = new Map<string, SessionRow>();
  for (const name of names)
    for (let batch = 0; batch < batches; batch += 1)
      for (const row of batchOf(name, batch, size)) byKey.set(row.sessionKey, row);
  return [...byKey.values()];
}
