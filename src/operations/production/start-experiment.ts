import type { KnownExperiment } from '../../decomposition/production/experiment/from-ledger.ts';
import { experimentsIn } from '../../decomposition/production/experiment/from-ledger.ts';
import { type AbPlan, PLAN_DEFAULTS, planSchema } from '../../decomposition/production/experiment/plan.ts';
import {
  appendLedger,
  inForce,
  type Ledger,
  readWholeLedger,
  recordedHash,
} from '../../decomposition/prompts/ledger.ts';
import { folderToWrite, namedVersion } from '../../decomposition/prompts/prompt-folder.ts';
import { readPrompt } from '../../decomposition/prompts/read-prompt.ts';
import { AssayError } from '../../errors.ts';
import type { Ports } from '../ports.ts';

type Choices = Omit<AbPlan, 'candidate' | 'guards'>;

export type StartExperimentRequest = { readonly [Key in keyof Choices]?: Choices[Key] | undefined } & {
  /** The folder of the prompts. */
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
      `no version of ${stem} is in force, so it is not known what ${candidate} is held against`,
      {
        remedy: [{ say: 'Name the version that answers requests now', options: { control: true } }],
      },
    );
  }
  if (namedVersion(control).name === candidate)
    throw new AssayError('USAGE', `${candidate} cannot be held against itself`);
  const now = ports.now().toISOString();
  const plan = planOf(
    { ...request, id: request.id ?? `${candidate}-${now.slice(0, 10)}` },
    candidate,
    control,
  );
  checkFree(ledger, plan);
  // Whoever reads the result later must know which words it is about.
  unchanged(folder, control, ledger);
  const { hash } = unchanged(folder, candidate, ledger);
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
      throw new AssayError('USAGE', `there is an experiment ${id} already`, {
        remedy: [{ say: 'Give this one another name', options: { id: true } }],
      });
    if (plan.candidate === candidate && stopped === undefined)
      throw new AssayError('USAGE', `${candidate} is in the experiment ${plan.id}, which goes on`, {
        remedy: [{ say: 'Stop it', step: { operation: 'production ab stop', positionals: [plan.id] } }],
      });
  }
}

function unchanged(folder: string, name: string, ledger: Ledger): { readonly hash: string } {
  const { hash } = readPrompt(folder, name);
  const recorded = recordedHash(ledger, name);
  if (recorded === undefined || recorded === hash) return { hash };
  throw new AssayError('INPUT_INVALID', `${name}.md was changed after it was decided on`, {
    remedy: 'Restore it from version control, and make a new version for new words.',
  });
}
