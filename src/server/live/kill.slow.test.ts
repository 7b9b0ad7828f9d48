import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { seededByRun } from '../../testing/seed.ts';
import { runWithKills } from '../testing/kill-rounds.ts';
import { senders } from '../testing/senders.ts';
import { sentLines } from '../testing/stored-rows.ts';

const chance = seededByRun();
const root = mkdtempSync(join(tmpdir(), 'assay-kill-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const KILLS = 2;
const COUNT = 9;

it('keeps what it acknowledged and scores it as if it had never been killed', async () => {
  const [killed, undisturbed] = [mkdtempSync(join(root, 'killed-')), mkdtempSync(join(root, 'whole-'))];
  const common = { senders: senders(COUNT), lifetime: () => chance.below(300) };
  const [first, second] = await Promise.all([
    runWithKills({ ...common, folder: killed, kills: KILLS }),
    runWithKills({ ...common, folder: undisturbed, kills: 0 }),
  ]);
  const stored = await sentLines(join(killed, 'assay.db'));
  expect(first.acknowledged.filter((body) => !stored.has(body.trimEnd()))).toEqual([]);
  expect(first.acknowledged).toHaveLength(5 * COUNT);
  expect(first.rows).toHaveLength(5);
  expect(first.rows).toEqual(second.rows);
}, 180_000);
