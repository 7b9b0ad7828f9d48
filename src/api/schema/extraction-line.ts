import { z } from 'zod';

/** A line of an extraction of several texts: the output of one, or why it has none, in the order of the input. */
export const extractionLine = z
  .looseObject({
    id: z.union([z.string(), z.number()]).optional().describe('As the input wrote it'),
    trial: z.number().optional().describe('With repeats: which one'),
    error: z
      .object({
        code: z.string(),
        message: z.string(),
        line: z.number().optional().describe('Of the batch'),
      })
      .optional(),
    note: z.string().optional().describe('Why there is no concept'),
    concepts: z.array(z.looseObject({ label: z.string() })).optional(),
    relationships: z.array(z.looseObject({ source: z.string(), target: z.string() })).optional(),
  })
  .refine(
    ({ error, concepts }) => (error === undefined) !== (concepts === undefined),
    'an output, or an error',
  );
