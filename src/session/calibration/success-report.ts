/** The accuracy of P(success): each known outcome against a model that saw neither it nor the others of its task. */
import { estimate, type Measurement, unmeasured } from '../../measure/metric.ts';
import { brier, type ReliabilityBin, reliability } from '../../stats/forecasts.ts';
import { type KnownCase, LEAST_OUTCOMES, type SuccessModel, unseenModels } from './success-model.ts';

export type SuccessReport = {
  /** Known outcomes, and how many of them are successes. */
  readonly n: number;
  readonly successes: number;
  readonly brier: Measurement;
  /** Of a forecast that predicts the overall success rate for every session. */
  readonly brierOfBaseRate: Measurement;
  readonly reliability: readonly ReliabilityBin[];
};

/** @param unseen for each known case a model that saw neither its outcome nor those of its task. */
export function reportSuccess(
  known: readonly KnownCase[],
  unseen: readonly (SuccessModel | undefined)[] = unseenModels(known),
): SuccessReport {
  const pairs = known.flatMap((one, i) => {
    const p = unseen[i]?.chanceOf(one).p;
    return p === undefined ? [] : [{ p, success: one.success }];
  });
  const [predicted, happened] = [pairs.map(({ p }) => p), pairs.map(({ success }) => success)];
  const successes = known.filter(({ success }) => success).length;
  const base = successes / known.length;
  const score = pairs.length === 0 ? undefined : brier(predicted, happened);
  const few = `${known.length} outcomes are known; it takes ${LEAST_OUTCOMES}`;
  const measured = (value: number | undefined) =>
    value === undefined ? unmeasured(few) : estimate(value, pairs.length);
  return {
    n: known.length,
    successes,
    brier: measured(score),
    brierOfBaseRate: measured(score === undefined ? undefined : base * (1 - base)),
    reliability: reliability(predicted, happened),
  };
}
