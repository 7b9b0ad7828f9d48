import type { QualitySummary } from '../../session/summary.ts';
import type { Ports } from '../ports.ts';
import { askSessions, type ReadReport } from './ask-sessions.ts';
import type { Wording } from './list-sessions.ts';
import { attentionIn, type NeedsAttention } from './needs-attention.ts';
import type { SessionRequest } from './session-request.ts';
import { summaryOf } from './survey-sessions.ts';

/** A period, and the period of the same length before it. */
export type Digest = ReadReport & {
  readonly days: number;
  /** The end of the period, in milliseconds since 1970. */
  readonly until: number;
  readonly current: QualitySummary;
  readonly previous: QualitySummary;
  readonly attention: NeedsAttention;
  readonly riskyActions: number;
};

export type DigestRequest = SessionRequest & {
  readonly days: number;
  /** The end of the period, in milliseconds since 1970. */
  readonly until: number;
  /** Include the request and quoted receipts: transcripts are read again. */
  readonly titles?: Wording | undefined;
};

const DAY_MS = 86_400_000;

/** Compares a period with the period of the same length before it. */
export function digestSessions(request: DigestRequest, ports: Ports): Promise<Digest> {
  const { days, until, titles } = request;
  const [end, start, before] = [until + 1, until - days * DAY_MS, until - 2 * days * DAY_MS].map((ms) =>
    new Date(ms).toISOString(),
  ) as [string, string, string];
  return askSessions(request, ports, async (asked) => {
    const current = asked.within({ since: start, until: end });
    const previous = asked.within({ since: before, until: start });
    return {
      days,
      until,
      current: await summaryOf(current),
      previous: await summaryOf(previous),
      attention: await attentionIn(current, titles, ports),
      riskyActions: (await current.total()).riskyActions,
    };
  });
}
