import type { CompareVerdict } from '../../workflow/compare/comparison-verdict.ts';

/** Under a gate: worse blocks, what cannot be told is inconclusive. Without one only what cannot be compared is. */
export function exitCodeOf(verdict: CompareVerdict, gated: boolean): 0 | 1 | 2 {
  if (verdict === 'not comparable') return 2;
  if (!gated) return 0;
  if (verdict.startsWith('worse') || verdict.startsWith('mixed')) return 1;
  return verdict === 'too few to tell' ? 2 : 0;
}
