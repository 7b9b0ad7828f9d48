import { complexityOf } from '../profiles/complexity.ts';
import { SIGNAL_WEIGHTS } from '../weights.ts';
import type { Signal } from './signal.ts';

const NEEDED = { simple: 0, moderate: 1, complex: 2 } as const;
const HAD = { small: 0, medium: 1, large: 2 } as const;

export const modelAppropriateness: Signal = {
  id: 'model-appropriateness',
  title: 'Model appropriateness',
  category: 'efficiency',
  weight: SIGNAL_WEIGHTS.efficiency['model-appropriateness'],
  how: 'A simple task needs a small model, a moderate one a medium, a complex one a large (by price). The complexity comes from the request alone: the files, systems and list items it names, and words for many places or few. It never comes from the turns or tokens spent. 1 when the model is not above the need, 0.7 one step above, 0.5 two steps above; unmeasured when the model or its price is unknown, or the request names too little.',
  read: (run, { modelTier }) => {
    if (modelTier === undefined) return { measured: false, reason: 'the model or its price is unknown' };
    const asked = complexityOf(run);
    if (asked === undefined)
      return { measured: false, reason: 'the request names too little to tell its size' };
    const { complexity, reason } = asked;
    const above = HAD[modelTier] - NEEDED[complexity];
    return {
      measured: true,
      value: above <= 0 ? 1 : above === 1 ? 0.7 : 0.5,
      because: `a ${modelTier} model for a ${complexity} task (${reason})`,
      lines: [],
    };
  },
};
