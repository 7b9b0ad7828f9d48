import { formatAmount, formatCount } from '../../report/number.ts';
import type { View } from '../../report/view.ts';
import type { Rescored } from '../results.ts';
import { nextStep, type SessionsGiven } from './next-step.ts';
import { BLIND_SPOT } from './wording.ts';

export function rescoredView({ sessions, rescored, wanted }: Rescored, given: SessionsGiven): View {
  const { scorerVersion, weights, baselineSet, prices } = wanted;
  const asked = `${scorerVersion}, weights ${weights}, baselines ${baselineSet}, ${prices}`;
  return {
    title: 'Scored again',
    answer:
      sessions === 0
        ? 'There is no session in the store.'
        : rescored === 0
          ? `All of the ${formatAmount(sessions, 'session')} were scored with this already: ${asked}.`
          : `${formatCount(rescored)} of ${formatAmount(sessions, 'session')} were scored again: ${asked}.`,
    blocks: [],
    notes: [BLIND_SPOT],
    next: nextStep('roi', given, { options: { 'from-store': true } }),
  };
}
