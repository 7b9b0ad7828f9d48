import { join } from 'node:path';
import { ownWeightsOf } from '../../operations/session/own-weights.ts';
import type { Machine, ScoringChoices, SessionRequest } from '../../operations/session/session-request.ts';
import { userCacheFolder } from '../../own-folder.ts';
import type { SessionsGiven } from '../../session/documents/next-step.ts';
import type { Arguments, Options, Terminal } from '../command.ts';
import { givenOf } from '../given.ts';
import { hasConfig } from '../has-config.ts';
import { homeOf } from '../home.ts';
import { textOf } from '../text-of.ts';
import { filterOf } from './filter-options.ts';
import { repositoriesOf } from './repository-request.ts';
import { timezoneOf } from './time-options.ts';

/** Words → which sessions are asked for and how they are scored. */
export async function sessionRequest(args: Arguments, terminal: Terminal): Promise<SessionRequest> {
  const filter = filterOf(args);
  let timezone = textOf(args, 'timezone') && timezoneOf(args);
  return {
    from: args.values['from-store'] === true ? 'store' : transcriptsOf(args, terminal),
    scoring: await scoringOf(args, terminal),
    filter,
    /** That of the machine takes a tenth of a second run to find out: only who needs it asks. */
    get timezone() {
      timezone ??= timezoneOf(args);
      return timezone;
    },
    ...(args.values['no-git'] !== true && { repositories: await repositoriesOf(args, terminal) }),
  };
}

export function machineOf(terminal: Terminal): Machine {
  return { home: homeOf(terminal), environment: terminal.env };
}

function transcriptsOf(args: Arguments, terminal: Terminal): Exclude<SessionRequest['from'], 'store'> {
  return {
    paths: args.positionals,
    ...machineOf(terminal),
    cache: cachePath(terminal),
    fresh: args.values.fresh === true,
  };
}

/** A cache, so that a second run reads only what is new; it may be deleted at any time. */
function cachePath(terminal: Terminal): string {
  return join(userCacheFolder(terminal.env), 'sessions.db');
}

async function scoringOf(args: Arguments, terminal: Terminal): Promise<ScoringChoices> {
  const [weights, baselines, outcomes, prices] = ['weights', 'baselines', 'outcomes', 'prices'].map((name) =>
    textOf(args, name),
  );
  const [taskTypes, intents] = [textOf(args, 'task-types'), textOf(args, 'intents')];
  return {
    weights,
    baselines,
    outcomes,
    prices,
    taskTypes,
    intents,
    ...(await configured(args, terminal)),
  };
}

/** Checking a configuration takes longer than seeing that there is none. */
async function configured(args: Arguments, terminal: Terminal): Promise<ScoringChoices> {
  if (!hasConfig(args, terminal)) return {};
  const { readSettings } = await import('../settings.ts');
  const { taskTypes, weights, signalWeights } = (await readSettings(args, terminal)).config.session;
  const ownWeights = ownWeightsOf({ profiles: weights, signals: signalWeights });
  return { taskTypeOf: taskTypes, ...(ownWeights && { ownWeights }) };
}

/** What was typed, for next steps that look at the same sessions. */
export function sessionsGiven(args: Arguments, options: Options): SessionsGiven {
  return { paths: args.positionals, options: givenOf(args, options) };
}
