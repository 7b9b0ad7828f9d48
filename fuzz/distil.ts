/** Of what runs have found to reach further, the few small inputs that are worth committing. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMITTED, committedOf, grownOf, keep } from './corpus.ts';
import { Coverage } from './coverage.ts';
import { examine, type Target } from './target.ts';

const LARGEST = 1500;
const MOST = 6;

export async function distil(target: Target): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-fuzz-'));
  const opened = await target.open(folder);
  const coverage = new Coverage();
  let kept = 0;
  try {
    for (const { input } of committedOf(target)) await examine(opened, input);
    coverage.take();
    const small = grownOf(target).filter(({ input }) => input.length <= LARGEST);
    const reach: { readonly input: Buffer; readonly blocks: number }[] = [];
    for (const { input } of small) {
      await examine(opened, input);
      reach.push({ input, blocks: coverage.peek() });
    }
    for (const { input } of reach.toSorted((a, b) => b.blocks - a.blocks)) {
      if (kept === MOST) break;
      await examine(opened, input);
      if (coverage.take() === 0) continue;
      keep(COMMITTED, target.name, 'far-', input);
      kept += 1;
    }
  } finally {
    await opened.close?.();
    rmSync(folder, { recursive: true, force: true });
  }
  return kept;
}
