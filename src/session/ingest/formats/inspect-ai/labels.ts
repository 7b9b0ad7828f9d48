/**
 * Inspect AI: the score of each sample, from a log as JSON or from the archive itself. Grades are C (correct), I, P (partial) and
 * N (no answer). Of several scorers the first one counts, as it does in Inspect's own summary. A sample that broke has none.
 */

import { openEvaluation } from '../../../../archives/eval-archive.ts';
import { stemOf } from '../../files/name-by-file.ts';
import { asArray, asId, asObject, asObjects, asText, type JsonObject } from '../../json/json-fields.ts';
import type { Harness, HarnessLabel } from '../harness.ts';
import { inspectSessionId } from './adapter.ts';

const GRADES: Readonly<Record<string, number>> = { C: 1, P: 0.5, I: 0, N: 0 };

export const harness: Harness = {
  name: 'Inspect AI',
  labels: (document, path) => {
    const log = asObject(document);
    const about = asObject(log?.eval);
    if (asText(about?.task) === undefined || !Array.isArray(log?.samples)) return undefined;
    return asObjects(asArray(log.samples)).flatMap((sample) => labelOf(sample, path));
  },
  archive: (path) => (/\.eval$/i.test(path) ? archiveLabels(path) : undefined),
};

function archiveLabels(path: string): HarnessLabel[] | undefined {
  const evaluation = openEvaluation(path);
  if (evaluation === undefined) return undefined;
  try {
    const short = evaluation.summaries();
    const samples = short.length > 0 ? short : [...evaluation.samples()].filter((one) => one !== undefined);
    return samples.flatMap((sample) => labelOf(sample, path));
  } finally {
    evaluation.close();
  }
}

function labelOf(sample: JsonObject, path: string): HarnessLabel[] {
  if (sample.error !== undefined && sample.error !== null) return [];
  const [score] = asObjects(Object.values(asObject(sample.scores) ?? {}));
  const outcome = outcomeOf(score?.value);
  if (outcome === undefined) return [];
  const task = asId(sample.id);
  return [{ outcome, task, of: { session: inspectSessionId(stemOf(path), sample) } }];
}

function outcomeOf(value: unknown): number | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'number') return value >= 0 && value <= 1 ? value : undefined;
  return typeof value === 'string' && Object.hasOwn(GRADES, value) ? GRADES[value] : undefined;
}
