import { OES_COMPONENTS } from '../../workflow/weights.ts';
import type { CompareRequest } from './compare-workflows.ts';
import type { ScoreRequest } from './score-reviews.ts';

/** How reviews are scored when nobody has wishes of their own: nothing blocks. */
export const SCORE_DEFAULTS = {
  components: OES_COMPONENTS,
  minimums: new Map(),
} as const satisfies Partial<ScoreRequest>;

/** How two versions are compared when nobody has wishes of their own: by the detection rate. */
export const COMPARE_DEFAULTS = {
  primary: 'dr',
  components: OES_COMPONENTS,
  insist: false,
  gated: false,
} as const satisfies Partial<CompareRequest>;
