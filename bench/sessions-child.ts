/** What `bench/sessions.ts` times, one thing per process: `read FOLDER [MEMORY]` or `parse FOLDER`. */
import { readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';

enableCompileCache();
const [what, folder = '', place] = process.argv.slice(2);
const start = performance.now();
const done = what === 'parse' ? await parseAll() : await readAndScore();
console.log(JSON.stringify({ ...done, ms: performance.now() - start }));

/** The floor: every line through JSON.parse on one thread, and nothing else. */
async function parseAll(): Promise<{ count: number }> {
  const { filesOf } = await import('../src/session/ingest/walk.ts');
  let count = 0;
  for (const path of filesOf([folder])) {
    const bytes = readFileSync(path);
    for (let from = 0; from < bytes.length; ) {
      const newline = bytes.indexOf(10, from);
      const end = newline < 0 ? bytes.length : newline;
      if (end > from) JSON.parse(bytes.toString('utf8', from, end));
      count += 1;
      from = end + 1;
    }
  }
  return { count };
}

async function readAndScore(): Promise<{ count: number; costUsd: number }> {
  const { readAll } = await import('../src/session/ingest/read-all.ts');
  const { filesOf } = await import('../src/session/ingest/walk.ts');
  const { openMemory } = await import('../src/session/ingest/memory.ts');
  const memory = place === undefined ? undefined : openMemory(place, 'bench');
  const reading = readAll(filesOf([folder]), { memory });
  const { loadPrices } = await import('../src/session/pricing/load-prices.ts');
  const { scoreSession } = await import('../src/session/score-session.ts');
  const prices = await loadPrices();
  const { sessions } = await reading;
  memory?.close();
  const scored = sessions.map(({ facts }) => scoreSession(facts, { prices }));
  return { count: scored.length, costUsd: scored.reduce((sum, { costUsd = 0 }) => sum + costUsd, 0) };
}
