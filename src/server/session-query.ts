/** What the addresses of sessions take in their query. */
import { z } from 'zod';
import { taskType } from '../api/schema/task-type.ts';
import type { Config } from '../config.ts';
import type { PageRequest } from '../operations/session/page-sessions.ts';
import { ownWeightsOf } from '../operations/session/scoring-options.ts';
import type {
  Machine,
  RepositoryChoices,
  ScoringChoices,
  SessionFilter,
  SessionRequest,
} from '../operations/session/session-request.ts';

const time = z.iso.datetime({ offset: true }).or(z.iso.date()).describe('A date, or a time with its zone');

export const sessionFilter = z.strictObject({
  since: time.optional().describe('Sessions that started at this time or later'),
  until: time.optional().describe('Sessions that started before this time; a date includes that whole day'),
  agent: z.string().max(200).optional().describe('The agent or source'),
  model: z.string().max(200).optional().describe('Part of the name of a model that the session used'),
  project: z
    .string()
    .max(1000)
    .optional()
    .describe('The folder of the project, the end of its path, or its name'),
  task_type: taskType.optional(),
});

export const titlesChoice = z
  .enum(['true', 'false'])
  .default('false')
  .describe('Include titles, read from the transcripts; only on this machine or with the scope admin');

export const ORDERS = {
  newest: 'newest',
  oldest: 'oldest',
  lowest_q: 'lowest Q',
  costliest: 'costliest',
  longest: 'longest',
  needs_attention: 'needs attention',
} as const;

/** Which sessions a list holds, and in which order. */
export const sessionListing = sessionFilter.extend({
  tier: z.string().max(20).optional(),
  search: z
    .string()
    .max(200)
    .optional()
    .describe(
      'Part of the name of the project, agent, model or task type; the session id; or the start of its key',
    ),
  sort: z.enum(Object.keys(ORDERS) as (keyof typeof ORDERS)[]).default('newest'),
  titles: titlesChoice,
});

export function listingOf({
  tier,
  search,
  sort,
  ...filter
}: Omit<z.output<typeof sessionListing>, 'titles'>): Pick<
  PageRequest,
  'filter' | 'tier' | 'search' | 'order'
> {
  return { filter: filterOf(filter), tier, search: search === '' ? undefined : search, order: ORDERS[sort] };
}

type Asked = z.output<typeof sessionFilter>;

const DAY_MS = 86_400_000;

export function filterOf(query: Asked): SessionFilter {
  const { since, until, agent, model, project, task_type: type } = query;
  return {
    ...(since !== undefined && { since: Date.parse(since) }),
    ...(until !== undefined && { until: endOf(until) }),
    ...(agent !== undefined && { agent }),
    ...(model !== undefined && { model }),
    ...(project !== undefined && { project }),
    ...(type !== undefined && { taskType: type }),
  };
}

function endOf(until: string): number {
  return Date.parse(until) + (until.length === '2026-11-12'.length ? DAY_MS : 0);
}

/** Stored sessions, scored as a command in the folder of the server would score them. */
export function storedRequest(query: Asked, config: Config): SessionRequest {
  return { from: 'store', filter: filterOf(query), scoring: scoringOf(config) };
}

function scoringOf({ session: { taskTypes, weights, signalWeights } }: Config): ScoringChoices {
  const ownWeights = ownWeightsOf({ profiles: weights, signals: signalWeights });
  return { taskTypeOf: taskTypes, ...(ownWeights && { ownWeights }) };
}

/** Where sessions recorded their folders to be. */
export function repositoriesOf({ environment }: Machine, { session }: Config): RepositoryChoices {
  return { places: [], roots: session.repositories, environment };
}
