import { dirname } from 'node:path';
import { calibrate } from '../../session/calibration/calibrate.ts';
import type { LabelledSession } from '../../session/calibration/dataset.ts';
import { MIN_PER_SOURCE } from '../../session/calibration/folds.ts';
import { joinLabels } from '../../session/calibration/harness/join-labels.ts';
import { readReport } from '../../session/calibration/harness/read-report.ts';
import { ratingLabels, readOutcomes, readRatings } from '../../session/calibration/labels.ts';
import type { CalibrationResult } from '../../session/results.ts';
import { keyOfSession } from '../../session/session-key.ts';
import type { Ports } from '../ports.ts';
import { type LabelFile, withoutOutcomes } from './labels-request.ts';
import { scoreSessions } from './score-sessions.ts';
import type { SessionRequest } from './session-request.ts';

export type CalibrateRequest = SessionRequest & {
  readonly labels: LabelFile;
  /** Of the new weights. */
  readonly name: string;
  /** Also fit the weights of the signals within their categories. */
  readonly signals?: boolean;
  /** The file that takes the weights; without it nothing is written. */
  readonly out?: string;
};

/** Weights fitted to ratings or outcomes, and what they gain on sessions they have not seen. */
export async function calibrateWeights(request: CalibrateRequest, ports: Ports): Promise<CalibrationResult> {
  const { labels: file, name, signals = false, out } = request;
  const known = knownLabels(file);
  const found: LabelledSession[] = [];
  const perFile = new Map<string, number>();
  const given = { ...withoutOutcomes(request), labelled: known?.keys() ?? [] };
  const { options, unreadable, unjoined, weightsDoubts } = await scoreSessions(
    given,
    ports,
    ({ facts, file }) => {
      const { path } = file;
      perFile.set(path, (perFile.get(path) ?? 0) + 1);
      const key = keyOfSession(facts, file);
      // Which run a report means is known when all of them are.
      const label = known === undefined ? 0 : (known.get(key) ?? known.get(facts.sessionId));
      if (label !== undefined) found.push({ facts, key, label, source: path });
    },
  );
  const { prices, baselines, taskTypes, taskTypeOf } = options;
  const shared = new Set(unjoined.map(({ sessionId }) => sessionId));
  const labels = 'report' in file ? await labelsOfReport(file.report, found) : (known ?? new Map());
  const joined =
    'report' in file
      ? found.flatMap((one) => {
          const label = labels.get(one.key ?? '');
          return label === undefined ? [] : [{ ...one, label }];
        })
      : found.filter(({ facts, key = '' }) => !shared.has(facts.sessionId) || labels.has(key));
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
  if (out !== undefined) {
    const { hashLabels, weightsFileOf, writeWeightsFile } = await import(
      '../../session/calibration/weights-file.ts'
    );
    const created = ports.now().toISOString();
    writeWeightsFile(out, weightsFileOf(calibration, { created, labelsHash: hashLabels(labels) }));
  }
  return { calibration, unreadable, unjoined, weightsDoubts, ...(out !== undefined && { out }) };
}

/** By session id or key; a report knows its runs by other names as well. */
function knownLabels(file: LabelFile): ReadonlyMap<string, number> | undefined {
  if ('report' in file) return undefined;
  return 'ratings' in file ? ratingLabels(readRatings(file.ratings)) : readOutcomes(file.outcomes);
}

async function labelsOfReport(path: string, found: readonly LabelledSession[]): Promise<Map<string, number>> {
  const runs = found.map(({ facts, key = '', source }) => ({
    key,
    sessionId: facts.sessionId,
    path: source,
    startedAt: facts.runs[0]?.startedAt,
  }));
  const { joined } = joinLabels((await readReport(path)).labels, runs);
  return new Map(joined.map(({ session, outcome }) => [session.key, outcome]));
}

/** Sessions that belong together: a file of many runs, else the folder (a project) that the transcripts are in. */
function sourceOf(path: string, perFile: ReadonlyMap<string, number>): string {
  return (perFile.get(path) ?? 0) >= MIN_PER_SOURCE ? path : dirname(path);
}
