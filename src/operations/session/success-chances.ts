import {
  type KnownCase,
  type SuccessCase,
  type SuccessChance,
  SuccessModel,
  unseenModels,
} from '../../session/calibration/success-model.ts';
import { reportSuccess, type SuccessReport } from '../../session/calibration/success-report.ts';
import { isDecided, isSuccess } from '../../session/calibration/validate-outcomes.ts';
import { isModelAuthor } from '../../session/model-judge/model-opinion.ts';
import type { Rating, SessionSummary, Store } from '../../store/store.ts';

/** P(success) is learned from the outcomes of this many newest sessions. */
const NEWEST = 2000;

export type ChanceSources = {
  /** Ratings of sessions by users and models. */
  readonly ratings: readonly Rating[];
  /** From a join file, by the key of the session. */
  readonly outcomes?: ReadonlyMap<string, number> | undefined;
};

/** P(success) of sessions, learned from those with a known outcome. */
export class Chances {
  readonly #known: ReadonlyMap<string, KnownCase>;
  readonly #model: SuccessModel | undefined;
  /** A session with a known outcome is predicted by a model that excludes it. Fitted on demand. */
  #unseen: ReadonlyMap<string, SuccessModel | undefined> | undefined;

  private constructor(known: ReadonlyMap<string, KnownCase>) {
    this.#known = known;
    this.#model = SuccessModel.fit([...known.values()]);
  }

  static async learn(store: Store, sources: ChanceSources): Promise<Chances> {
    const rated = ratedSuccess(sources.ratings);
    const known = new Map<string, KnownCase>();
    for (const row of await store.listSessions({ order: 'newest', limit: NEWEST })) {
      const outcome = outcomeOf(row, rated, sources);
      if (outcome !== undefined && isDecided(outcome))
        known.set(row.sessionKey, { ...caseOf(row), success: isSuccess(outcome) });
    }
    return new Chances(known);
  }

  /** The number of known outcomes. */
  get known(): number {
    return this.#known.size;
  }

  /** Undefined: too few known outcomes. */
  of(row: SessionSummary): SuccessChance | undefined {
    const model = this.#known.has(row.sessionKey) ? this.#unseenModels().get(row.sessionKey) : this.#model;
    return model?.chanceOf(caseOf(row));
  }

  report(): SuccessReport {
    return reportSuccess([...this.#known.values()], [...this.#unseenModels().values()]);
  }

  #unseenModels(): ReadonlyMap<string, SuccessModel | undefined> {
    const models = this.#unseen === undefined ? unseenModels([...this.#known.values()]) : [];
    this.#unseen ??= new Map([...this.#known.keys()].map((key, i) => [key, models[i]]));
    return this.#unseen;
  }
}

export function caseOf({ q, transcriptQ, model, project, task }: SessionSummary): SuccessCase {
  return { numbers: [transcriptQ ?? q], model, project, task };
}

/** Mean rating by the name of the session, brought from 1–5 to 0–1. */
function ratedSuccess(ratings: readonly Rating[]): ReadonlyMap<string, number> {
  const byPeople = ratings.filter(({ author }) => !isModelAuthor(author));
  return new Map(
    [...Map.groupBy(byPeople, ({ subjectId }) => subjectId)].map(([name, own]) => [
      name,
      (own.reduce((sum, { rating }) => sum + rating, 0) / own.length - 1) / 4,
    ]),
  );
}

/** Stated outcomes take precedence over checks, checks over ratings, and ratings over surviving lines. */
function outcomeOf(
  { sessionKey, sessionId, verifyResult, work, verified }: SessionSummary,
  rated: ReadonlyMap<string, number>,
  { outcomes }: ChanceSources,
): number | undefined {
  const stated = outcomes?.get(sessionKey);
  if (stated !== undefined) return stated;
  if (verifyResult === 'fixed' || verifyResult === 'kept green') return 1;
  if (verifyResult === 'broke') return 0;
  const rating = rated.get(sessionKey) ?? rated.get(sessionId);
  if (rating !== undefined) return rating;
  if (work === 'not-committed') return 0;
  if (work !== 'on-default' || verified === 'no') return undefined;
  return verified === 'yes' ? 1 : 0;
}
