/** The lists about sessions, and their rows: one object each of `--format jsonl`. */
import { z } from 'zod';
import { estimate, unmeasured } from '../../measure/metric.ts';
import { RISK_KINDS } from '../../session/evidence.ts';
import type { GroupRoi } from '../../session/pricing/roi.ts';
import type { BaselineSet } from '../../session/profiles/baselines.ts';
import type { Fitted } from '../../session/profiles/fit-baselines.ts';
import { TASK_TYPES } from '../../session/profiles/task-type.ts';
import type { SessionGroup } from '../../session/session-groups.ts';
import { from } from '../wire.ts';
import { head, measurement } from './parts.ts';
import { listedSession } from './session-list.ts';
import { taskType } from './task-type.ts';

export const sessionAttention = z.strictObject({
  ...head('assay-session-attention'),
  sessions: from(
    'listed',
    z.array(listedSession).describe('At most seven, the most serious and most expensive first'),
  ),
  in_all: z.number().describe('How many need attention'),
  of: from('sessions', z.number().describe('Sessions that were looked at')),
});

/** One risky action. */
export const riskRow = z.strictObject({
  session_id: from('session.sessionId', z.string()),
  session_key: from('session.sessionKey', z.string()),
  title: from('session.title', z.string().nullable()),
  project: from('session.project', z.string().nullable()),
  model: from('session.model', z.string().nullable()),
  started_at: from('session.startedAt', z.iso.datetime().nullable()),
  kind: z.enum(RISK_KINDS),
  line: z.number(),
  quote: z
    .string()
    .nullable()
    .describe('What was done, read for this answer; `null` where the transcript is gone'),
});

export const sessionRisks = z.strictObject({
  ...head('assay-session-risks'),
  risks: z.array(riskRow).describe('Of the newest sessions first'),
  in_all: z.number(),
  sessions: z.number().describe('Sessions that were looked at'),
});

/** Beside these it has the value it is grouped by: `model`, `agent`, `task_type`, `project`, `day`, `week` or `month`. */
export const roiRow = z.strictObject({
  task_type: from('kind', z.string()),
  model: z.string().optional(),
  agent: z.string().optional(),
  project: z.string().optional(),
  day: z.string().optional(),
  week: z.string().optional().describe('The Monday it begins with'),
  month: z.string().optional(),
  q: from(
    ({ meanQ, n, interval }: GroupRoi) => estimate(meanQ, n, interval),
    measurement.describe('Mean over the sessions with a Q; the interval needs five'),
  ),
  cost_usd: from(
    ({ meanCostUsd, priced }: GroupRoi) =>
      meanCostUsd === undefined
        ? unmeasured('the cost of no session is known')
        : estimate(meanCostUsd, priced),
    measurement.describe('Mean over those whose cost is known too'),
  ),
  total_cost_usd: z.number().nullable().describe('`null` where no cost is known'),
  cost_usd_is_lower_bound: from(
    ({ costIsLowerBound }: GroupRoi) => costIsLowerBound === true,
    z.boolean().describe('`true`: the costs are at least these, Q per dollar at most'),
  ),
  roi: from(
    ({ roi, priced }: GroupRoi) => (roi.measured ? estimate(roi.value, priced) : roi),
    measurement.describe('Mean Q / mean cost of the priced sessions'),
  ),
});

type Roi = { readonly by: SessionGroup; readonly groups: readonly GroupRoi[] };

export const sessionRoi = z.strictObject({
  ...head('assay-session-roi'),
  by: z.enum(['model', 'agent', 'task-type', 'project', 'day', 'week', 'month']),
  timezone: from(
    ({ timezone = 'UTC' }: { readonly timezone?: string }) => timezone,
    z.string().describe('Whose days, weeks and months they are'),
  ),
  groups: from(
    ({ by, groups }: Roi) =>
      groups.map((group) =>
        by === 'task-type'
          ? { ...group, kind: group.key }
          : { ...group, kind: group.taskType ?? '', [by]: group.key },
      ),
    z.array(roiRow),
  ),
});

export const sessionSent = z.strictObject({
  ...head('assay-session-sent'),
  sessions: z.number().describe('In the store, of those that were asked for'),
  unmeasured: z.number().describe('Those of them with neither a Q nor an outcome: nothing is sent of them'),
  targets: z.array(
    z.strictObject({
      target: z.enum(['webhook', 'evaluations', 'langfuse', 'phoenix']),
      sent: z.number(),
      sent_before: z.number().describe('As they are now; they were not sent again'),
      refused: z.number().describe('They will not be taken, and are not tried again'),
      waiting: z.number().describe('Not taken yet; they stay in the store until they are'),
      why: z.string().nullable().describe('Why the last one was not taken'),
    }),
  ),
});

export const sourceRow = z.strictObject({
  source: z.string().describe('The format of what is looked for'),
  agent: z.string(),
  place: z.string(),
  files: from(
    ({ exists, files }: { readonly exists: boolean; readonly files: readonly string[] }) =>
      exists ? files.length : undefined,
    z.number().nullable().describe('`null`: the place does not exist'),
  ),
});

const sourceFormat = z.strictObject({
  source: from('name', z.string()),
  title: z.string(),
  versions: z.string().describe('Those that its reader was made from'),
  files: z.number().describe('In the places of this machine'),
  shows: z
    .array(z.enum(['tokens', 'cost', 'failures', 'denials', 'compaction', 'sub-agents', 'ends', 'model']))
    .describe('What its transcripts can show; the rest stays unmeasured, or is told from the text'),
  unmeasured: z.array(z.string()).describe('What stays unmeasured beside that'),
});

export const sessionSources = z.strictObject({
  ...head('assay-session-sources'),
  sources: z.array(sourceRow),
  formats: z.array(sourceFormat),
});

export const skippedRow = z.strictObject({
  path: z.string(),
  reason: z.string(),
  count: z.number(),
  line: from('firstLine', z.number().nullable().describe('The first of them, where lines are counted')),
});

export const sessionSkipped = z.strictObject({
  ...head('assay-session-skipped'),
  files: z.number().describe('Read'),
  skipped: from('kinds', z.array(skippedRow)),
});

export const baselineRow = z.strictObject({
  task_type: taskType,
  token_ratio: z.number().nullable().describe('Output / all input tokens; `null`: no data stands behind one'),
  turns: z.number().nullable().describe('Turns for each request; `null`: no data stands behind it'),
});

export const sessionBaselines = z.strictObject({
  ...head('assay-session-baselines'),
  name: z.string(),
  task_types: from(
    ({ perType }: BaselineSet) => TASK_TYPES.map((type) => ({ taskType: type, ...perType[type] })),
    z.array(baselineRow),
  ),
});

const FIGURES = { tokenRatio: 'token_ratio', turns: 'turns' } as const;

export const fittedRow = z.strictObject({
  task_type: taskType,
  figure: z.enum(['token_ratio', 'turns']),
  value: z.number().nullable().describe('`null`: too few runs, and the former set had none'),
  runs: from('n', z.number().describe('Agent runs that the figure could rest on')),
  fitted: z.boolean().describe('`false`: too few runs, the figure of the former set was kept'),
});

export const sessionBaselineFit = z.strictObject({
  ...head('assay-session-baseline-fit'),
  name: from('set.name', z.string()),
  out: z.string().nullable().describe('The file that took the set'),
  figures: from(
    ({ set, figures }: Fitted) =>
      figures.map((one) => ({
        ...one,
        figure: FIGURES[one.figure],
        value: set.perType[one.taskType][one.figure],
      })),
    z.array(fittedRow),
  ),
});
