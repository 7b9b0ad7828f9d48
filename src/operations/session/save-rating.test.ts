import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readRatings } from '../../session/calibration/labels.ts';
import { openStore } from '../../store/open.ts';
import type { Ports } from '../ports.ts';
import { testPorts } from '../testing/test-ports.ts';
import { saveRating, writeRating } from './save-rating.ts';

it('keeps a rating in the store when its file cannot be written, and says so', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-rating-'));
  const store = await openStore(join(folder, 'store.db'));
  try {
    const file = join(folder, 'ratings.csv');
    mkdirSync(file);
    const said = { sessionId: 's', sessionKey: 'k', rating: 4, author: 'ada', file };
    await expect(
      saveRating(
        said,
        testPorts(() => store),
      ),
    ).rejects.toMatchObject({ code: 'OUTPUT_FAILED' });
    expect(await store.readRatings()).toMatchObject([{ subjectId: 's', rating: 4 }]);
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
});

it('keeps to the columns of a file that has no session_key', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-rating-'));
  try {
    const file = join(folder, 'ratings.csv');
    writeFileSync(file, 'session_id,rating,note,author,rated_at\r\n');
    const line = { author: 'ada', at: '2026-11-12T00:00:00.000Z', rating: 4 };
    const ports = {} as Ports;
    await writeRating(file, { ...line, subjectId: 'plain', sessionKey: 'k1' }, undefined, ports);
    await writeRating(file, { ...line, subjectId: ' \x1b ', sessionKey: 'k2' }, undefined, ports);
    expect(readRatings(file).map(({ sessionId }) => sessionId)).toEqual(['plain', 'k2']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
