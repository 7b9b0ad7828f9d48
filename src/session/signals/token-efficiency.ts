import { usageOf } from '../usage.ts';
import type { Signal } from './signal.ts';

export const tokenEfficiency: Signal = {
  id: 'token-efficiency',
  title: 'Token efficiency',
  category: 'efficiency',
  weight: 0.25,
  how: 'min(1, ratio / baseline), ratio = output tokens / all input tokens, cached ones included; the baseline is the median of the task type.',
  read: (run, { baseline, taskType }) => {
    const usage = usageOf(run.models);
    if (usage === undefined) return { measured: false, reason: 'the transcript carries no token counts' };
    const input = usage.input + usage.cacheRead + usage.cacheWrite;
    if (input === 0) return { measured: false, reason: 'no input tokens were counted' };
    if (baseline === undefined || !(baseline.tokenRatio > 0)) {
      return { measured: false, reason: `there is no baseline for ${taskType}` };
    }
    const ratio = usage.output / input;
    return {
      measured: true,
      value: Math.min(1, ratio / baseline.tokenRatio),
      because: `${usage.output} tokens out of ${input} in, a ratio of ${short(ratio)} against ${short(baseline.tokenRatio)} for ${taskType}`,
      lines: [],
    };
  },
};

/** Three significant digits: ratios run from 0.0004 to 2. */
function short(value: number): string {
  return String(Number(value.toPrecision(3)));
}
