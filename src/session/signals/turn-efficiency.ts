import type { Signal } from './signal.ts';

/** Worth nothing from this many times the baseline on. */
const WORTHLESS_AT = 3;

export const turnEfficiency: Signal = {
  id: 'turn-efficiency',
  title: 'Turn efficiency',
  category: 'efficiency',
  weight: 0.25,
  how: `1 up to the median number of turns of the task type, then falling linearly to 0 at ${WORTHLESS_AT} times it.`,
  read: ({ turns }, { baseline, taskType }) => {
    if (turns === 0) return { measured: false, reason: 'no turn was recorded' };
    if (baseline === undefined || !(baseline.turns > 0)) {
      return { measured: false, reason: `there is no baseline for ${taskType}` };
    }
    const left = (WORTHLESS_AT * baseline.turns - turns) / ((WORTHLESS_AT - 1) * baseline.turns);
    return {
      measured: true,
      value: Math.min(1, Math.max(0, left)),
      because: `${turns} ${turns === 1 ? 'turn' : 'turns'} against ${baseline.turns} for ${taskType}`,
      lines: [],
    };
  },
};
