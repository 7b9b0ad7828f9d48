import { z } from 'zod';
import { decompositionResult } from './schema/decomposition-result.ts';
import { decompositionCase, decompositionRun } from './schema/decomposition-run.ts';
import { decompositionTrend, decompositionTrendRow } from './schema/decomposition-trend.ts';
import { extractionLine } from './schema/extraction-line.ts';
import { goldenFinding, goldenLint } from './schema/golden-lint.ts';
import { investigation } from './schema/investigation.ts';
import {
  promptDiff,
  promptList,
  promptPromotion,
  promptRollback,
  promptStarted,
  promptVersion,
} from './schema/prompts.ts';
import { run } from './schema/run.ts';
import { runSummary } from './schema/run-summary.ts';

/** What leaves the product about runs and decomposition: name of the page → its title and schema. */
const WIRE: Readonly<Record<string, readonly [title: string, schema: z.ZodType]>> = {
  run: ['What `assay runs ID` prints: one run of any instrument', run],
  'run-summary': ['One of the runs that `assay runs` lists', runSummary],
  'decomposition-run': ['What `assay decomposition run` and `compare` print', decompositionRun],
  'decomposition-case': ['A line of `assay decomposition run --format jsonl`', decompositionCase],
  'decomposition-result': [
    'A baseline, and what the ledger of the prompts keeps of a run',
    decompositionResult,
  ],
  'decomposition-trend': ['What `assay decomposition trend` prints', decompositionTrend],
  'decomposition-trend-row': ['A line of `assay decomposition trend --format jsonl`', decompositionTrendRow],
  'decomposition-investigation': ['What `assay decomposition investigate` prints', investigation],
  'decomposition-extraction-line': ['A line of `assay decomposition extract`', extractionLine],
  'golden-lint': ['What `assay decomposition lint` prints', goldenLint],
  'golden-lint-finding': ['A line of `assay decomposition lint --format jsonl`', goldenFinding],
  prompts: ['What `assay decomposition prompt list` prints', promptList],
  'prompt-version': ['A line of `assay decomposition prompt list --format jsonl`', promptVersion],
  'prompt-started': ['What `assay decomposition prompt new` prints', promptStarted],
  'prompt-diff': ['What `assay decomposition prompt diff` prints', promptDiff],
  'prompt-promotion': ['What `assay decomposition prompt promote` prints', promptPromotion],
  'prompt-rollback': ['What `assay decomposition prompt rollback` prints', promptRollback],
};

/** The published JSON Schemas: file name → schema. */
export function decompositionWireSchemas(): ReadonlyMap<string, object> {
  return new Map(
    Object.entries(WIRE).map(([name, [title, schema]]) => {
      const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'output' });
      return [name, { $schema, title, ...rest }];
    }),
  );
}
