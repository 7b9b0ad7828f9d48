import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openStore } from '../../store/open.ts';
import { saveRating } from './save-rating.ts';

it('keeps a rating in the store when its file cannot be written, and says so', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-rating-'));
  const store = await openStore(join(folder, 'store.db'));
  try {
    const file = join(folder, 'ratings.csv');
    mkdirSync(file);
    const said = { sessionId: 's', rating: 4, author: 'ada', file };
    const ports = {
      store: async () => store,
      now: () => new Date('2026-11-12T00:00:00Z'),
      newId: () => 'id',
      identity: () => 'ada',
      progress: () => {},
      notKept: () => {},
      signal: new AbortController().signal,
    };
    await expect(saveRating(said, ports)).rejects.toMatchObject({ code: 'OUTPUT_FAILED' });
    expect(await store.readRatings()).toMatchObject([{ subjectId: 's', rating: 4 }]);
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
});
