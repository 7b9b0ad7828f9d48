/** Texts about an experiment, for the terminal, the ledger of prompts and the API. */
import { formatAmount, formatCount, formatDuration, formatPoints, formatUsd } from '../../report/number.ts';
import type { Distrust, ExperimentReading, GuardReading } from '../production/experiment/judge-experiment.ts';
import type { AbPlan, Guards } from '../production/experiment/plan.ts';

const PRIMARY_WORDS: Readonly<Record<AbPlan['primary'], string>> = {
  acceptable: 'outputs that people call acceptable',
  thumbs: 'thumbs up of users',
  'verified-quotes': 'quotes that stand in the text',
  confidence: 'mean confidence',
};

export const GUARD_WORDS: Readonly<Record<keyof Guards, string>> = {
  errors: 'errors',
  latencyMs: 'latency',
  costUsd: 'cost',
};

export function primaryWords({ primary }: AbPlan): string {
  return PRIMARY_WORDS[primary];
}

/** One sentence without its full stop. */
export function verdictSentence(reading: ExperimentReading): string {
  const { plan, verdict, primary, guards, distrust, mayNeed } = reading;
  const { low, high } = primary.interval;
  const between = `between ${formatPoints(100 * low)} and ${formatPoints(100 * high)}`;
  switch (verdict) {
    case 'not to be trusted':
      return [
        `nothing of it can be trusted: ${distrust.map(distrustWords).join('; ')}`,
        ...(guards.some(({ crossed }) => crossed) ? [`but ${crossedWords(plan, guards)}`] : []),
      ].join('; ');
    case 'guard rail crossed':
      return crossedWords(plan, guards);
    case 'candidate better':
      return `the candidate ${plan.candidate} is better than ${plan.control}: ${primaryWords(plan)} differ by ${between}`;
    case 'candidate worse':
      return `the candidate ${plan.candidate} is worse than ${plan.control}: ${primaryWords(plan)} differ by ${between}`;
    case 'no difference that matters':
      return `no difference that matters: ${primaryWords(plan)} differ by less than ${formatPoints(100 * plan.smallestEffect)} (${between})`;
    case 'too early to tell': {
      const known = primary.n[0] + primary.n[1];
      const more = mayNeed === undefined ? '' : `; about ${formatCount(mayNeed)} may be needed`;
      return `too early to tell, with known outcomes for ${formatAmount(known, 'key')}${more}`;
    }
  }
}

export function distrustWords(distrust: Distrust): string {
  if (distrust.kind === 'misassigned')
    return `${formatCount(distrust.count)} of ${formatAmount(distrust.of, 'request')} got the prompt of the other arm`;
  const [control, candidate] = distrust.n.map(formatCount);
  const what =
    distrust.kind === 'sample ratio'
      ? 'the arms were not filled as planned'
      : 'outcomes are known more often in one arm than in the other';
  return `${what} (${control} keys and ${candidate}, p ${distrust.p < 0.0001 ? '< 0.0001' : `= ${distrust.p.toPrecision(2)}`})`;
}

function crossedWords({ candidate }: AbPlan, guards: readonly GuardReading[]): string {
  const crossed = guards.filter((one) => one.crossed).map(guardWords);
  return `the candidate ${candidate} crosses a guard rail: ${crossed.join('; ')}`;
}

function guardWords({ guard, low, margin }: GuardReading): string {
  return `${GUARD_WORDS[guard]} worse by at least ${amount(guard, low)}, where ${amount(guard, margin)} is allowed`;
}

function amount(guard: keyof Guards, value: number): string {
  if (guard === 'errors') return formatPoints(100 * value);
  return guard === 'latencyMs' ? formatDuration(value) : formatUsd(value);
}
