import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll } from 'vitest';

// Properties repeat with the seed of the run; ASSAY_RUNS draws more examples of each.
fc.configureGlobal({ seed: Number(process.env.ASSAY_SEED), numRuns: Number(process.env.ASSAY_RUNS ?? 100) });

/** Each test file has its own temporary folder, and fails when it does not leave it empty. */
const folder = mkdtempSync(join(process.env.ASSAY_TEST_SCRATCH ?? '', 'file-'));
chmodSync(folder, 0o755);
Object.assign(process.env, { TMPDIR: folder, TEMP: folder, TMP: folder });

afterAll(() => {
  const left = readdirSync(folder);
  rmSync(folder, { recursive: true, force: true });
  if (left.length > 0) throw new Error(`left in the temporary folder: ${left.join(', ')}`);
});
