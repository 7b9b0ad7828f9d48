import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // One process per core reads each module once for all its test files; a fresh one per file costs as much as the tests.
    isolate: false,
    maxWorkers: '100%',
    globalSetup: './test/run-setup.ts',
    setupFiles: './test/file-setup.ts',
    reporters: ['default', './test/closing-line.ts'],
    projects: [
      { extends: true, test: { name: 'unit', include: ['src/**/*.test.ts', 'test/*.test.ts'] } },
      { extends: true, test: { name: 'e2e', include: ['test/e2e/**/*.test.ts'], testTimeout: 120_000 } },
    ],
    testTimeout: 30_000,
  },
});
