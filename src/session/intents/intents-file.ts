/** What was learnt, as a file: what `assay sessions intents train` writes and `--intents` reads. */
import { writeFileSync } from 'node:fs';
import { z } from 'zod';
import { AssayError } from '../../errors.ts';
import { readJson } from '../../files.ts';
import type { IntentModel } from './intent-model.ts';

const weights = z.record(z.string().max(200), z.number().min(-1000).max(1000));

const schema = z.strictObject({
  format: z.literal('assay-session-intents'),
  version: z.literal(1),
  name: z.string().min(1).max(100),
  weights: z.strictObject({
    coding: weights,
    operations: weights,
    research: weights,
    chat: weights,
    discovery: weights,
    heartbeat: weights,
  }),
});

export function readIntents(path: string): IntentModel {
  const parsed = schema.safeParse(readJson(path));
  if (parsed.success) return { name: parsed.data.name, weights: parsed.data.weights };
  const [issue] = parsed.error.issues;
  const place = issue?.path.map(String).join('.') || 'the whole file';
  throw new AssayError('INPUT_INVALID', `${path}: ${place}: ${issue?.message ?? 'nothing learnt is in it'}`, {
    cause: parsed.error,
    remedy: [
      { say: 'Write one', step: { operation: 'sessions intents train', options: { out: 'intents.json' } } },
    ],
  });
}

export function writeIntents(path: string, { name, weights: learnt }: IntentModel): void {
  const file: z.infer<typeof schema> = { format: 'assay-session-intents', version: 1, name, weights: learnt };
  try {
    writeFileSync(path, `${JSON.stringify(file, null, 2)}\n`);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AssayError('OUTPUT_FAILED', `${path} cannot be written: ${why}`, { cause });
  }
}
