/**
 * Harbor (and Terminal-Bench 2): `result.json` of a trial, beside the agent's own session files. Established from its
 * models of a trial's result. Without a reward there is no label: the verifier did not run, or broke.
 */
import { dirname } from 'node:path';
import type { Harness } from '../../ingest/formats/harness.ts';
import { asObject, asText } from '../../ingest/json/json-fields.ts';

export const harbor: Harness = {
  name: 'Harbor',
  labels: (document, path) => {
    const result = asObject(document);
    if (asText(result?.trial_name) === undefined || result === undefined) return undefined;
    if (!('verifier_result' in result) && !('agent_result' in result)) return undefined;
    const reward = rewardOf(asObject(asObject(result.verifier_result)?.rewards));
    if (reward === undefined) return [];
    const task = asText(result.task_name);
    const outcome = Math.min(1, Math.max(0, reward));
    return [{ outcome, task, of: { folder: dirname(path) } }];
  },
};

/** The main one is called `reward`; a task with one of another name means that one. */
function rewardOf(rewards: Readonly<Record<string, unknown>> | undefined): number | undefined {
  if (rewards === undefined) return undefined;
  const [only, ...others] = Object.values(rewards);
  const reward = 'reward' in rewards ? rewards.reward : others.length === 0 ? only : undefined;
  return typeof reward === 'number' && Number.isFinite(reward) ? reward : undefined;
}
