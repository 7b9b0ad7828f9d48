import { countsTooLittle, usageOf } from '../usage.ts';
import { SIGNAL_WEIGHTS } from '../weights.ts';
import { NO_STEPS, noBaseline, type Signal } from './signal.ts';

export const tokenEfficiency: Signal = {
  id: 'token-efficiency',
  title: 'Token efficiency',
  category: 'efficiency',
  weight: SIGNAL_WEIGHTS.efficiency['token-efficiency'],
  how: 'min(1, ratio / baseline), ratio = output tokens / all input tokens, cached ones included; the baseline is the median of the task type. Unmeasured without a baseline, when only the end was recorded, and when the transcript under-reports output tokens.',
  read: (run, { baseline, taskType, unobservable }) => {
    // Without the steps, the task type is a guess, and so is the baseline.
    if (unobservable?.has('steps') === true) return { measured: false, reason: NO_STEPS };
    const usage = usageOf(run.models);
    if (usage === undefined) return { measured: false, reason: 'the transcript carries no token counts' };
    const input = usage.input + usage.cacheRead + usage.cacheWrite;
    if (input === 0) return { measured: false, reason: 'no input tokens were counted' };
    if (countsTooLittle(run)) {
      return {
        measured: false,
        reason: 'less output is recorded than is visible: the token counts are not whole',
      };
    }
    const usual = baseline?.tokenRatio ?? 0;
    if (!(usual > 0)) return noBaseline(taskType);
    const ratio = usage.output / input;
    return {
      measured: true,
      value: Math.min(1, ratio / usual),
      because: `${usage.output} tokens out of ${input} in, a ratio of ${short(ratio)} against ${short(usual)} for ${taskType}`,
      lines: [],
    };
  },
};

/** Three significant digits: ratios run from 0.0004 to 2. */
function short(value: number): string {
  return String(Number(value.toPrecision(3)));
}
