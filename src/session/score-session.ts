/** A session from its runs: the mean of their scores, the sum of what they used, and what it cost. */

import { LOW_COVERAGE } from '../measure/confidence.ts';
import type { Usage } from './event.ts';
import type { AgentRunFacts, SessionFacts } from './evidence.ts';
import { type DelegatedBy, withDelegated } from './families.ts';
import type { ModelOpinion } from './model-judge/model-opinion.ts';
import type { WorkOutcome } from './outcomes/work-outcome.ts';
import { NO_PRICES, type Prices, priceOf } from './pricing/prices.ts';
import { type Roi, roiOf } from './pricing/roi.ts';
import { SHIPPED_BASELINES } from './profiles/baselines.ts';
import type { SpecialCase } from './profiles/special-cases.ts';
import type { TaskType } from './profiles/task-type.ts';
import { SCORER_VERSION, type ScoredRun, type ScoringOptions, scoreRun, withQ } from './score.ts';
import { CATEGORIES } from './signals/catalog.ts';
import type { Category } from './signals/signal.ts';
import { unobservableIn } from './unobservable.ts';
import { tokensOf, usageOf } from './usage.ts';
import { type Verified, verifiedInAll } from './verified.ts';
import type { Verification } from './verify/verification.ts';
import { DOCUMENTED_WEIGHTS } from './weights.ts';

export type SessionOptions = ScoringOptions & {
  /** Outcomes of the sub-agent sessions of each session. */
  readonly delegated?: DelegatedBy;
  /** `session_id` or `session_key` → its outcome, 0–1. */
  readonly outcomes?: ReadonlyMap<string, number>;
  /** Costs of sessions from another source, in dollars. */
  readonly costs?: ReadonlyMap<string, number>;
  /** `session_id` or `session_key` → task type, set by the user. */
  readonly taskTypes?: ReadonlyMap<string, TaskType>;
  /** Agent or source → task type, for all others. The agent is more specific. */
  readonly taskTypeOf?: ReadonlyMap<string, TaskType>;
  /** `session_key` → the outcome of its work in its repository. */
  readonly work?: ReadonlyMap<string, WorkOutcome>;
  /** `session_key` → the result of the project's own check. */
  readonly verifications?: ReadonlyMap<string, Verification>;
};

export type ScoredSession = {
  readonly sessionId: string;
  readonly parentSessionId?: string;
  /** The run's name in a file of many results. */
  readonly instance?: string;
  readonly source: string;
  readonly agent?: string;
  readonly taskType: TaskType;
  readonly taskTypeReason: string;
  /** The model that wrote most messages, and the names of all models. */
  readonly model?: string;
  readonly models: readonly string[];
  /** Milliseconds since 1970, UTC. */
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly q?: number;
  /** Q without its repository, the project's check and a joined outcome, if there are any. */
  readonly transcriptQ?: number;
  readonly tier?: string;
  readonly verified: Verified;
  /** Set when every run that counts is the same special case. */
  readonly specialCase?: SpecialCase;
  readonly coverage: number;
  readonly lowConfidence: boolean;
  readonly categories: Readonly<Partial<Record<Category, number>>>;
  readonly usage?: Usage;
  readonly turns: number;
  readonly toolCalls: number;
  readonly toolErrors: number;
  readonly compactions: number;
  readonly costUsd?: number;
  /** The transcript shows more output than its token counts, so the real cost is higher. */
  readonly costIsLowerBound?: true;
  /** Why the cost is unknown. */
  readonly costReason?: string;
  readonly roi: Roi;
  /** `value`: completed / (completed + failed); absent when nothing was spawned or nothing is known. */
  readonly delegation: {
    readonly spawned: number;
    readonly completed: number;
    readonly failed: number;
    readonly value?: number;
  };
  readonly runs: readonly ScoredRun[];
  /** What the runs were weighted by, and how many heartbeats were excluded. */
  readonly weightedBy: 'cost' | 'turns' | 'runs';
  readonly runsLeftOut: number;
  readonly weights: string;
  readonly baselineSet: string;
  readonly prices: string;
  readonly scorerVersion: string;
  /** The result from the repository, and the head of its default branch at that time. */
  readonly work?: Pick<WorkOutcome, 'state' | 'head' | 'linesWritten' | 'linesCommitted' | 'reverted'>;
  readonly verification?: Verification;
  /** A model's opinion: shown next to Q, never part of it. */
  readonly opinion?: ModelOpinion;
};

/** User data about a session is found by its key, and by its id only when the session has no key. */
export function scoreSession(given: SessionFacts, options: SessionOptions = {}, key = ''): ScoredSession {
  const { weights = DOCUMENTED_WEIGHTS, baselines = SHIPPED_BASELINES, prices = NO_PRICES } = options;
  const facts = withDelegated(withDeclared(given), options.delegated);
  const { outcomes, taskTypes } = options;
  const name = key === '' ? facts.sessionId : key;
  const known = taskTypes?.get(name) ?? typeByName(facts, options);
  const runs = facts.runs.map((run) =>
    scoreRun(run, {
      weights,
      baselines,
      prices,
      intents: options.intents,
      outcome: outcomes?.get(name),
      work: options.work?.get(key),
      verification: options.verifications?.get(key),
      taskType: known,
      declaredTaskType: facts.declaredTaskType,
      agent: facts.agent,
      unobservable: unobservableIn(facts, run),
    }),
  );
  const shares = sharesOf(facts.runs, runs);
  const main = runs[shares.main];
  const stated = options.costs?.get(name);
  const cost = stated === undefined ? costOfSession(facts, runs, prices) : { costUsd: stated };
  const coverage = weightedMean(runs, shares.of, (run) => run.coverage) ?? 0;
  const q = weightedMean(runs, shares.of, (run) => run.q);
  const counted = runs.filter((_, i) => (shares.of[i] ?? 0) > 0);
  return {
    ...identityOf(facts),
    taskType: main?.taskType ?? known ?? 'chat',
    taskTypeReason: main?.taskTypeReason ?? 'there is no run in it',
    ...modelsOf(facts.runs),
    ...timesOf(facts.runs),
    ...withQ(q),
    verified: verifiedInAll(counted),
    ...commonCase(counted),
    coverage,
    lowConfidence: coverage < LOW_COVERAGE,
    categories: categoriesOf(runs, shares.of),
    ...totalsOf(facts),
    ...cost,
    roi: roiOf(q, cost.costUsd),
    delegation: delegationOf(facts.runs),
    runs,
    weightedBy: shares.by,
    runsLeftOut: shares.leftOut,
    // Scores with and without it are not comparable.
    weights: options.intents ? `${weights.name}+${options.intents.name}` : weights.name,
    baselineSet: baselines.name,
    prices: prices.name,
    scorerVersion: SCORER_VERSION,
    ...workOf(options.work?.get(key)),
    ...verificationOf(options.verifications?.get(key)),
  };
}

function workOf(work: WorkOutcome | undefined): Pick<ScoredSession, 'work'> {
  if (work === undefined || work.state === 'unknown') return {};
  const { state, head, linesWritten, linesCommitted, reverted } = work;
  return { work: { state, head, linesWritten, linesCommitted, reverted } };
}

function verificationOf(verification: Verification | undefined): Pick<ScoredSession, 'verification'> {
  return verification === undefined ? {} : { verification };
}

function typeByName({ agent, source }: SessionFacts, { taskTypeOf }: SessionOptions): TaskType | undefined {
  return taskTypeOf?.get(agent ?? '') ?? taskTypeOf?.get(source);
}

/**
 * Session totals go to its only run, when that run has none of its own, or when a running total exceeds the sum of its
 * messages.
 */
function withDeclared(facts: SessionFacts): SessionFacts {
  const [run] = facts.runs;
  const { declaredUsage: usage, declaredCostUsd: costUsd } = facts;
  if (run === undefined || facts.runs.length > 1 || (usage === undefined && costUsd === undefined))
    return facts;
  const model = onlyModel(run);
  const own = usageOf(run.models) !== undefined && !exceedsMessages(facts);
  if (model === 'several' || own || run.models.some((one) => one.costUsd !== undefined)) return facts;
  const messages = Math.max(1, run.models.length === 0 ? run.replies : messagesOf(run));
  const counted = {
    model: model?.model ?? '',
    ...(model?.provider !== undefined && { provider: model.provider }),
    messages,
    usage: usage ?? { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    messagesWithoutUsage: usage === undefined ? messages : 0,
    ...(costUsd !== undefined && { costUsd }),
  };
  return { ...facts, runs: [{ ...run, models: [counted] }] };
}

/** The only model of a run, or 'several'. Messages without a model belong to the only named one. */
function onlyModel({ models }: AgentRunFacts): AgentRunFacts['models'][number] | 'several' | undefined {
  const named = models.filter((one) => one.model !== 'unknown');
  return named.length > 1 ? 'several' : (named[0] ?? models[0]);
}

/** When the runtime's total exceeds the sum of the messages, the total counts. */
function exceedsMessages({ runs, declaredUsage, declaredIsTotal }: SessionFacts): boolean {
  const own = usageOf(runs.flatMap((run) => run.models));
  return (
    declaredIsTotal === true &&
    declaredUsage !== undefined &&
    tokensOf(declaredUsage) > (own === undefined ? 0 : tokensOf(own))
  );
}

function messagesOf({ models }: AgentRunFacts): number {
  return sum(models.map((one) => one.messages));
}

type Shares = {
  /** Weight of each run; 0 for those that do not count. */
  readonly of: readonly number[];
  readonly by: ScoredSession['weightedBy'];
  readonly main: number;
  readonly leftOut: number;
};

/** By cost where it is known for all runs that count, else by turns. Heartbeats do not count next to other work. */
function sharesOf(facts: readonly AgentRunFacts[], runs: readonly ScoredRun[]): Shares {
  const heartbeat = facts.map((run) => run.trigger === 'heartbeat' && run.changesAttempted === 0);
  const otherWork = runs.some((run, i) => run.q !== undefined && !heartbeat[i]);
  const counts = runs.map((run, i) => run.q !== undefined && !(otherWork && heartbeat[i]));
  const pick = (value: (i: number) => number) => runs.map((_, i) => (counts[i] ? value(i) : 0));
  const costs = pick((i) => runs[i]?.cost.costUsd ?? 0);
  const turns = pick((i) => facts[i]?.turns ?? 0);
  const allPriced = runs.every((run, i) => !counts[i] || run.cost.costUsd !== undefined);
  const [by, of] =
    allPriced && sum(costs) > 0
      ? (['cost', costs] as const)
      : sum(turns) > 0
        ? (['turns', turns] as const)
        : (['runs', pick(() => 1)] as const);
  const leftOut = otherWork ? heartbeat.filter(Boolean).length : 0;
  return { of, by, main: of.reduce((best, weight, i) => (weight > (of[best] ?? 0) ? i : best), 0), leftOut };
}

function weightedMean(
  runs: readonly ScoredRun[],
  weights: readonly number[],
  value: (run: ScoredRun) => number | undefined,
): number | undefined {
  let total = 0;
  let sum = 0;
  // Relative to the largest: otherwise a cost near the smallest number would underflow.
  const largest = weights.reduce((most, weight) => Math.max(most, weight), 0);
  runs.forEach((run, i) => {
    const one = value(run);
    const weight = (weights[i] ?? 0) / largest;
    if (one === undefined || !(weight > 0)) return;
    total += weight;
    sum += weight * one;
  });
  return total === 0 ? undefined : Math.min(1, sum / total);
}

function categoriesOf(runs: readonly ScoredRun[], weights: readonly number[]): ScoredSession['categories'] {
  const values: Partial<Record<Category, number>> = {};
  for (const category of CATEGORIES) {
    const value = weightedMean(runs, weights, (run) => run.categories[category].value);
    if (value !== undefined) values[category] = value;
  }
  return values;
}

function commonCase(runs: readonly ScoredRun[]): { readonly specialCase?: SpecialCase } {
  const specialCase = runs[0]?.specialCase;
  return specialCase !== undefined && runs.every((run) => run.specialCase === specialCase)
    ? { specialCase }
    : {};
}

function costOfSession(
  facts: SessionFacts,
  runs: readonly ScoredRun[],
  prices: Prices,
): Pick<ScoredSession, 'costUsd' | 'costIsLowerBound' | 'costReason'> {
  const unknown = runs.find((run) => run.cost.costUsd === undefined);
  if (facts.declaredCostUsd !== undefined && exceedsMessages(facts))
    return { costUsd: facts.declaredCostUsd };
  if (runs.length > 0 && unknown === undefined)
    return {
      costUsd: sum(runs.map((run) => run.cost.costUsd ?? 0)),
      ...(runs.some((run) => run.cost.isLowerBound) && { costIsLowerBound: true }),
    };
  if (facts.declaredCostUsd !== undefined) return { costUsd: facts.declaredCostUsd };
  const models = facts.runs.flatMap((run) => run.models);
  const [model] = models;
  const { declaredUsage: usage } = facts;
  if (model !== undefined && usage !== undefined && models.every((one) => one.model === model.model)) {
    const messages = sum(models.map((one) => one.messages));
    const at = facts.runs[0]?.startedAt;
    const costUsd = priceOf(prices, { model: model.model, provider: model.provider, at }, usage, messages);
    if (costUsd !== undefined) return { costUsd };
  }
  return { costReason: unknown?.cost.reason ?? 'there is no run in it' };
}

function totalsOf(facts: SessionFacts) {
  const { runs, declaredUsage } = facts;
  const own = exceedsMessages(facts) ? undefined : usageOf(runs.flatMap((run) => run.models));
  const usage = own ?? counted(declaredUsage);
  return {
    usage,
    turns: sum(runs.map((run) => run.turns)),
    toolCalls: sum(runs.map((run) => run.tools.calls)),
    toolErrors: sum(runs.map((run) => run.tools.failed)),
    compactions: sum(runs.map((run) => run.compactions)),
  };
}

function counted(usage: Usage | undefined): Usage | undefined {
  return usage !== undefined && tokensOf(usage) > 0 ? usage : undefined;
}

function delegationOf(runs: readonly AgentRunFacts[]): ScoredSession['delegation'] {
  const completed = sum(runs.map((run) => run.spawnsCompleted));
  const failed = sum(runs.map((run) => run.spawnsFailed));
  return {
    spawned: sum(runs.map((run) => run.spawned)),
    completed,
    failed,
    ...(completed + failed > 0 && { value: completed / (completed + failed) }),
  };
}

function identityOf({ sessionId, parentSessionId, instance, source, agent }: SessionFacts) {
  return {
    sessionId,
    parentSessionId,
    instance,
    source,
    agent,
  };
}

function modelsOf(runs: readonly AgentRunFacts[]): {
  readonly model?: string;
  readonly models: readonly string[];
} {
  const wrote = new Map<string, { messages: number; output: number }>();
  for (const { model, messages, usage } of runs.flatMap((run) => run.models)) {
    if (model === '' || model === 'unknown') continue;
    const before = wrote.get(model) ?? { messages: 0, output: 0 };
    wrote.set(model, { messages: before.messages + messages, output: before.output + usage.output });
  }
  // Totals of several models are one message each, so the model with the most output counts.
  const models = [...wrote]
    .sort(
      ([nameA, a], [nameB, b]) => b.messages - a.messages || b.output - a.output || (nameA < nameB ? -1 : 1),
    )
    .map(([model]) => model);
  const [model] = models;
  return { model, models };
}

function timesOf(runs: readonly AgentRunFacts[]): { readonly startedAt?: number; readonly endedAt?: number } {
  const times = runs.flatMap((run) => [run.startedAt, run.endedAt]).filter((at) => at !== undefined);
  if (times.length === 0) return {};
  // Not Math.min(...times): a session may have more runs than a call may have arguments.
  return {
    startedAt: times.reduce((a, b) => Math.min(a, b)),
    endedAt: times.reduce((a, b) => Math.max(a, b)),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
