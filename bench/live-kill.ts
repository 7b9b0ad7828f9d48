/**
 * Kills a server while agents send to it: `node bench/live-kill.ts [KILLS]`. Every acknowledged event must be there,
 * and every score must equal that of an undisturbed server. Exit code 1 when not.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runWithKills } from '../src/server/testing/kill-rounds.ts';
import { senders } from '../src/server/testing/senders.ts';
import { sentLines } from '../src/server/testing/stored-rows.ts';

const kills = Number(process.argv[2] ?? 50);
/** Each sender has something to say in every life of the server. */
const common = { senders: senders(4 * (kills + 1)), lifetime: () => Math.random() * 600 };
const root = mkdtempSync(join(tmpdir(), 'assay-live-kill-'));
try {
  const [killed, whole] = [mkdtempSync(join(root, 'killed-')), mkdtempSync(join(root, 'whole-'))];
  const first = await runWithKills({ ...common, folder: killed, kills });
  const second = await runWithKills({ ...common, folder: whole, kills: 0 });
  const stored = await sentLines(join(killed, 'assay.db'));
  const lost = first.acknowledged.filter((body) => !stored.has(body.trimEnd())).length;
  const same = first.rows.filter((row, index) => row === second.rows[index]).length;
  process.stdout.write(
    `${kills} kills, ${first.acknowledged.length} events acknowledged, ${lost} lost, ${same} of ${second.rows.length} scores equal\n`,
  );
  process.exitCode = lost === 0 && same === second.rows.length && same > 0 ? 0 : 1;
} finally {
  rmSync(root, { recursive: true, force: true });
}
