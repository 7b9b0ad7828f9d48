/** Command line → which sessions to read, and how to score them. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ownWeightsOf } from '../../operations/session/scoring-options.ts';
import type {
  Machine,
  RepositoryChoices,
  ScoringChoices,
  SessionFilter,
  SessionRequest,
  TranscriptPlaces,
} from '../../operations/session/session-request.ts';
import { homeOf } from '../../own-folder.ts';
import type { SessionsGiven } from '../../session/views/next-step.ts';
import type { Arguments, Terminal } from '../command.ts';
import { hasConfig } from '../has-config.ts';
import { localZone } from '../parse-arguments.ts';
import type { SessionArguments } from './options.ts';

export async function sessionRequest(args: SessionArguments, terminal: Terminal): Promise<SessionRequest> {
  let { timezone } = args.values;
  const { 'no-sync': noSync } = args.values;
  const isStored = noSync === true && args.positionals.length === 0;
  return {
    from: isStored ? 'store' : transcriptsOf(args, terminal),
    scoring: await scoringOf(args, terminal),
    filter: filterOf(args),
    /** That of the machine takes a tenth of a second run to find out: only who needs it asks. */
    get timezone() {
      timezone ??= localZone();
      return timezone;
    },
    ...(!args.values['no-git'] && { repositories: await repositoriesOf(args, terminal) }),
  };
}

export function machineOf(terminal: Terminal): Machine {
  return { home: homeOf(terminal.env), environment: terminal.env };
}

export function transcriptsOf(
  { positionals, values }: SessionArguments,
  terminal: Terminal,
): TranscriptPlaces {
  const { fresh, 'no-store': temporary } = values;
  return { paths: positionals, ...machineOf(terminal), fresh: fresh === true, temporary: temporary === true };
}

/** Named paths go into a store only where one is named. */
export function isStored({ positionals, values }: SessionArguments): boolean {
  return values['no-store'] !== true && (positionals.length === 0 || values.store !== undefined);
}

/** Which of the sessions are wanted. */
export function filterOf({ values }: SessionArguments): SessionFilter {
  const { since, until, 'min-coverage': minCoverage, agent, model, project, 'task-type': taskType } = values;
  return {
    since,
    until,
    minCoverage,
    agent,
    model,
    ...(project !== undefined && { project: /^\.{1,2}([/\\]|$)/.test(project) ? resolve(project) : project }),
    ...(taskType !== undefined && { taskType }),
  };
}

async function scoringOf(args: SessionArguments, terminal: Terminal): Promise<ScoringChoices> {
  const { weights, baselines, outcomes, costs, prices, intents, 'task-types': taskTypes } = args.values;
  const files = { weights, baselines, outcomes, costs, prices, taskTypes, intents };
  return { ...files, ...(await configured(args, terminal)) };
}

/** Checking a configuration takes longer than seeing that there is none. */
async function configured(args: SessionArguments, terminal: Terminal): Promise<ScoringChoices> {
  if (!hasConfig(args, terminal)) return {};
  const { readSettings } = await import('../settings.ts');
  const { taskTypes, weights, signalWeights } = (await readSettings(args, terminal)).config.session;
  const ownWeights = ownWeightsOf({ profiles: weights, signals: signalWeights });
  return { taskTypeOf: taskTypes, ...(ownWeights && { ownWeights }) };
}

type RepositoryArguments = { readonly values: Pick<SessionArguments['values'], 'repo' | 'fresh' | 'config'> };

/** Where the repositories are that sessions worked in. */
export async function repositoriesOf(
  args: RepositoryArguments,
  terminal: Terminal,
): Promise<RepositoryChoices> {
  const { repo } = args.values;
  return {
    places: repo === undefined ? [] : placesIn(repo, terminal.cwd),
    roots: await rootsOf(args, terminal),
    environment: terminal.env,
  };
}

async function rootsOf(
  args: RepositoryArguments,
  terminal: Terminal,
): Promise<NonNullable<RepositoryChoices['roots']>> {
  if (!hasConfig(args, terminal)) return {};
  const { readSettings } = await import('../settings.ts');
  return (await readSettings(args, terminal)).config.session.repositories;
}

/** `DIR`, or `RECORDED=DIR,RECORDED=DIR`; a folder may have such signs in its name. */
function placesIn(given: string, cwd: string): RepositoryChoices['places'] {
  if (!given.includes('=') || existsSync(resolve(cwd, given))) return [{ to: resolve(cwd, given) }];
  return given.split(',').map((pair) => {
    const at = pair.indexOf('=');
    const to = resolve(cwd, pair.slice(at + 1));
    return at <= 0 ? { to } : { from: pair.slice(0, at), to };
  });
}

/** What was typed, for next steps that look at the same sessions. */
export function sessionsGiven({
  positionals,
  given,
}: Pick<Arguments, 'positionals' | 'given'>): SessionsGiven {
  return { paths: positionals, options: given };
}
