import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';

/** What takes seconds: long random walks, killed processes, public data, the compiler and the linter. */
const SLOW = ['src/**/*.{slow,shared}.test.ts', 'test/quality.test.ts'];

export default defineConfig({
  test: {
    // One process per core reads each module once for all its test files; a fresh one per file costs as much as the tests.
    isolate: false,
    maxWorkers: '100%',
    sequence: { sequencer: LongestFirst },
    globalSetup: './test/run-setup.ts',
    setupFiles: './test/file-setup.ts',
    reporters: ['default', './test/closing-line.ts'],
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['{src,web}/**/*.test.ts', 'test/*.test.ts'], exclude: SLOW },
      },
      { extends: true, test: { name: 'slow', include: SLOW } },
      { extends: true, test: { name: 'e2e', include: ['test/e2e/**/*.test.ts'] } },
    ],
    // Only to end what hangs; nothing is expected to take long, and a busy machine may be slow.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
