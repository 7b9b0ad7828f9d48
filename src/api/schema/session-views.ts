/** What the server says of single sessions and of what people said of them. */
import { z } from 'zod';
import type { ListedSession } from '../../session/session-groups.ts';
import { feedback as feedbackRecord, rating as ratingRecord } from '../../store/schema/records.ts';
import { from, wireShape } from '../wire.ts';
import { head } from './parts.ts';
import { listedSession } from './session-list.ts';
import { taskType } from './task-type.ts';
import { ratingValidation, successReport } from './validation.ts';
import { verified } from './verified.ts';

const { rating_id: ratingId, project: _, ...facts } = wireShape(ratingRecord.shape);

/** What a person or a named model says of something. */
export const rating = z.strictObject({
  version: z.literal(1),
  id: from('ratingId', ratingId),
  ...facts,
});

export const transcriptLines = z.strictObject({
  ...head('assay-transcript-lines'),
  path: z.string().describe('The transcript'),
  lines: z
    .array(
      z.strictObject({
        line: z.number(),
        who: z.enum(['person', 'agent', 'call', 'result']),
        text: z.string().describe('Keys masked, long ones cut in the middle'),
      }),
    )
    .describe('Those of the wanted lines that say something'),
});

type Member = {
  readonly session: ListedSession;
  readonly parentKey?: string;
  readonly totalCostUsd?: number;
};

export const sessionTree = z.strictObject({
  ...head('assay-session-tree'),
  complete: from('isWhole', z.boolean().describe('`false`: there are more than were looked at')),
  sessions: from(
    ({ members }: { readonly members: readonly Member[] }) =>
      members.map(({ session, ...own }) => ({ ...session, ...own })),
    z
      .array(
        listedSession.extend({
          parent_key: z
            .string()
            .nullable()
            .describe('`session_key` of the one that started it; `null`: the first'),
          total_cost_usd: z
            .number()
            .nullable()
            .describe('With all below it; `null` where one of them is not known'),
        }),
      )
      .describe('Whoever started comes before whom it started'),
  ),
});

const { feedback_id: feedbackId, thumb, comment, author, at } = wireShape(feedbackRecord.shape);

const sessionFeedback = z.strictObject({ id: from('feedbackId', feedbackId), thumb, comment, author, at });

export const sessionRatings = z.strictObject({
  ...head('assay-session-ratings'),
  ratings: z.array(rating).describe('Newest first'),
  feedback: z.array(sessionFeedback).describe('Thumbs, newest first'),
});

export const sessionRated = z.strictObject({
  ...head('assay-session-rated'),
  rating: rating.nullable(),
  feedback: sessionFeedback.nullable(),
  q: from('row.q', z.number().nullable().describe('Told once something was said')),
  tier: from('row.tier', z.string().nullable()),
  verified: from('row.verified', verified),
});

export const ratingPage = z.strictObject({
  ...head('assay-rating-page'),
  items: z.array(rating).describe('Newest first'),
  next: z.string().nullable(),
});

export const storedValidation = z.strictObject({
  ...head('assay-stored-validation'),
  validation: ratingValidation,
  points: z.array(
    z.strictObject({
      session_key: z.string(),
      session_id: z.string(),
      task_type: taskType,
      q: z.number(),
      rating: z.number().describe('Mean of what each rater said last'),
      raters: z.number(),
    }),
  ),
  unjoined: z.number().describe('Ratings of sessions that are not kept here, or of a name that several have'),
  success: successReport,
});
