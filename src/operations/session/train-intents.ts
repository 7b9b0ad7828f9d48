import { dirname } from 'node:path';
import { MIN_PER_SOURCE } from '../../session/calibration/folds.ts';
import { readLabelNames, readTaskTypes } from '../../session/calibration/labels.ts';
import {
  fitIntents,
  type IntentValidation,
  type LabelledSource,
  validateIntents,
} from '../../session/intents/fit-intents.ts';
import { featuresOf, type IntentModel } from '../../session/intents/intent-model.ts';
import type { TaskType } from '../../session/profiles/task-type.ts';
import { shortHash } from '../../session/session-key.ts';
import type { Ports } from '../ports.ts';
import type { ReadReport } from './ask-sessions.ts';
import { byKey } from './match-labels.ts';
import { scoreSessions } from './score-sessions.ts';
import type { SessionRequest } from './session-request.ts';

/** `out`: the file that was written; `notWritten`: not written, because there were too few labels. */
export type IntentTraining = ReadReport & {
  readonly validation: IntentValidation;
  readonly model: IntentModel;
  /** Labels in the file, including those of missing sessions. */
  readonly labels: number;
  readonly out?: string;
  readonly notWritten?: string;
};

export type TrainIntentsRequest = SessionRequest & {
  /** CSV or JSONL with session_id,task_type. */
  readonly labels: string;
  /** The output file of the model; without it nothing is written. */
  readonly out?: string;
};

/** Trains a model of task types on labels, and measures its gain over the rules on held-out sources. */
export async function trainIntents(request: TrainIntentsRequest, ports: Ports): Promise<IntentTraining> {
  const { labels: path, out } = request;
  const labels = readTaskTypes(path);
  let known: ReadonlyMap<string, TaskType> | undefined;
  const found: (LabelledSource & { readonly path: string })[] = [];
  const perFile = new Map<string, number>();
  const { unreadable, unjoined } = await scoreSessions(
    { ...withoutLearnt(request), labelled: readLabelNames(path, 'task_type') },
    ports,
    ({ facts, file, session }, key, asked) => {
      perFile.set(file.path, (perFile.get(file.path) ?? 0) + 1);
      known ??= byKey(labels, asked.joined);
      const taskType = known.get(key);
      // The run with the most replies: a label is about the whole session.
      const run = facts.runs.toSorted((a, b) => b.replies - a.replies)[0];
      if (taskType === undefined || run === undefined) return;
      const learnt = { features: featuresOf(run), taskType, byRules: session.taskType };
      found.push({ ...learnt, source: '', path: file.path });
    },
  );
  const labelled = found.map(({ path: from, ...one }) => ({
    ...one,
    source: (perFile.get(from) ?? 0) >= MIN_PER_SOURCE ? from : dirname(from),
  }));
  const validation = validateIntents(labelled);
  const weights = fitIntents(labelled);
  const model = { name: `intents-${shortHash(weights)}`, weights };
  const isTold = validation.verdict !== 'too few to tell';
  if (out !== undefined && isTold)
    (await import('../../session/intents/intents-file.ts')).writeIntents(out, model);
  const place = out === undefined ? {} : isTold ? { out } : { notWritten: out };
  return { validation, model, labels: labels.size, unreadable, unjoined, ...place };
}

/** The rules are what the model is compared with. */
function withoutLearnt({ scoring = {}, ...request }: SessionRequest): SessionRequest {
  const { intents: _, taskTypes: __, ...rest } = scoring;
  return { ...request, scoring: rest };
}
