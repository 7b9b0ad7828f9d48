import { complexityOf } from '../profiles/complexity.ts';
import { isTextRecorded, NO_TEXT } from '../text-recorded.ts';
import type { Signal } from './signal.ts';

const NEEDED = { simple: 0, moderate: 1, complex: 2 } as const;
const HAD = { small: 0, medium: 1, large: 2 } as const;

export const modelAppropriateness: Signal = {
  id: 'model-appropriateness',
  title: 'Model appropriateness',
  category: 'efficiency',
  weight: 0.25,
  how: 'A simple task needs a small model, a moderate one a medium, a complex one a large (by price). 1 when the model is not above the need, 0.7 one step above, 0.5 two steps above; unmeasured when the model or its price is unknown, or the source records no text.',
  read: (run, { modelTier }) => {
    if (modelTier === undefined) return { measured: false, reason: 'the model or its price is unknown' };
    const { complexity, reason } = complexityOf(run);
    // How much was written is one of the measures of a task; unknown, it can only be more complex than it looks.
    if (complexity !== 'complex' && !isTextRecorded(run)) return { measured: false, reason: NO_TEXT };
    const above = HAD[modelTier] - NEEDED[complexity];
    return {
      measured: true,
      value: above <= 0 ? 1 : above === 1 ? 0.7 : 0.5,
      because: `a ${modelTier} model for a ${complexity} task (${reason})`,
      lines: [],
    };
  },
};
