/** Rows of the lists about sessions: each is one object of `--format jsonl`, and `--format json` is an array of them. */
import { z } from 'zod';
import { WORK_STATES } from '../../session/outcomes/work-outcome.ts';
import { taskType } from './task-type.ts';

export const lowSession = z.strictObject({
  session_id: z.string(),
  task_type: taskType,
  q: z.number(),
  cost_usd: z.number().nullable().describe('`null` where it is not known'),
  why: z.string().describe('What took most of the score away'),
});

/** Beside these it has the value it is grouped by: `model`, `agent`, `task_type` or `day`. */
export const roiRow = z.strictObject({
  task_type: z.string(),
  model: z.string().optional(),
  agent: z.string().optional(),
  day: z.string().optional(),
  sessions: z.number().describe('Sessions with a Q'),
  mean_q: z.number(),
  q_low: z.number().nullable().describe('Lower end of the 95% interval of the mean; it needs five sessions'),
  q_high: z.number().nullable(),
  mean_cost_usd: z.number().nullable(),
  total_cost_usd: z.number().nullable(),
  roi: z
    .union([z.number(), z.literal('free')])
    .nullable()
    .describe('Mean Q / mean cost of the priced sessions'),
});

export const sourceRow = z.strictObject({
  agent: z.string(),
  place: z.string(),
  files: z.number().nullable().describe('`null`: the place does not exist'),
});

export const skippedRow = z.strictObject({
  path: z.string(),
  reason: z.string(),
  count: z.number(),
  line: z.number().nullable().describe('The first of them, where lines are counted'),
});

export const baselineRow = z.strictObject({
  task_type: taskType,
  token_ratio: z.number().describe('Output / all input tokens'),
  turns: z.number(),
  idle_cost_usd: z.number(),
});

export const fittedRow = z.strictObject({
  task_type: taskType,
  figure: z.enum(['token_ratio', 'turns', 'idle_cost_usd']),
  value: z.number(),
  runs: z.number().describe('Agent runs that the figure could rest on'),
  fitted: z.boolean().describe('`false`: too few runs, the figure of the former set was kept'),
});

const survivingShare = z
  .number()
  .nullable()
  .describe(
    'Share of its lines on the default branch that were still there then; `null`: `reason` or too young',
  );

export const outcomeRow = z.strictObject({
  session_id: z.string(),
  repository: z.string().nullable(),
  lines_written: z
    .number()
    .nullable()
    .describe('Lines that say something (no braces, no blanks) and were not there before'),
  lines_committed: z.number().nullable(),
  lines_on_default: z.number().nullable(),
  lines_surviving: z.number().nullable().describe('Still on the default branch as it stands'),
  survival_1d: survivingShare,
  survival_7d: survivingShare,
  survival_30d: survivingShare,
  commits: z
    .array(z.string())
    .describe('Commits that hold its work, oldest first; copies of one commit are one'),
  reverted: z.boolean().nullable(),
  state: z.enum(WORK_STATES),
  reason: z.string().nullable().describe('Why nothing is known, or why it is too early to say more'),
  tellable_from: z.string().nullable().describe('Day from which more can be told'),
  evidence: z.array(z.string()).describe('What says that the commits hold its work, the strongest first'),
  judged_on: z.string().nullable().describe('Commit that the default branch stood at'),
  known_until: z.string().nullable().describe('Time of the last commit of the repository'),
});
