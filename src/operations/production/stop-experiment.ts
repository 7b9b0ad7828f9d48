import type { ExperimentStatus } from '../../decomposition/production/experiment/from-ledger.ts';
import type { EXPERIMENT_DECISIONS } from '../../decomposition/production/experiment/outcome.ts';
import type { ExperimentVerdict } from '../../decomposition/production/experiment/verdicts.ts';
import { appendLedger } from '../../decomposition/prompts/ledger.ts';
import { folderToWrite } from '../../decomposition/prompts/prompt-folder.ts';
import { readPrompt } from '../../decomposition/prompts/read-prompt.ts';
import { verdictSentence } from '../../decomposition/views/experiment-words.ts';
import { AssayError } from '../../errors.ts';
import type { Ports } from '../ports.ts';
import { readExperiments } from './read-experiments.ts';

export type StopExperimentRequest = {
  /** The folder of the prompts. */
  readonly prompts: string;
  readonly id: string | undefined;
  /** Needed where the experiment does not say by itself that it is over. */
  readonly reason?: string | undefined;
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

/** Ends an experiment, and writes down what it found and what follows beside the versions of the prompt. */
export async function stopExperiment(
  request: StopExperimentRequest,
  ports: Ports,
): Promise<ExperimentStatus> {
  const { id } = request;
  if (id === undefined) throw new AssayError('USAGE', 'which experiment?');
  const folder = folderToWrite(request.prompts);
  const [status] = await readExperiments({ prompts: folder, cwd: folder, id }, ports);
  if (status === undefined || status.stopped !== undefined)
    throw new AssayError('USAGE', `the experiment ${id} was stopped already`);
  const { plan, reading } = status;
  const reason = request.reason?.trim();
  if (!reading.over && (reason === undefined || reason === '')) {
    throw new AssayError('USAGE', `${id} has not found anything yet: ${verdictSentence(reading)}`, {
      remedy: [{ say: 'Say why it ends all the same', options: { reason: true } }],
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
  const who = ports.identity();
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
