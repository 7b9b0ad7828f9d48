/** How reviews are matched, weighed and gated. */
import { z } from 'zod';
import { LINE_TOLERANCE } from '../workflow/match/place.ts';
import { CATEGORIES } from '../workflow/truth.ts';
import { OES_WEIGHTS } from '../workflow/weights.ts';
import { weightsTogether, wordsSetting } from './fields.ts';

export const workflowSettings = z.strictObject({
  minimums: z
    .record(z.string().min(1), z.number())
    .default({})
    .describe(
      'The least that `assay workflow score` asks of a metric, e.g. `{ dr: 60, precision: 0.7 }`; below it the gate blocks. Also --min.',
    ),
  weights: weightsTogether(
    OES_WEIGHTS,
    'What each part counts in the overall effectiveness (OES). Also --oes wds=0.6,precision=0.4.',
  ),
  minErrors: z
    .int()
    .min(0)
    .default(0)
    .describe('Lint warns about a ground truth with fewer errors. Also --min-errors.'),
  categories: wordsSetting(
    CATEGORIES,
    'The categories that `assay workflow new` writes into a ground truth, which declares its own.',
  ),
  mapping: z
    .string()
    .min(1)
    .optional()
    .describe('A file with severities and categories of other tools (JSON or YAML). Also --mapping.'),
  lineTolerance: z
    .int()
    .min(0)
    .max(50)
    .default(LINE_TOLERANCE)
    .describe(
      'How many lines a finding may lie beside an error and still be about it in part; part of the version of the matcher. Also --line-tolerance.',
    ),
});
