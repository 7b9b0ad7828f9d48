/**
 * Terminal-Bench 1: `results.json` of a trial, and the one of the whole run, which repeats all trials under `results`.
 * Established from published run folders.
 */
import { dirname } from 'node:path';
import type { Harness, HarnessLabel, LabelledBy } from '../../ingest/formats/harness.ts';
import { asObject, asObjects, asText, type JsonObject } from '../../ingest/json/json-fields.ts';

export const terminalBench: Harness = {
  name: 'Terminal-Bench',
  labels: (document, path) => {
    const result = asObject(document);
    if (result === undefined) return undefined;
    if (isTrial(result)) return labelOf(result, { folder: dirname(path) });
    const trials = asObjects(result.results).filter(isTrial);
    if (trials.length === 0) return undefined;
    return trials.flatMap((trial) => labelOf(trial, { instance: asText(trial.trial_name) ?? '' }));
  },
};

function isTrial(result: JsonObject): boolean {
  return asText(result.trial_name) !== undefined && 'is_resolved' in result;
}

function labelOf(trial: JsonObject, of: LabelledBy): HarnessLabel[] {
  const { is_resolved: resolved } = trial;
  if (typeof resolved !== 'boolean') return [];
  const task = asText(trial.task_id);
  return [{ outcome: resolved ? 1 : 0, task, of }];
}
