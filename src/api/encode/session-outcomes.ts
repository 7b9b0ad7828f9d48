import type { z } from 'zod';
import { isoTime } from '../../session/iso-time.ts';
import { evidenceOf, type SurvivalDays, tellableFrom } from '../../session/outcomes/work-outcome.ts';
import type { Outcomes, SessionOutcome } from '../../session/results.ts';
import type { outcomeRow, sessionOutcomes } from '../schema/session-outcomes.ts';

export function encodeOutcomes({ outcomes, beside }: Outcomes): z.infer<typeof sessionOutcomes> {
  return {
    format: 'assay-session-outcomes',
    version: 1,
    outcomes: outcomes.map(encodeOutcome),
    beside,
  };
}

function encodeOutcome(one: SessionOutcome): z.infer<typeof outcomeRow> {
  const share = (days: SurvivalDays): number | null => {
    const survival = one.survival[days];
    return 'share' in survival ? survival.share : null;
  };
  return {
    session_id: one.sessionId,
    session_key: one.key,
    repository: one.repository ?? null,
    lines_written: one.linesWritten ?? null,
    lines_committed: one.linesCommitted ?? null,
    lines_on_default: one.linesOnDefault ?? null,
    lines_surviving: one.linesSurviving ?? null,
    survival_1d: share(1),
    survival_7d: share(7),
    survival_30d: share(30),
    commits: one.commits.map(({ sha }) => sha),
    // Of what was not looked at nothing is known.
    reverted: one.head === undefined ? null : one.reverted,
    state: one.state,
    reason: one.reason ?? null,
    tellable_from: isoTime(tellableFrom(one))?.slice(0, 10) ?? null,
    evidence: evidenceOf(one),
    judged_on: one.head ?? null,
    known_until: isoTime(one.knownUntil) ?? null,
  };
}
