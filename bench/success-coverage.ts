/**
 * How often the 95% interval of P(success) has the true rate, in simulated worlds: `node bench/success-coverage.ts`.
 * Tasks, projects and models differ by a standard deviation of `spread` on the scale of logits.
 */
import { SuccessModel } from '../src/session/calibration/success-model.ts';
import { drawKnown, meanRate, rateOf } from '../src/session/calibration/testing/success-world.ts';

const WORLDS = 200;
const CASES = 8;

console.log('spread  outcomes  recurring task: covered, width   new task: covered, width, mean error');
for (const spread of [0.3, 0.7, 1, 1.5])
  for (const outcomes of [12, 41, 150, 600]) {
    const sums = { task: 0, taskWidth: 0, mean: 0, meanWidth: 0, error: 0 };
    for (let seed = 1; seed <= WORLDS; seed++) {
      const tasks = Math.max(6, Math.round(outcomes / 4));
      const world = { seed, outcomes, tasks, projects: 4, models: 3, spread, slope: 0.5 };
      const { cases, truth } = drawKnown(world);
      const model = SuccessModel.fit(cases);
      for (const one of cases.slice(0, CASES)) {
        const own = model?.chanceOf(one);
        const mean = model?.chanceOf({ ...one, task: undefined });
        if (own === undefined || mean === undefined) continue;
        const [rate, average] = [rateOf(one, truth), meanRate(one, truth)];
        sums.task += Number(own.low <= rate && rate <= own.high);
        sums.taskWidth += own.high - own.low;
        sums.mean += Number(mean.low <= average && average <= mean.high);
        sums.meanWidth += mean.high - mean.low;
        sums.error += mean.p - average;
      }
    }
    const of = (sum: number) => (sum / (WORLDS * CASES)).toFixed(2);
    console.log(
      `${String(spread).padEnd(8)}${String(outcomes).padEnd(10)}${of(sums.task)}, ${of(sums.taskWidth)}${' '.repeat(21)}${of(sums.mean)}, ${of(sums.meanWidth)}, ${of(sums.error)}`,
    );
  }
