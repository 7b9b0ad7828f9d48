/** The little of a scored session that many of them are listed and compared by: a hundred thousand fit in memory. */
import { estimate, type Measurement, unmeasured } from '../measure/metric.ts';
import { meanOverCases } from '../measure/over-cases.ts';
import type { TaskType } from './profiles/task-type.ts';
import type { ScoredSession } from './score-session.ts';
import type { Category } from './signals/signal.ts';

export type SessionScore = {
  readonly sessionId: string;
  /** What a file of many results calls the run. */
  readonly instance?: string;
  readonly source: string;
  readonly agent: string | undefined;
  /** The folder it worked in, or the name its agent gives the project. */
  readonly project: string | undefined;
  readonly taskType: TaskType;
  readonly model: string | undefined;
  readonly startedAt: number | undefined;
  readonly q: number | undefined;
  readonly tier: string | undefined;
  readonly coverage: number;
  readonly lowConfidence: boolean;
  readonly categories: MeasuredSession['categories'];
  readonly costUsd: number | undefined;
  readonly costIsLowerBound: boolean;
  readonly weights: string;
  readonly baselineSet: string;
  /** What a model said of it, 1–5. */
  readonly modelRating?: number;
};

/** Texts that many sessions have in common are kept once. */
export class Shortener {
  readonly #known = new Map<string, string>();

  scoreOf(session: ScoredSession, project?: string): SessionScore {
    return {
      sessionId: session.sessionId,
      instance: session.instance,
      source: this.text(session.source),
      agent: session.agent === undefined ? undefined : this.text(session.agent),
      project: project === undefined ? undefined : this.text(project),
      taskType: session.taskType,
      model: session.model === undefined ? undefined : this.text(session.model),
      startedAt: session.startedAt,
      q: session.q,
      tier: session.tier,
      coverage: session.coverage,
      lowConfidence: session.lowConfidence,
      categories: session.categories,
      costUsd: session.costUsd,
      costIsLowerBound: session.costIsLowerBound === true,
      weights: session.weights,
      baselineSet: session.baselineSet,
      ...(session.opinion !== undefined && { modelRating: session.opinion.rating }),
    };
  }

  text(text: string): string {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    if (this.#known.size < MAX_KNOWN) this.#known.set(text, text);
    return text;
  }
}

const MAX_KNOWN = 10_000;

/** As much of a scored session as the metrics over many of them need. */
export type MeasuredSession = {
  readonly q?: number | undefined;
  readonly categories: Readonly<Partial<Record<Category, number | undefined>>>;
};

/** Every session counts the same. */
export function meanQ(sessions: readonly Pick<MeasuredSession, 'q'>[]): Measurement {
  return meanOverCases(sessions, ({ q }) =>
    q === undefined ? unmeasured('no run of the session could be scored') : estimate(q, 1),
  );
}
