import {
  type ExperimentReading,
  type ExperimentVerdict,
  judgeExperiment,
  type Outcome,
} from '../../decomposition/production/experiment/judge-experiment.ts';
import {
  type AbPlan,
  type EXPERIMENT_DECISIONS,
  type ExperimentStatus,
  experimentsIn,
  type KnownExperiment,
  PLAN_DEFAULTS,
  planSchema,
} from '../../decomposition/production/experiment/plan.ts';
import type { DecompositionRecord } from '../../decomposition/production/record.ts';
import { RATED_WHOLE } from '../../decomposition/production/watched.ts';
import { appendLedger, inForce, type Ledger, readWholeLedger } from '../../decomposition/prompts/ledger.ts';
import {
  folderToWrite,
  namedVersion,
  promptFolder,
  readPrompt,
  readUnchanged,
} from '../../decomposition/prompts/prompt-folder.ts';
import { verdictSentence } from '../../decomposition/views/experiment-words.ts';
import { AssayError } from '../../errors.ts';
import type { Store } from '../../store/store.ts';
import type { Ports } from '../ports.ts';

export type FindExperimentRequest = { readonly prompts?: string; readonly cwd: string; readonly id: string };

export function knownExperiments({ prompts, cwd }: Omit<FindExperimentRequest, 'id'>): KnownExperiment[] {
  return experimentsIn(readWholeLedger(promptFolder(prompts, cwd)));
}

export function findExperiment({ id, ...folder }: FindExperimentRequest): KnownExperiment {
  const known = knownExperiments(folder);
  const found = known.find(({ plan }) => plan.id === id);
  if (found !== undefined) return found;
  const names = known.map(({ plan }) => plan.id);
  throw new AssayError('EXPERIMENT_NOT_FOUND', `there is no experiment ${id}`, {
    remedy: names.length === 0 ? 'None was started yet.' : `There are ${names.join(', ')}.`,
  });
}

export type ReadExperimentsRequest = Omit<FindExperimentRequest, 'id'> & {
  /** Only this one. */
  readonly id?: string | undefined;
};

export async function readExperiments(
  { prompts, cwd, id }: ReadExperimentsRequest,
  ports: Ports,
): Promise<readonly ExperimentStatus[]> {
  const folder = { cwd, prompts };
  const asked = id === undefined ? knownExperiments(folder) : [findExperiment({ ...folder, id })];
  const store = await ports.store('looking');
  return Promise.all(asked.map(async (one) => ({ ...one, reading: await readingOf(one, store) })));
}

async function readingOf(
  { plan, startedAt, stopped }: KnownExperiment,
  store: Store,
): Promise<ExperimentReading> {
  const period = { since: startedAt, ...(stopped && { until: stopped.at }) };
  const records = await store.readDecompositions({ ...period, experiment: plan.id });
  const exposures = records.flatMap((record) =>
    record.experiment === undefined ? [] : [{ ...record, experiment: record.experiment }],
  );
  return judgeExperiment(plan, exposures, await outcomesOf(plan, exposures, store, period));
}

type Exposed = DecompositionRecord & { readonly experiment: NonNullable<DecompositionRecord['experiment']> };
type Since = { readonly since: string; readonly until?: string };

async function outcomesOf(
  { primary }: AbPlan,
  exposures: readonly Exposed[],
  store: Store,
  period: Since,
): Promise<Outcome[]> {
  if (primary === 'verified-quotes' || primary === 'confidence') {
    return exposures.flatMap(({ at, quotes, confidence, experiment: { keyHash } }) => {
      const value =
        primary === 'confidence'
          ? share(confidence?.sum, confidence?.n)
          : share(quotes?.verified, quotes?.given);
      return value === undefined ? [] : [{ at, keyHash, value }];
    });
  }
  const keys = new Map(exposures.map(({ id, experiment }) => [id, experiment.keyHash]));
  const said = primary === 'acceptable' ? await ratingsIn(store, period) : await feedbackIn(store, period);
  return said.flatMap(({ id, at, value }) => {
    const keyHash = keys.get(id);
    return keyHash === undefined ? [] : [{ at, keyHash, value }];
  });
}

type Said = { readonly id: string; readonly at: string; readonly value: number };

async function ratingsIn(store: Store, period: Since): Promise<Said[]> {
  const ratings = await store.readRatings({ kind: RATED_WHOLE, ...period });
  return ratings.map(({ subjectId, at, rating }) => ({ id: subjectId, at, value: rating >= 0.5 ? 1 : 0 }));
}

/** Feedback on the whole output: one liked concept says little about the prompt. */
async function feedbackIn(store: Store, period: Since): Promise<Said[]> {
  const feedback = await store.readFeedback({ instrument: 'decomposition', ...period });
  return feedback.flatMap(({ outputId, item, at, thumb, score }) => {
    const value =
      thumb === undefined ? share(score === undefined ? undefined : score - 1, 4) : Number(thumb === 'up');
    return item !== undefined || value === undefined ? [] : [{ id: outputId, at, value }];
  });
}

function share(count: number | undefined, of: number | undefined): number | undefined {
  return count === undefined || of === undefined || of === 0 ? undefined : Math.min(1, count / of);
}

type Choices = Omit<AbPlan, 'candidate' | 'guards'>;

export type StartExperimentRequest = { readonly [Key in keyof Choices]?: Choices[Key] | undefined } & {
  readonly prompts: string;
  readonly candidate: string | undefined;
  readonly guards?: Partial<AbPlan['guards']>;
};

/** Writes down what two versions of a prompt are to be compared by, before the first request of it. */
export async function startExperiment(
  request: StartExperimentRequest,
  ports: Ports,
): Promise<KnownExperiment> {
  const folder = folderToWrite(request.prompts);
  const ledger = readWholeLedger(folder);
  const { name: candidate, stem } = namedVersion(request.candidate);
  const control = request.control ?? inForce(ledger, stem)[0]?.prompt;
  if (control === undefined) {
    throw new AssayError(
      'USAGE',
      `no version of ${stem} is in force, so there is no control for ${candidate}`,
      {
        remedy: [{ say: 'Name the version that answers requests now', options: { control: true } }],
      },
    );
  }
  if (namedVersion(control).name === candidate)
    throw new AssayError('USAGE', `${candidate} cannot be compared with itself`);
  const now = ports.now().toISOString();
  const plan = planOf(
    { ...request, id: request.id ?? `${candidate}-${now.slice(0, 10)}` },
    candidate,
    control,
  );
  checkFree(ledger, plan);
  // Whoever reads the result later must know which words it is about.
  readUnchanged(folder, control, ledger);
  const { hash } = readUnchanged(folder, candidate, ledger);
  const who = ports.identity();
  await appendLedger(folder, {
    at: now,
    who,
    action: 'experiment started',
    prompt: candidate,
    sha256: hash,
    from: control,
    reasons: [],
    experiment: plan,
  });
  return { plan, startedAt: now, startedBy: who };
}

function planOf(request: StartExperimentRequest, candidate: string, control: string): AbPlan {
  const { id, share, primary, confidence, smallestEffect, guards } = request;
  const parsed = planSchema.safeParse({
    id,
    control,
    candidate,
    share: share ?? PLAN_DEFAULTS.share,
    primary: primary ?? PLAN_DEFAULTS.primary,
    confidence: confidence ?? PLAN_DEFAULTS.confidence,
    smallestEffect: smallestEffect ?? PLAN_DEFAULTS.smallestEffect,
    guards: { ...PLAN_DEFAULTS.guards, ...guards },
  });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AssayError('USAGE', `the ${issue?.path.join(' ')} of an experiment: ${issue?.message}`);
}

/** One name is one experiment, and one candidate is in one at a time: a request has room for one. */
function checkFree(ledger: Ledger, { id, candidate }: AbPlan): void {
  for (const { plan, stopped } of experimentsIn(ledger)) {
    if (plan.id === id)
      throw new AssayError('USAGE', `the experiment ${id} already exists`, {
        remedy: [{ say: 'Give this one another name', options: { id: true } }],
      });
    if (plan.candidate === candidate && stopped === undefined)
      throw new AssayError(
        'USAGE',
        `${candidate} is already in the experiment ${plan.id}, which is still running`,
        {
          remedy: [{ say: 'Stop it', step: { operation: 'production ab stop', positionals: [plan.id] } }],
        },
      );
  }
}

export type StopExperimentRequest = {
  readonly prompts: string;
  readonly id: string | undefined;
  /** Needed where the experiment does not say by itself that it is over. */
  readonly reason?: string | undefined;
  /** Assay stops it, and nobody asked for it. */
  readonly isAutomatic?: boolean;
};

type Decision = (typeof EXPERIMENT_DECISIONS)[number];

const KEEP: Decision = 'keep the control';

const DECISIONS: Readonly<Record<ExperimentVerdict, Decision>> = {
  'candidate better': 'adopt the candidate',
  'candidate worse': KEEP,
  'guard rail crossed': KEEP,
  'no difference that matters': KEEP,
  'not to be trusted': 'undecided',
  'too early to tell': 'undecided',
};

/** Ends an experiment and records the result and the decision next to the versions of the prompt. */
export async function stopExperiment(
  request: StopExperimentRequest,
  ports: Ports,
): Promise<ExperimentStatus> {
  const { id } = request;
  if (id === undefined) throw new AssayError('USAGE', 'which experiment?');
  const folder = folderToWrite(request.prompts);
  const [status] = await readExperiments({ prompts: folder, cwd: folder, id }, ports);
  if (status === undefined || status.stopped !== undefined)
    throw new AssayError('USAGE', `the experiment ${id} was already stopped`);
  const { plan, reading } = status;
  const reason = request.reason?.trim();
  if (!reading.over && (reason === undefined || reason === '')) {
    throw new AssayError('USAGE', `${id} has no result yet: ${verdictSentence(reading)}`, {
      remedy: [{ say: 'Say why you end it anyway', options: { reason: true } }],
    });
  }
  const { verdict, exposures, keys, primary, guards } = reading;
  const outcome = {
    id,
    verdict,
    decision: guards.some(({ crossed }) => crossed) ? KEEP : DECISIONS[verdict],
    requests: exposures,
    keys: [...keys] as [number, number],
    known: [...primary.n] as [number, number],
    ...(primary.difference !== undefined && { difference: primary.difference }),
    ...primary.interval,
  };
  const reasons = [verdictSentence(reading), ...(reason ? [`reason: ${reason}`] : [])];
  const at = ports.now().toISOString();
  const who = request.isAutomatic ? 'assay' : ports.identity();
  await appendLedger(folder, {
    at,
    who,
    action: 'experiment stopped',
    prompt: plan.candidate,
    sha256: readPrompt(folder, plan.candidate).hash,
    from: plan.control,
    reasons,
    outcome,
  });
  return { ...status, stopped: { at, who, reasons, outcome } };
}

/**
 * Ends every experiment whose candidate certainly crosses a guard rail, and returns those. It does so with uneven arms
 * as well: they cannot show which is better, but harm must not go on.
 */
export async function stopAtGuardRails(
  { prompts, cwd }: { readonly prompts: string; readonly cwd: string },
  ports: Ports,
): Promise<readonly ExperimentStatus[]> {
  const ended: ExperimentStatus[] = [];
  for (const { plan, stopped } of knownExperiments({ cwd })) {
    if (stopped !== undefined) continue;
    const [status] = await readExperiments({ cwd, id: plan.id }, ports);
    if (status?.reading.guards.some(({ crossed }) => crossed) !== true) continue;
    const reason = 'stopped automatically';
    ended.push(await stopExperiment({ prompts, id: plan.id, reason, isAutomatic: true }, ports));
  }
  return ended;
}
