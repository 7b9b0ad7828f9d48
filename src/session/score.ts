/** Facts → readings → categories → Q. Pure: the same facts and options give the same bytes. */
import { composite } from '../judge/composite.ts';
import { LOW_COVERAGE } from '../measure/confidence.ts';
import { estimate, type Measurement, unmeasured } from '../measure/metric.ts';
import type { Usage } from './event.ts';
import type { AgentRunFacts } from './evidence.ts';
import { classifyWith, type IntentModel } from './intents/intent-model.ts';
import type { WorkOutcome } from './outcomes/work-outcome.ts';
import { costOfRun, type RunCost } from './pricing/cost.ts';
import { modelTierOf, NO_PRICES, type Prices } from './pricing/prices.ts';
import { type BaselineSet, idleCostOf, SHIPPED_BASELINES } from './profiles/baselines.ts';
import { classifyTask } from './profiles/classify-task.ts';
import { type SpecialCase, specialCaseOf } from './profiles/special-cases.ts';
import type { TaskType } from './profiles/task-type.ts';
import { CATEGORIES, SIGNALS } from './signals/catalog.ts';
import type { Category, Reading, SignalContext } from './signals/signal.ts';
import { tierOfQ } from './tier.ts';
import type { Unobservable } from './unobservable.ts';
import { isTextRecorded } from './unobservable.ts';
import { usageOf } from './usage.ts';
import { type Verified, verifiedOf } from './verified.ts';
import type { Verification } from './verify/verification.ts';
import { type CategoryWeights, DOCUMENTED_WEIGHTS, type SessionWeights } from './weights.ts';

/** Changes whenever the same facts and options would give another score. */
export const SCORER_VERSION = 'session-5';

export type ScoringOptions = {
  readonly weights?: SessionWeights;
  readonly baselines?: BaselineSet;
  readonly prices?: Prices;
  /** An intent model trained on the user's own labels; without it the rules decide. */
  readonly intents?: IntentModel | undefined;
};

type AgentRunOptions = ScoringOptions & {
  /** From a join file: the outcome of the session, 0–1. */
  readonly outcome?: number | undefined;
  /** What the repository says about the session's work. */
  readonly work?: WorkOutcome | undefined;
  /** The result of the project's own check. */
  readonly verification?: Verification | undefined;
  /** Set by the user, in the configuration or a join file. */
  readonly taskType?: TaskType | undefined;
  readonly declaredTaskType?: string | undefined;
  /** What its source cannot show. */
  readonly unobservable?: ReadonlySet<Unobservable> | undefined;
  readonly agent?: string | undefined;
};

export type ScoredSignal = {
  readonly id: string;
  readonly reading: Reading;
  /** Its share of Q in this run, after redistribution; 0 when unmeasured. */
  readonly weight: number;
  /** How much it lowered Q: weight × (1 − value). */
  readonly cost: number;
};

type ScoredCategory = {
  /** Undefined: none of its signals was measured. */
  readonly value?: number;
  /** The share of its signals' weight that was measured. */
  readonly coverage: number;
  /** Its share of Q in this run, after redistribution. */
  readonly weight: number;
  /** weight × value. */
  readonly contribution: number;
  readonly signals: readonly ScoredSignal[];
};

export type ScoredRun = {
  readonly q?: number;
  readonly tier?: string;
  readonly verified: Verified;
  readonly taskType: TaskType;
  readonly taskTypeReason: string;
  /** Set when a fixed rule gave Q instead of the weighted sum; the categories are then only for diagnosis. */
  readonly specialCase?: SpecialCase;
  readonly specialCaseReason?: string;
  readonly coverage: number;
  readonly lowConfidence: boolean;
  readonly categories: Readonly<Record<Category, ScoredCategory>>;
  readonly cost: RunCost;
  readonly usage?: Usage;
};

export function scoreRun(run: AgentRunFacts, options: AgentRunOptions = {}): ScoredRun {
  const { weights = DOCUMENTED_WEIGHTS, baselines = SHIPPED_BASELINES, prices = NO_PRICES } = options;
  const known = { override: options.taskType, declared: options.declaredTaskType };
  const { taskType, reason } = options.intents
    ? classifyWith(options.intents, run, known)
    : classifyTask(run, known);
  const context: SignalContext = {
    taskType,
    baseline: baselines.perType[taskType],
    modelTier: tierOfModel(run, prices),
    outcome: options.outcome,
    work: options.work,
    verification: options.verification,
    unobservable: options.unobservable,
  };
  const weighed = weigh(readCategories(run, context, weights), weights.profiles[taskType]);
  const cost = costOfRun(run, prices);
  const { efficiency } = weighed.categories;
  const special = specialCaseOf(run, {
    efficiency:
      efficiency.value === undefined ? undefined : { value: efficiency.value, coverage: efficiency.coverage },
    costUsd: cost.costUsd,
    idleCost: idleCostOf(baselines, options.agent),
  });
  const q = special?.q ?? (canOnlyFail(run, options.outcome) ? undefined : weighed.q);
  const coverage = special?.coverage ?? weighed.coverage;
  const usage = usageOf(run.models);
  const { outcome, work, verification } = options;
  const acceptance = weighed.categories.outcome.signals.find(({ id }) => id === 'downstream-acceptance');
  return {
    ...withQ(q),
    verified: verifiedOf(run, { outcome, work, verification, acceptance: acceptance?.reading }),
    taskType,
    taskTypeReason: reason,
    ...(special !== undefined && {
      specialCase: special.specialCase,
      specialCaseReason: special.because,
    }),
    coverage,
    lowConfidence: coverage < LOW_COVERAGE || q === undefined,
    categories: weighed.categories,
    cost,
    ...(usage !== undefined && { usage }),
  };
}

const ENDS_WITHOUT_FAULT: ReadonlySet<AgentRunFacts['end']> = new Set([
  'normal',
  'handoff',
  'open',
  'unknown',
]);

/**
 * No text and no result was recorded, and nothing went visibly wrong. Every course of events would look like this, so
 * it is not a measurement.
 */
function canOnlyFail(run: AgentRunFacts, outcome: number | undefined): boolean {
  const { tools, corrections, interrupts, stateChange, acceptance, requestTraits } = run;
  const seen = tools.succeeded + tools.failed + tools.denied + corrections + interrupts;
  // Without a trait, the request was not recorded either.
  const isKnown =
    seen + requestTraits.length > 0 ||
    stateChange !== undefined ||
    acceptance !== undefined ||
    outcome !== undefined;
  return !isKnown && ENDS_WITHOUT_FAULT.has(run.end) && !isTextRecorded(run);
}

/** Q with its tier, or neither. */
export function withQ(q: number | undefined): { readonly q?: number; readonly tier?: string } {
  return q === undefined ? {} : { q, tier: tierOfQ(q) };
}

/** The price tier of the model that wrote most of the run's messages. */
function tierOfModel(run: AgentRunFacts, prices: Prices): SignalContext['modelTier'] {
  const main = run.models.reduce<AgentRunFacts['models'][number] | undefined>(
    (most, one) => (most === undefined || one.messages > most.messages ? one : most),
    undefined,
  );
  return main && modelTierOf(prices, main.model, main.provider, run.startedAt);
}

type ReadCategory = {
  readonly measurement: Measurement;
  readonly coverage: number;
  /** Signal id → reading and weight within the category, after redistribution. */
  readonly signals: readonly { readonly id: string; readonly reading: Reading; readonly weight: number }[];
};

function readCategories(
  run: AgentRunFacts,
  context: SignalContext,
  weights: SessionWeights,
): Readonly<Record<Category, ReadCategory>> {
  const read = (category: Category) => readCategory(category, run, context, weights);
  return {
    completion: read('completion'),
    execution: read('execution'),
    efficiency: read('efficiency'),
    outcome: read('outcome'),
  };
}

function readCategory(
  category: Category,
  run: AgentRunFacts,
  context: SignalContext,
  weights: SessionWeights,
): ReadCategory {
  const signals = SIGNALS.filter((signal) => signal.category === category);
  const readings = signals.map((signal) => signal.read(run, context));
  const { measurement, coverage, parts } = composite(
    signals.map((signal, i) => ({
      id: signal.id,
      weight: weightOf(signal, weights),
      measurement: measurementOf(readings[i]),
    })),
  );
  const total = parts.reduce((sum, part) => sum + (part.contribution === undefined ? 0 : part.weight), 0);
  return {
    measurement: measurement.measured && total > 0 ? scaled(measurement, 1 / total) : measurement,
    coverage,
    signals: signals.map(({ id }, i) => ({
      id,
      reading: readings[i] ?? { measured: false, reason: 'not read' },
      weight: parts[i]?.contribution === undefined || total === 0 ? 0 : (parts[i]?.weight ?? 0) / total,
    })),
  };
}

function weightOf(
  signal: { readonly id: string; readonly weight: number },
  { signals }: SessionWeights,
): number {
  return signals !== undefined && Object.hasOwn(signals, signal.id)
    ? (signals[signal.id] ?? signal.weight)
    : signal.weight;
}

function measurementOf(reading: Reading | undefined): Measurement {
  if (reading === undefined) return unmeasured('not read');
  return reading.measured ? estimate(reading.value, 1) : unmeasured(reading.reason);
}

/** Weights that do not sum to 1 must not lift a category over 1. */
function scaled(measurement: Measurement, factor: number): Measurement {
  return measurement.measured ? estimate(within(measurement.value * factor), measurement.n) : measurement;
}

type Weighed = {
  readonly q?: number;
  readonly coverage: number;
  readonly categories: Readonly<Record<Category, ScoredCategory>>;
};

function weigh(read: Readonly<Record<Category, ReadCategory>>, profile: CategoryWeights): Weighed {
  const weights = profileFor(read, profile);
  const total = CATEGORIES.reduce((sum, category) => sum + weights[category], 0);
  const { measurement, parts } = composite(
    CATEGORIES.map((category) => ({
      id: category,
      weight: total === 0 ? 0 : weights[category] / total,
      measurement: read[category].measurement,
    })),
  );
  const covered = CATEGORIES.reduce((sum, category) => sum + weights[category] * read[category].coverage, 0);
  const scoredOf = (category: Category): ScoredCategory => {
    const part = parts.find((one) => one.id === category);
    return scoreCategory(read[category], part?.contribution === undefined ? 0 : part.weight);
  };
  return {
    ...(measurement.measured && { q: within(measurement.value) }),
    coverage: total === 0 ? 0 : within(covered / total),
    categories: {
      completion: scoredOf('completion'),
      execution: scoredOf('execution'),
      efficiency: scoredOf('efficiency'),
      outcome: scoredOf('outcome'),
    },
  };
}

/** By definition, the weight of an unmeasured Outcome goes to Completion, not in proportion. */
function profileFor(
  read: Readonly<Record<Category, ReadCategory>>,
  profile: CategoryWeights,
): CategoryWeights {
  if (read.outcome.measurement.measured) return profile;
  return { ...profile, completion: profile.completion + profile.outcome, outcome: 0 };
}

function scoreCategory(read: ReadCategory, weight: number): ScoredCategory {
  const value = read.measurement.measured ? read.measurement.value : undefined;
  return {
    value,
    coverage: within(read.coverage),
    weight,
    contribution: value === undefined ? 0 : weight * value,
    signals: read.signals.map((signal) => ({
      id: signal.id,
      reading: signal.reading,
      weight: signal.weight * weight,
      cost: signal.reading.measured ? signal.weight * weight * (1 - signal.reading.value) : 0,
    })),
  };
}

function within(value: number): number {
  return Math.min(1, Math.max(0, value));
}
