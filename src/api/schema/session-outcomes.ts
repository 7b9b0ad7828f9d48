import { z } from 'zod';
import {
  evidenceOf,
  measurableFrom,
  type SurvivalDays,
  WORK_STATES,
  type WorkOutcome,
} from '../../session/outcomes/work-outcome.ts';
import { isoTime } from '../../session/time-zone.ts';
import { from } from '../wire.ts';
import { head } from './parts.ts';

const survivingShare = z
  .number()
  .nullable()
  .describe(
    'Share of its lines on the default branch that were still there then; `null`: none, or too young',
  );

function shareAfter(days: SurvivalDays) {
  return from(({ survival }: WorkOutcome) => {
    const after = survival[days];
    return 'share' in after ? after.share : undefined;
  }, survivingShare);
}

export const outcomeRow = z.strictObject({
  session_id: z.string(),
  session_key: from('key', z.string().describe('Tells it from every other session, whatever id that has')),
  repository: z.string().nullable(),
  lines_written: z
    .number()
    .nullable()
    .describe('Lines that say something (no braces, no blanks) and were not there before'),
  lines_committed: z.number().nullable(),
  lines_on_default: z.number().nullable(),
  lines_surviving: z.number().nullable().describe('Still on the default branch as it stands'),
  survival_1d: shareAfter(1),
  survival_7d: shareAfter(7),
  survival_30d: shareAfter(30),
  commits: from(
    ({ commits }: WorkOutcome) => commits.map(({ sha }) => sha),
    z.array(z.string()).describe('Commits that hold its work, oldest first; copies of one commit are one'),
  ),
  // Of what was not looked at nothing is known.
  reverted: from(
    ({ head: judgedOn, reverted }: WorkOutcome) => (judgedOn === undefined ? undefined : reverted),
    z.boolean().nullable(),
  ),
  state: z.enum(WORK_STATES),
  reason: z.string().nullable().describe('Why nothing is known, or why it is too early to say more'),
  tellable_from: from(
    (one: WorkOutcome) => isoTime(measurableFrom(one))?.slice(0, 10),
    z.string().nullable().describe('Day from which more can be told'),
  ),
  evidence: from(
    evidenceOf,
    z.array(z.string()).describe('What says that the commits hold its work, the strongest first'),
  ),
  judged_on: from('head', z.string().nullable().describe('Commit that the default branch stood at')),
  known_until: z.iso.datetime().nullable().describe('Time of the last commit of the repository'),
});

export const sessionOutcomes = z.strictObject({
  ...head('assay-session-outcomes'),
  outcomes: z.array(outcomeRow),
  beside: z
    .strictObject({
      sessions: z.number(),
      all: z.boolean().describe('`false`: there are more, and one of them may have written a line last'),
    })
    .exactOptional()
    .describe(
      'Other kept sessions of the same projects, at work since the first of these began, that were looked at for who wrote a line last',
    ),
});
