import { expect, it } from 'vitest';
import { splitLabels } from './own-labels.ts';

const MODEL = 'claude-sonnet-4-5-20250929';

it.each([
  ['review-2', 'review-2', undefined, true],
  ['Review 2 (itself)', 'review-2', undefined, true],
  ['self', 'review-2', undefined, true],
  ['Claude Sonnet 4.5', 'v2', MODEL, true],
  ['anthropic/claude-sonnet-4-5', 'v2', MODEL, true],
  ['claude', 'v2', MODEL, true],
  ['claude-opus-4-5', 'v2', MODEL, false],
  ['claude-opus-4-5', 'claude', undefined, false],
  ['evaluator-1', 'review-1', MODEL, false],
  ['ann', 'v2', MODEL, false],
  ['5', 'v2', MODEL, false],
])('by %s, of %s on %s: %s', (by, workflow, model, isOwn) => {
  const label = { match: 'BONUS_VALID', by } as const;
  const { own, others } = splitLabels([label], { workflow, ...(model && { model }) });
  expect([own.length, others.length]).toEqual(isOwn ? [1, 0] : [0, 1]);
});
