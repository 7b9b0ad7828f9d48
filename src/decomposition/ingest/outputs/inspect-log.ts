/** Answers in a log of Inspect AI, as JSON or as a `.eval` archive: a sample is an output, an epoch a repeat of it. */
import { openEvaluation } from '../../../archives/eval-archive.ts';
import { AssayError } from '../../../errors.ts';
import { answerText, textsWithin } from './conversation.ts';
import { isRecord } from './foreign-graph.ts';
import type { OutputMap } from './output-map.ts';
import { figure, NAMES, noAnswer, type ResultItem, textsOf } from './result-item.ts';
import { parsePath, valueAt } from './value-path.ts';

type Fields = Readonly<Record<string, unknown>>;

/** No task has more samples. */
const MOST_SAMPLES = 200_000;

export function isInspectLog(
  value: unknown,
): value is { readonly eval: Fields; readonly samples: readonly unknown[] } {
  return (
    isRecord(value) &&
    isRecord(value.eval) &&
    typeof value.eval.task === 'string' &&
    Array.isArray(value.samples)
  );
}

export function inspectArchive(path: string, map: OutputMap): ResultItem[] {
  const evaluation = openEvaluation(path);
  if (evaluation === undefined)
    throw new AssayError('INPUT_INVALID', `${path} is no archive of Inspect AI, or it is damaged`);
  try {
    const items: ResultItem[] = [];
    for (const sample of evaluation.samples()) {
      if (items.length >= MOST_SAMPLES)
        throw new AssayError('INPUT_INVALID', `${path} has more than ${MOST_SAMPLES} samples`);
      items.push(inspectItem(sample, evaluation.about, `${path}: sample ${items.length + 1}`, map));
    }
    return items;
  } finally {
    evaluation.close();
  }
}

export function inspectItem(value: unknown, about: Fields, where: string, map: OutputMap): ResultItem {
  const sample = isRecord(value) ? value : {};
  const metadata = isRecord(sample.metadata) ? sample.metadata : {};
  const output = answerText(sample.output);
  const fault = isRecord(sample.error) ? sample.error.message : undefined;
  const model = typeof about.model === 'string' ? about.model : undefined;
  const usage = isRecord(sample.model_usage) && model !== undefined ? sample.model_usage[model] : undefined;
  const [seconds, costUsd] = [
    figure(sample.total_time),
    isRecord(usage) ? figure(usage.total_cost) : undefined,
  ];
  const names = [sample.id, ...NAMES.map((key) => metadata[key])];
  return {
    where: typeof sample.id === 'string' || typeof sample.id === 'number' ? `${where} (${sample.id})` : where,
    names: textsOf(map.id === undefined ? names : [valueAt(sample, parsePath(map.id, 'id'))]),
    texts: textsWithin(sample.input),
    value: map.output === undefined ? output : sample,
    ...(output === undefined || output === null || output === '' ? { error: noAnswer(where, fault) } : {}),
    facts: {
      ...(model !== undefined && { model: model.slice(0, 200) }),
      ...(seconds !== undefined && { latencyMs: seconds * 1000 }),
      ...(costUsd !== undefined && costUsd > 0 && { costUsd }),
    },
  };
}
