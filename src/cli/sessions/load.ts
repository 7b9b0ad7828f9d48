import { AssayError } from '../../errors.ts';
import type { FileReading, SessionFacts } from '../../session/evidence.ts';
import { isTaskType, type TaskType } from '../../session/profiles/task-type.ts';
import { type ScoredSession, type SessionOptions, scoreSession } from '../../session/score-session.ts';
import { openStore } from '../../store/open.ts';
import type { Arguments, Terminal } from '../command.ts';
import { shareOption, sinceOption, textOf } from './options.ts';
import { readTranscripts } from './read-transcripts.ts';

/** A session with what it rests on. */
export type Loaded = {
  readonly session: ScoredSession;
  readonly facts: SessionFacts;
  readonly file: FileReading;
};

export type LoadedSessions = {
  readonly sessions: readonly Loaded[];
  readonly files: readonly FileReading[];
  readonly options: SessionOptions;
  readonly elapsedMs: number;
  /** Where it was looked, in words. */
  readonly where: string;
  /** Sessions that were scored and then left out by an option. */
  readonly filteredOut: number;
};

/** Reads, scores and filters: what every command about sessions begins with. */
export async function loadSessions(args: Arguments, terminal: Terminal): Promise<LoadedSessions> {
  const start = performance.now();
  const keep = filterOf(args);
  const [given, found, byName] = await Promise.all([
    readScoringOptions(args),
    readFacts(args, terminal),
    configuredTypes(args, terminal),
  ]);
  const options = withConfiguredTypes(given, byName, found.entries);
  const scored = found.entries.map(({ facts, file }) => ({
    session: scoreSession(facts, options),
    facts,
    file,
  }));
  const sessions = scored.filter(({ session }) => keep(session));
  return {
    sessions,
    files: found.files,
    where: found.where,
    options,
    filteredOut: scored.length - sessions.length,
    elapsedMs: performance.now() - start,
  };
}

type Entry = { readonly facts: SessionFacts; readonly file: FileReading };
type Facts = {
  readonly entries: readonly Entry[];
  readonly files: readonly FileReading[];
  readonly where: string;
};

async function readFacts(args: Arguments, terminal: Terminal): Promise<Facts> {
  if (args.values['from-store'] !== true) return readTranscripts(args, terminal);
  // Not before it is needed: settings bring the checker of configurations with them.
  const { readSettings } = await import('../settings.ts');
  const { store: place } = await readSettings(args, terminal);
  const store = await openStore(place.address);
  try {
    const entries: Entry[] = [];
    for await (const row of store.readSessions()) {
      const facts = row.facts as unknown as { facts: SessionFacts; file: FileReading };
      entries.push({ facts: facts.facts, file: facts.file });
    }
    return { entries, files: [...new Set(entries.map((entry) => entry.file))], where: place.address };
  } finally {
    await store.close();
  }
}

/** Agent or source → task type, from the configuration. */
async function configuredTypes(args: Arguments, terminal: Terminal): Promise<ReadonlyMap<string, TaskType>> {
  const { readSettings } = await import('../settings.ts');
  return new Map(Object.entries((await readSettings(args, terminal)).config.session.taskTypes));
}

/** The join file knows single sessions and wins; the agent is more particular than the source. */
function withConfiguredTypes(
  options: SessionOptions,
  byName: ReadonlyMap<string, TaskType>,
  entries: readonly Entry[],
): SessionOptions {
  if (byName.size === 0) return options;
  const taskTypes = new Map(options.taskTypes);
  for (const { facts } of entries) {
    const type = byName.get(facts.agent ?? '') ?? byName.get(facts.source);
    if (type !== undefined && !taskTypes.has(facts.sessionId)) taskTypes.set(facts.sessionId, type);
  }
  return { ...options, taskTypes };
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
