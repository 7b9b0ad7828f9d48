import { z } from 'zod';
import { decompositionRecord } from '../../decomposition/production/record-schema.ts';
import { snakeShape } from '../wire.ts';
import { head } from './parts.ts';

const { experiment } = decompositionRecord.shape;

/** One request as it is sent: its counts are optional and computed from `text` and `output`. */
export const sentDecomposition = z.strictObject({
  ...snakeShape(decompositionRecord.shape),
  // Without `#`, which parts an id from the label of a concept.
  id: z
    .string()
    .regex(/^[^#\s]{1,200}$/, 'must be 1 to 200 characters without white space and #')
    .describe('Of the request; sent again it changes nothing'),
  at: z.iso.datetime({ offset: true }).describe('When the request was made'),
  status: z.enum(['ok', 'error']).default('ok'),
  experiment: z.strictObject(snakeShape(experiment.unwrap().shape)).optional(),
  text: z
    .string()
    .max(2_000_000)
    .optional()
    .describe(
      'Hashed, and looked at where the request is sampled; kept only where the configuration says so',
    ),
  output: z
    .unknown()
    .optional()
    .describe(
      'What the service answered, in any form that recorded outputs may have; counted, and kept like the text',
    ),
});

/** The result of sending requests. */
export const decompositionsRecorded = z.strictObject({
  ...head('assay-decompositions-recorded'),
  added: z.number().describe('Requests that are new'),
  known: z.number().describe('Requests that were there already'),
  sampled: z.number().describe('Of the new ones, those drawn for a closer look'),
  ahead: z.number().describe('Requests that said to be from the future: they count as made when they came'),
});
