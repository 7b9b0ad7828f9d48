/** A set of baselines as a file: what `assay sessions baselines fit` writes and `--baselines` reads. */
import { writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { AssayError } from '../../errors.ts';
import { readJson } from '../../files.ts';
import { shortHash } from '../session-key.ts';
import { type BaselineSet, SHIPPED_BASELINES } from './baselines.ts';

const baseline = z.strictObject({
  tokenRatio: z.number().positive().optional(),
  turns: z.number().positive().optional(),
});

const schema = z.strictObject({
  name: z.string().min(1).max(100),
  perType: z.strictObject({
    coding: baseline,
    operations: baseline,
    research: baseline,
    chat: baseline,
    discovery: baseline,
    heartbeat: baseline,
  }),
  idleCostByAgent: z.record(z.string(), z.number().min(0)).optional(),
});

export function readBaselines(path: string): BaselineSet {
  const parsed = schema.safeParse(readJson(path));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue?.path.map(String).join('.') || 'the whole file';
    throw new AssayError(
      'INPUT_INVALID',
      `${path}: ${place}: ${issue?.message ?? 'not a set of baselines'}`,
      {
        cause: parsed.error,
        remedy: [
          {
            say: 'Write one',
            step: { operation: 'sessions baselines fit', options: { out: 'baselines.json' } },
          },
          { say: 'take the bundled ones as a pattern', step: { operation: 'sessions baselines show' } },
        ],
      },
    );
  }
  const { name, perType, idleCostByAgent } = parsed.data;
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
  try {
    writeFileSync(path, sayBaselines(set));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AssayError('OUTPUT_FAILED', `${path} cannot be written: ${why}`, { cause });
  }
}

/** The file's text; reading it gives the same set. */
export function sayBaselines(set: BaselineSet): string {
  return `${JSON.stringify(set, null, 2)}\n`;
}
