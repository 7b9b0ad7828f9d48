/** What was learnt, as a file: what `assay sessions intents train` writes and `--intents` reads. */
import { z } from 'zod';
import { replaceFile } from '../../locked-file.ts';
import { readChecked } from '../checked-file.ts';
import { TASK_TYPES } from '../profiles/task-type.ts';
import type { IntentModel } from './intent-model.ts';

const weights = z.record(z.string().max(200), z.number().min(-1000).max(1000));

const schema = z.strictObject({
  format: z.literal('assay-session-intents'),
  version: z.literal(1),
  name: z.string().min(1).max(100),
  weights: z.record(z.enum(TASK_TYPES), weights),
});

export function readIntents(path: string): IntentModel {
  const { name, weights: learnt } = readChecked(path, schema, {
    remedy: [
      { say: 'Write one', step: { operation: 'sessions intents train', options: { out: 'intents.json' } } },
    ],
  });
  return { name, weights: learnt };
}

export function writeIntents(path: string, { name, weights: learnt }: IntentModel): void {
  const file: z.infer<typeof schema> = { format: 'assay-session-intents', version: 1, name, weights: learnt };
  replaceFile(path, `${JSON.stringify(file, null, 2)}\n`);
}
