import { type BaselineSet, SHIPPED_BASELINES } from '../../session/profiles/baselines.ts';
import {
  type FittedFigure,
  type FittingRun,
  fitBaselines,
  fittingRuns,
} from '../../session/profiles/fit-baselines.ts';
import { shortHash } from '../../session/session-key.ts';
import type { Ports } from '../ports.ts';
import type { LeftOut } from './ask-sessions.ts';
import { scoreSessions } from './score-sessions.ts';
import type { SessionRequest } from './session-request.ts';

/** `out`: the file that was written, where one was named. */
export type FittedBaselines = LeftOut & {
  readonly set: BaselineSet;
  readonly figures: readonly FittedFigure[];
  readonly out?: string;
};

export type FitBaselinesRequest = SessionRequest & {
  /** The file that takes the set; without it nothing is written. */
  readonly out?: string;
};

/** A set of baselines from one's own history. Its name tells what it was made from: the same runs, the same name. */
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
  /** A file with a set; the shipped one without it. */
  readonly baselines?: string;
};

export async function showBaselines({ baselines }: ShowBaselinesRequest): Promise<BaselineSet> {
  if (baselines === undefined) return SHIPPED_BASELINES;
  const { readBaselines } = await import('../../session/profiles/baselines-file.ts');
  return readBaselines(baselines);
}
