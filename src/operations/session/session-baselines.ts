import { type BaselineSet, SHIPPED_BASELINES } from '../../session/profiles/baselines.ts';
import {
  type FittedFigure,
  type FittingRun,
  fitBaselines,
  fittingRuns,
} from '../../session/profiles/fit-baselines.ts';
import { shortHash } from '../../session/session-key.ts';
import type { Ports } from '../ports.ts';
import type { ReadReport } from './ask-sessions.ts';
import { scoreSessions } from './score-sessions.ts';
import type { SessionRequest } from './session-request.ts';

/** `out`: the file that was written, if one was named. */
export type FittedBaselines = ReadReport & {
  readonly set: BaselineSet;
  readonly figures: readonly FittedFigure[];
  readonly out?: string;
};

export type FitBaselinesRequest = SessionRequest & {
  /** The output file; without it nothing is written. */
  readonly out?: string;
};

/** Fits baselines to the user's own history. The name is derived from the runs: the same runs, the same name. */
export async function fitSessionBaselines(
  request: FitBaselinesRequest,
  ports: Ports,
): Promise<FittedBaselines> {
  const { out } = request;
  const runs: FittingRun[] = [];
  const { unreadable, unjoined, weightsDoubts } = await scoreSessions(
    request,
    ports,
    ({ facts, session }) => {
      runs.push(...fittingRuns([{ facts, scored: session }]));
    },
  );
  const { set, figures } = fitBaselines(runs, `own-${shortHash(runs)}`);
  if (out !== undefined) (await import('../../session/profiles/baselines-file.ts')).writeBaselines(out, set);
  return { set, figures, unreadable, unjoined, weightsDoubts, out };
}

export type ShowBaselinesRequest = {
  /** A file with a set of baselines; without it the shipped one. */
  readonly baselines?: string;
};

export async function showBaselines({ baselines }: ShowBaselinesRequest): Promise<BaselineSet> {
  if (baselines === undefined) return SHIPPED_BASELINES;
  const { readBaselines } = await import('../../session/profiles/baselines-file.ts');
  return readBaselines(baselines);
}
