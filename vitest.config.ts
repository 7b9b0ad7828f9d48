import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';

/** Needs `../shared`, which only some machines have: `npm run test:shared`. */
const SHARED = 'src/**/*.shared.test.ts';

/**
 * `npm run test:slow`: long random walks, killed processes, databases, browsers on every page, the package as it is
 * released, and the pages of the documentation followed step by step.
 */
const SLOW = [
  '{src,web}/**/*.slow.test.ts',
  'src/decomposition/ingest/outputs/hostile-{json,rdf}.test.ts',
  'src/monitor/spill-folder.test.ts',
  'src/session/fold/fold-laws.test.ts',
  'src/session/ingest/formats/damaged-records.test.ts',
  'src/session/ingest/reading/hostile-inputs.test.ts',
  'src/session/outcomes/hostile-repository.test.ts',
  'src/workflow/ingest/hostile-findings.test.ts',
  'test/{attacks,benches,deploy,docs-site,fuzz,regex-work,supply-chain}.test.ts',
  'test/e2e/{ci,coming-from,deployment,own-outputs,production}-page.test.ts',
  'test/e2e/{ci-action,compiled-code,container,contributing,dashboard-quality}.test.ts',
  'test/e2e/{deploy-schemas,docs-site,editors,example-production,library,matchers,package}.test.ts',
  'test/e2e/{pre-commit,tutorials}.test.ts',
];

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
        test: {
          name: 'unit',
          include: ['{src,web}/**/*.test.ts', 'test/*.test.ts'],
          exclude: [...SLOW, SHARED],
        },
      },
      { extends: true, test: { name: 'e2e', include: ['test/e2e/**/*.test.ts'], exclude: SLOW } },
      { extends: true, test: { name: 'slow', include: SLOW, env: { ASSAY_TEST_PACKED: '1' } } },
      { extends: true, test: { name: 'shared', include: [SHARED] } },
    ],
    // Only to end what hangs; nothing is expected to take long, and a busy machine may be slow.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
