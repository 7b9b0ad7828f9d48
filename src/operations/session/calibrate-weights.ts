import { dirname } from 'node:path';
import { calibrate, type WeightCalibration } from '../../session/calibration/calibrate.ts';
import type { LabelledSession } from '../../session/calibration/dataset.ts';
import { MIN_PER_SOURCE } from '../../session/calibration/folds.ts';
import { joinLabels } from '../../session/calibration/harness/join-labels.ts';
import { readReport } from '../../session/calibration/harness/read-report.ts';
import {
  type LabelNames,
  ratingLabels,
  readLabelNames,
  readOutcomes,
  readRatings,
} from '../../session/calibration/labels.ts';
import type { SessionOptions } from '../../session/score-session.ts';
import type { Ports } from '../ports.ts';
import type { ReadReport } from './ask-sessions.ts';
import { byKey, type Joined, type LabelFile, withoutOutcomes } from './match-labels.ts';
import { scoreSessions } from './score-sessions.ts';
import type { SessionRequest } from './session-request.ts';

export type CalibrationResult = ReadReport & {
  readonly calibration: WeightCalibration;
  /** The file that was written. */
  readonly out?: string;
  /** The requested file, when there was nothing to write. */
  readonly notWritten?: string;
};

export type CalibrateRequest = SessionRequest & {
  readonly labels: LabelFile;
  /** Of the new weights. */
  readonly name: string;
  /** Also fit the weights of the signals within their categories. */
  readonly signals?: boolean;
  /** The output file; without it nothing is written. */
  readonly out?: string;
};

/** Weights fitted to ratings or outcomes, and what they gain on sessions they have not seen. */
export async function calibrateWeights(request: CalibrateRequest, ports: Ports): Promise<CalibrationResult> {
  const { labels: file, name, signals = false, out } = request;
  const given = 'report' in file ? undefined : labelsOf(file);
  let known: ReadonlyMap<string, number> | undefined;
  const found: LabelledSession[] = [];
  const perFile = new Map<string, number>();
  let scored: SessionOptions = {};
  const { unreadable, unjoined, weightsDoubts } = await scoreSessions(
    { ...withoutOutcomes(request), ...(given && { labelled: given.names }) },
    ports,
    ({ facts, file }, key, asked) => {
      const { path } = file;
      perFile.set(path, (perFile.get(path) ?? 0) + 1);
      scored = asked.options;
      // All runs are needed to find the one that a report means.
      known ??= given?.byKey(asked.joined);
      const label = known === undefined ? 0 : known.get(key);
      if (label !== undefined) found.push({ facts, key, label, source: path });
    },
  );
  const { prices, baselines, taskTypes, taskTypeOf } = scored;
  const labels = 'report' in file ? await labelsOfReport(file.report, found) : (given?.labels ?? new Map());
  const joined =
    'report' in file
      ? found.flatMap((one) => {
          const label = labels.get(one.key ?? '');
          return label === undefined ? [] : [{ ...one, label }];
        })
      : found;
  const calibration = calibrate(
    joined.map((one) => ({ ...one, source: sourceOf(one.source, perFile) })),
    {
      kind: 'ratings' in file ? 'ratings' : 'outcomes',
      name,
      signals,
      ...(prices && { prices }),
      ...(baselines && { baselines }),
      ...(taskTypes && { taskTypes }),
      ...(taskTypeOf && { taskTypeOf }),
    },
  );
  // Without a fit there are no weights to store: the documented ones under a new name would look fitted.
  const isFitted = calibration.verdict.verdict !== 'too few to tell';
  if (out !== undefined && isFitted) {
    const { hashLabels, weightsFileOf, writeWeightsFile } = await import(
      '../../session/calibration/weights-file.ts'
    );
    const created = ports.now().toISOString();
    writeWeightsFile(out, weightsFileOf(calibration, { created, labelsHash: hashLabels(labels) }));
  }
  const place = out === undefined ? {} : isFitted ? { out } : { notWritten: out };
  return { calibration, unreadable, unjoined, weightsDoubts, ...place };
}

type NamedLabels = {
  /** Under the names in the file. */
  readonly labels: ReadonlyMap<string, number>;
  readonly names: LabelNames;
  readonly byKey: (joined: Joined) => ReadonlyMap<string, number>;
};

/** The labels of a file; a report also knows its runs by other names. */
function labelsOf(file: Exclude<LabelFile, { readonly report: string }>): NamedLabels {
  if ('outcomes' in file) {
    const outcomes = readOutcomes(file.outcomes);
    return {
      labels: outcomes,
      names: readLabelNames(file.outcomes, 'outcome'),
      byKey: (joined) => byKey(outcomes, joined),
    };
  }
  const ratings = readRatings(file.ratings);
  const named = (joined: Joined) =>
    ratings.flatMap((one) => {
      const sessionId = joined.get(one.sessionId);
      return sessionId === undefined ? [] : [{ ...one, sessionId }];
    });
  return {
    labels: ratingLabels(ratings),
    names: readLabelNames(file.ratings, 'rating'),
    byKey: (joined) => ratingLabels(named(joined)),
  };
}

async function labelsOfReport(path: string, found: readonly LabelledSession[]): Promise<Map<string, number>> {
  const runs = found.map(({ facts, key = '', source }) => ({
    key,
    sessionId: facts.sessionId,
    path: source,
    instance: facts.instance,
    startedAt: facts.runs[0]?.startedAt,
  }));
  const { joined } = joinLabels((await readReport(path)).labels, runs);
  return new Map(joined.map(({ session, outcome }) => [session.key, outcome]));
}

/** Groups sessions by origin: a file of many runs, else the folder (a project) of the transcripts. */
function sourceOf(path: string, perFile: ReadonlyMap<string, number>): string {
  return (perFile.get(path) ?? 0) >= MIN_PER_SOURCE ? path : dirname(path);
}
