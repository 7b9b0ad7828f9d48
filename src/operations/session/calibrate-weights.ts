import { dirname } from 'node:path';
import { calibrate } from '../../session/calibration/calibrate.ts';
import type { LabelledSession } from '../../session/calibration/dataset.ts';
import { MIN_PER_SOURCE } from '../../session/calibration/folds.ts';
import { joinLabels } from '../../session/calibration/harness/join-labels.ts';
import { readReport } from '../../session/calibration/harness/read-report.ts';
import { ratingLabels, readOutcomes, readRatings } from '../../session/calibration/labels.ts';
import type { SessionFacts } from '../../session/evidence.ts';
import type { CalibrationResult } from '../../session/results.ts';
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
  const found: FoundSession[] = [];
  const perFile = new Map<string, number>();
  const { options, unreadable } = await scoreSessions(withoutOutcomes(request), ports, (one) => {
    const { path } = one.file;
    perFile.set(path, (perFile.get(path) ?? 0) + 1);
    if (known === undefined || known.has(one.facts.sessionId)) found.push({ facts: one.facts, path });
  });
  const labelled = 'report' in file ? withReport(found, file.report) : withLabels(found, known);
  const labels = new Map(labelled.map(({ facts, label }) => [facts.sessionId, label]));
  const { prices, baselines, taskTypes } = options;
  const calibration = calibrate(
    labelled.map((one) => ({ ...one, source: sourceOf(one.source, perFile) })),
    {
      kind: 'ratings' in file ? 'ratings' : 'outcomes',
      name,
      signals,
      ...(prices && { prices }),
      ...(baselines && { baselines }),
      ...(taskTypes && { taskTypes }),
    },
  );
  if (out !== undefined) {
    const { hashLabels, weightsFileOf, writeWeightsFile } = await import(
      '../../session/calibration/weights-file.ts'
    );
    const created = ports.now().toISOString();
    writeWeightsFile(out, weightsFileOf(calibration, { created, labelsHash: hashLabels(labels) }));
  }
  return { calibration, unreadable, ...(out !== undefined && { out }) };
}

type FoundSession = { readonly facts: SessionFacts; readonly path: string };

/** By session id; a report knows its runs by other names as well. */
function knownLabels(file: LabelFile): ReadonlyMap<string, number> | undefined {
  if ('report' in file) return undefined;
  return 'ratings' in file ? ratingLabels(readRatings(file.ratings)) : readOutcomes(file.outcomes);
}

function withLabels(
  found: readonly FoundSession[],
  labels: ReadonlyMap<string, number> | undefined,
): LabelledSession[] {
  return found.flatMap(({ facts, path }) => {
    const label = labels?.get(facts.sessionId);
    return label === undefined ? [] : [{ facts, label, source: path }];
  });
}

function withReport(found: readonly FoundSession[], report: string): LabelledSession[] {
  const sessions = found.map(({ facts, path }) => ({
    facts,
    path,
    sessionId: facts.sessionId,
    startedAt: facts.runs[0]?.startedAt,
  }));
  return joinLabels(readReport(report).labels, sessions).joined.map(({ session, outcome }) => ({
    facts: session.facts,
    label: outcome,
    source: session.path,
  }));
}

/** Sessions that belong together: a file of many runs, else the folder (a project) that the transcripts are in. */
function sourceOf(path: string, perFile: ReadonlyMap<string, number>): string {
  return (perFile.get(path) ?? 0) >= MIN_PER_SOURCE ? path : dirname(path);
}
