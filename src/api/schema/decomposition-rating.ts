import { z } from 'zod';
import { from } from '../wire.ts';
import { sentDecomposition } from './decomposition-record.ts';
import { head } from './parts.ts';

const { text: _, output: __, ...kept } = sentDecomposition.shape;

/** Sampled requests of production that wait for a rater. */
export const decompositionQueue = z.object({
  ...head('assay-decomposition-queue'),
  open: z
    .number()
    .describe('Sampled requests of these days that wait for you: one in five is rated by two people'),
  sampled: z.number().describe('All sampled requests of these days'),
  items: z.array(
    z.object({
      decomposition: from('record', z.object(kept)),
      text: from('text.text', z.string().nullable().describe('`null`: it was not kept, or is gone by now')),
      output: from('text.output', z.unknown().nullable().describe('As the service gave it')),
      concepts: z
        .array(z.object({ label: z.string(), quote: z.string().nullable() }))
        .describe('Of the output, where it was kept'),
    }),
  ),
});

const reason = z.string().trim().max(4000).optional();

/** What a person says of a request. */
export const decompositionOpinion = z.strictObject({
  acceptable: z.boolean().describe('Of the whole'),
  reason,
  fabricated: z.boolean().optional().describe('Something in it was made up, whichever concept it is'),
  concepts: z
    .array(
      z.strictObject({
        label: z.string().min(1).max(1000),
        acceptable: z.boolean(),
        fabricated: z.boolean().optional().describe('The text says nothing of it'),
        reason,
      }),
    )
    .max(1000)
    .default([]),
  missing: z
    .array(z.string().trim().min(1).max(1000))
    .max(1000)
    .optional()
    .describe('Concepts that it lacks; an empty list says that nothing is missing'),
  author: z.string().trim().min(1).max(200).optional().describe('By default whom the server knows'),
});

export const decompositionRated = z.object({
  ...head('assay-decomposition-rated'),
  id: z.string(),
  ratings: z.number().describe('How many opinions were kept: of the whole and of concepts'),
});

/** What a user says of an output, or of one concept in it. */
export const sentFeedback = z
  .strictObject({
    id: z.string().min(1).max(200).optional().describe('Sent again under it nothing changes'),
    output_id: z.string().min(1).max(200).describe('The id of the request, or of a case of the run'),
    run_id: z.string().min(1).max(200).optional().describe('The run of golden cases that the output is of'),
    concept: z.string().min(1).max(1000).optional().describe('The label of the concept that it is about'),
    thumb: z.enum(['up', 'down']).optional(),
    score: z.number().min(1).max(5).optional().describe('Stars'),
    comment: z.string().trim().min(1).max(4000).optional(),
    author: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .default('user')
      .describe('A name that tells users apart, no more'),
    at: z.iso
      .datetime({ offset: true })
      .optional()
      .describe('By default now; with an `id` it should be said'),
  })
  .refine(
    ({ thumb, score, comment }) => thumb !== undefined || score !== undefined || comment !== undefined,
    'needs a thumb, a score or a comment',
  );

export const feedbackSaved = z.object({
  ...head('assay-feedback-saved'),
  id: z.string(),
});
