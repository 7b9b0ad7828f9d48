/** What the server sends, as the schemas of `src/api` say it. */
import type { z } from 'zod';
import type { alert } from '../../../src/api/schema/alert.ts';
import type { runSummary } from '../../../src/api/schema/decomposition.ts';
import type { sessionSummary } from '../../../src/api/schema/digest.ts';
import type { explanation } from '../../../src/api/schema/explanation.ts';
import type { overview } from '../../../src/api/schema/overview.ts';
import type { measurement } from '../../../src/api/schema/parts.ts';
import type { listedSession, sessionList, sessionNames } from '../../../src/api/schema/session-list.ts';
import type { outcomeRow, sessionOutcomes } from '../../../src/api/schema/session-outcomes.ts';
import type {
  ratingPage,
  sessionRated,
  sessionRatings,
  sessionTree,
  transcriptLines,
} from '../../../src/api/schema/session-views.ts';

export type Measured = z.infer<typeof measurement>;
export type Alert = z.infer<typeof alert>;
export type SessionSummary = z.infer<typeof sessionSummary>;
export type Explanation = z.infer<typeof explanation>;
export type Overview = z.infer<typeof overview>;
export type RunSummary = z.infer<typeof runSummary>;
export type ListedSession = z.infer<typeof listedSession>;
export type SessionList = z.infer<typeof sessionList>;
export type OutcomeRow = z.infer<typeof outcomeRow>;
export type SessionOutcomes = z.infer<typeof sessionOutcomes>;
export type TranscriptLines = z.infer<typeof transcriptLines>;
export type SessionNames = z.infer<typeof sessionNames>;
export type SessionTree = z.infer<typeof sessionTree>;
export type SessionRatings = z.infer<typeof sessionRatings>;
export type SessionRated = z.infer<typeof sessionRated>;
export type RatingPage = z.infer<typeof ratingPage>;

/** A page of a list: `next` asks for the one after it. */
export type PageOf<Item> = {
  readonly items: readonly Item[];
  readonly next: string | null;
  readonly total: number | null;
};
