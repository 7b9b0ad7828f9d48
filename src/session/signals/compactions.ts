import { SIGNAL_WEIGHTS } from '../weights.ts';
import type { Signal } from './signal.ts';

export const compactions: Signal = {
  id: 'compactions',
  title: 'Compactions',
  category: 'efficiency',
  weight: SIGNAL_WEIGHTS.efficiency.compactions,
  how: '1 when the context was never compacted, 0.8 after one compaction, 0.5 after two or more. Unmeasured when the source cannot show compactions.',
  read: (run, { unobservable }) => {
    if (run.compactions === 0 && unobservable?.has('compaction') === true)
      return { measured: false, reason: 'the source does not show compactions' };
    return {
      measured: true,
      value: run.compactions === 0 ? 1 : run.compactions === 1 ? 0.8 : 0.5,
      because:
        run.compactions === 0
          ? 'the context was never compacted'
          : `the context was compacted ${run.compactions === 1 ? 'once' : `${run.compactions} times`}`,
      lines: run.compactionLines,
    };
  },
};
