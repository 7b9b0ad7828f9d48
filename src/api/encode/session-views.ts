import type { z } from 'zod';
import type { RatingValidation } from '../../session/calibration/validate-ratings.ts';
import type { Quote } from '../../session/ingest/replay/read-quotes.ts';
import type { TaskType } from '../../session/profiles/task-type.ts';
import type { ListedSession } from '../../session/results.ts';
import type { Feedback, Rating } from '../../store/store.ts';
import type {
  keptValidation,
  ratingPage,
  sessionFeedback,
  sessionRated,
  sessionRatings,
  sessionTree,
  transcriptLines,
} from '../schema/session-views.ts';
import { encodeRating } from './rating.ts';
import { encodeListed } from './session-list.ts';
import { encodeRatingValidation } from './validation.ts';

export function encodeLines(told: {
  readonly path: string;
  readonly lines: readonly Quote[];
}): z.infer<typeof transcriptLines> {
  return {
    format: 'assay-transcript-lines',
    version: 1,
    path: told.path,
    lines: told.lines.map(({ line, who, text }) => ({ line, who, text })),
  };
}

type Family = {
  readonly members: readonly {
    readonly session: ListedSession;
    readonly parentKey?: string;
    readonly totalCostUsd?: number;
  }[];
  readonly isWhole: boolean;
};

export function encodeTree({ members, isWhole }: Family): z.infer<typeof sessionTree> {
  return {
    format: 'assay-session-tree',
    version: 1,
    complete: isWhole,
    sessions: members.map(({ session, parentKey, totalCostUsd }) => ({
      ...encodeListed(session),
      parent_key: parentKey ?? null,
      total_cost_usd: totalCostUsd ?? null,
    })),
  };
}

function encodeFeedback({
  feedbackId,
  thumb,
  comment,
  author,
  at,
}: Feedback): z.infer<typeof sessionFeedback> {
  return { id: feedbackId, thumb: thumb ?? null, comment: comment ?? null, author, at };
}

type Said = { readonly ratings: readonly Rating[]; readonly feedback: readonly Feedback[] };

export function encodeSaid({ ratings, feedback }: Said): z.infer<typeof sessionRatings> {
  return {
    format: 'assay-session-ratings',
    version: 1,
    ratings: ratings.map(encodeRating),
    feedback: feedback.map(encodeFeedback),
  };
}

type Rated = {
  readonly row: { readonly q?: number; readonly tier?: string };
  readonly rating?: Rating;
  readonly feedback?: Feedback;
};

export function encodeRated({ row, rating, feedback }: Rated): z.infer<typeof sessionRated> {
  return {
    format: 'assay-session-rated',
    version: 1,
    rating: rating === undefined ? null : encodeRating(rating),
    feedback: feedback === undefined ? null : encodeFeedback(feedback),
    q: row.q ?? null,
    tier: row.tier ?? null,
  };
}

export function encodeRatingPage(
  ratings: readonly Rating[],
  next: string | null,
): z.infer<typeof ratingPage> {
  return { format: 'assay-rating-page', version: 1, items: ratings.map(encodeRating), next };
}

type Kept = {
  readonly validation: RatingValidation;
  readonly points: readonly {
    readonly sessionKey: string;
    readonly sessionId: string;
    readonly taskType: TaskType;
    readonly q: number;
    readonly rating: number;
    readonly raters: number;
  }[];
  readonly unjoined: number;
};

export function encodeKeptValidation({ validation, points, unjoined }: Kept): z.infer<typeof keptValidation> {
  return {
    format: 'assay-kept-validation',
    version: 1,
    validation: encodeRatingValidation(validation),
    points: points.map(({ sessionKey, sessionId, taskType, q, rating, raters }) => ({
      session_key: sessionKey,
      session_id: sessionId,
      task_type: taskType,
      q,
      rating,
      raters,
    })),
    unjoined,
  };
}
