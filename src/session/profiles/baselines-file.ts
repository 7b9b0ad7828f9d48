/** A set of baselines as a file: what `assay sessions baselines fit` writes and `--baselines` reads. */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { replaceFile } from '../../locked-file.ts';
import { readChecked } from '../checked-file.ts';
import { shortHash } from '../session-key.ts';
import { type BaselineSet, SHIPPED_BASELINES } from './baselines.ts';
import { TASK_TYPES } from './task-type.ts';

const baseline = z.strictObject({
  tokenRatio: z.number().positive().optional(),
  turns: z.number().positive().optional(),
});

const schema = z.strictObject({
  name: z.string().min(1).max(100),
  perType: z.record(z.enum(TASK_TYPES), baseline),
  idleCostByAgent: z.record(z.string(), z.number().min(0)).optional(),
});

export function readBaselines(path: string): BaselineSet {
  const { name, perType, idleCostByAgent } = readChecked(path, schema, {
    remedy: [
      { say: 'Write one', step: { operation: 'sessions baselines fit', options: { out: 'baselines.json' } } },
      { say: 'take the bundled ones as a pattern', step: { operation: 'sessions baselines show' } },
    ],
  });
  const set = { perType, ...(idleCostByAgent !== undefined && { idleCostByAgent }) };
  return { name: ownName(name, set), ...set };
}

/** Changed baselines under the name of the bundled ones would be taken for those in every row. */
function ownName(name: string, set: Omit<BaselineSet, 'name'>): string {
  const { name: shipped, ...bundled } = SHIPPED_BASELINES;
  if (name !== shipped || isDeepStrictEqual(set, bundled)) return name;
  return `${name}@${shortHash(set)}`;
}

export function writeBaselines(path: string, set: BaselineSet): void {
  replaceFile(path, sayBaselines(set));
}

/** The text of a baseline file; reading it returns the same set. */
export function sayBaselines(set: BaselineSet): string {
  return `${JSON.stringify(set, null, 2)}\n`;
}
