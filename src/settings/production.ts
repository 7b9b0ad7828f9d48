/** Sampling and storage of production requests. */
import { z } from 'zod';
import { daysSetting } from './fields.ts';

export const productionSettings = z.strictObject({
  sampleRate: z
    .number()
    .min(0)
    .max(1)
    .default(0.05)
    .describe(
      'Of the requests that `assay serve` is told of, about this share is drawn for a closer look, rare kinds more often. What `monitor()` sends is drawn where it runs.',
    ),
  seed: z.int().min(0).max(4294967295).default(1).describe('The same seed draws the same requests.'),
  keepText: z
    .boolean()
    .default(false)
    .describe('Texts and outputs of the sampled requests are kept where they are sent, keys masked.'),
  textDays: daysSetting.default(30).describe('They are deleted after so many days.'),
  recordDays: daysSetting
    .default(400)
    .describe('Requests are deleted after so many days; their sums by hour and by day stay.'),
});
