import { AssayError } from '../../errors.ts';
import type { FileReading, SessionFacts } from '../../session/evidence.ts';
import { type Portion, valueAt } from '../../session/ingest/reading/spill-list.ts';
import { isTaskType, type TaskType } from '../../session/profiles/task-type.ts';
import { type ScoredSession, type SessionOptions, scoreSession } from '../../session/score-session.ts';
import { type SessionScore, Shortener } from '../../session/session-score.ts';
import type { Arguments, Terminal } from '../command.ts';
import { hasConfig } from './has-config.ts';
import { shareOption, sinceOption, textOf } from './options.ts';
import { type Found, readStored, readTranscripts } from './read-transcripts.ts';
import { whyLow } from './why.ts';
import { keepYoungSpaceSmall } from './young-space.ts';

/** A session with all that it rests on, while it is at hand: with many of them there is no room to keep it. */
export type Scored = {
  readonly session: ScoredSession;
  readonly facts: SessionFacts;
  readonly file: FileReading;
};

/** A session as it stays in memory. */
export type Loaded = {
  readonly session: SessionScore;
  readonly file: FileReading;
  /** What took the score away, for those that score low. */
  readonly why: string;
  readonly portion: Portion;
  readonly index: number;
};

export type About = {
  readonly files: readonly FileReading[];
  readonly options: SessionOptions;
  readonly elapsedMs: number;
  /** Where it was looked, in words. */
  readonly where: string;
  /** Sessions that were scored and then left out by an option. */
  readonly filteredOut: number;
};

export type LoadedSessions = About & { readonly sessions: readonly Loaded[] };

/** The sessions that a list of what to look at shows; others need no word about them. */
export const WORTH_A_LOOK = 0.6;

type LoadOptions = {
  /** Sessions with a lower Q come with the reason for it. */
  readonly whyBelow?: number;
  readonly each?: ((one: Scored) => void | Promise<void>) | undefined;
};

/** Reads, scores and filters: what most commands about sessions begin with. */
export async function loadSessions(
  args: Arguments,
  terminal: Terminal,
  { whyBelow = WORTH_A_LOOK, each }: LoadOptions = {},
): Promise<LoadedSessions> {
  const sessions: Loaded[] = [];
  const short = new Shortener();
  const about = await eachSession(args, terminal, ({ session, facts, file }, { portion, index }) => {
    const why = session.q !== undefined && session.q < whyBelow ? short.text(whyLow(session)) : '';
    sessions.push({ session: short.scoreOf(session), file, why, portion, index });
    return each?.({ session, facts, file });
  });
  return { ...about, sessions };
}

/** The same one by one, in the same order. */
export async function eachSession(
  args: Arguments,
  terminal: Terminal,
  take: (one: Scored, found: Found) => void | Promise<void>,
): Promise<About> {
  const start = performance.now();
  const keep = filterOf(args);
  const [given, found, byName] = await Promise.all([
    readScoringOptions(args),
    args.values['from-store'] === true ? readStored(args, terminal) : readTranscripts(args, terminal),
    configuredTypes(args, terminal),
  ]);
  const taskTypes = new Map(given.taskTypes);
  const options = { ...given, taskTypes };
  let [scored, filteredOut] = [0, 0];
  for (const one of found.sessions) {
    const { facts, file } = one;
    // The join file knows single sessions and wins; the agent is more particular than the source.
    const type = byName.get(facts.agent ?? '') ?? byName.get(facts.source);
    if (type !== undefined && !taskTypes.has(facts.sessionId)) taskTypes.set(facts.sessionId, type);
    const session = scoreSession(facts, options);
    scored += 1;
    keepYoungSpaceSmall(scored);
    if (keep(session)) await take({ session, facts, file }, one);
    else filteredOut += 1;
  }
  const { files, where } = found;
  return { files, where, options, filteredOut, elapsedMs: performance.now() - start };
}

/** All about one session again. */
export function detailsOf({ portion, index, file }: Loaded, options: SessionOptions): Scored {
  const facts = valueAt<SessionFacts>(portion, index);
  return { session: scoreSession(facts, options), facts, file };
}

/** Agent or source → task type, from the configuration. */
async function configuredTypes(args: Arguments, terminal: Terminal): Promise<ReadonlyMap<string, TaskType>> {
  if (!hasConfig(args, terminal)) return new Map();
  const { readSettings } = await import('../settings.ts');
  return new Map(Object.entries((await readSettings(args, terminal)).config.session.taskTypes));
}

async function readScoringOptions(args: Arguments): Promise<SessionOptions> {
  const { loadPrices } = await import('../../session/pricing/load-prices.ts');
  const [weights, baselines, outcomes, taskTypes] = ['weights', 'baselines', 'outcomes', 'task-types'].map(
    (name) => textOf(args, name),
  );
  return {
    prices: await loadPrices(textOf(args, 'prices')),
    ...(weights !== undefined && {
      weights: (await import('../../session/calibration/weights-file.ts')).readWeights(weights),
    }),
    ...(baselines !== undefined && {
      baselines: (await import('../../session/profiles/baselines-file.ts')).readBaselines(baselines),
    }),
    ...(outcomes !== undefined && {
      outcomes: (await import('../../session/calibration/labels.ts')).readOutcomes(outcomes),
    }),
    ...(taskTypes !== undefined && {
      taskTypes: (await import('../../session/calibration/labels.ts')).readTaskTypes(taskTypes),
    }),
  };
}

function filterOf(args: Arguments): (session: ScoredSession) => boolean {
  const since = sinceOption(args, Date.now());
  const coverage = shareOption(args, 'min-coverage');
  const [agent, model, taskType] = ['agent', 'model', 'task-type'].map((name) =>
    textOf(args, name)?.toLowerCase(),
  );
  if (taskType !== undefined && !isTaskType(taskType))
    throw new AssayError('USAGE', `no task type "${taskType}"`);
  return (session) =>
    (since === undefined || (session.startedAt !== undefined && session.startedAt >= since)) &&
    (coverage === undefined || session.coverage >= coverage) &&
    (agent === undefined || [session.agent, session.source].some((name) => name?.toLowerCase() === agent)) &&
    (model === undefined || session.models.some((name) => name.toLowerCase().includes(model))) &&
    (taskType === undefined || session.taskType === taskType);
}
