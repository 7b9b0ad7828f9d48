/** The session in a sentence: what speaks for it, then what weighs most against it. */
import { type PlacedSignal, type Run, signalsOf } from './signals.ts';

export type Verdict = {
  readonly before: string;
  /** The facts that decide it. */
  readonly facts: readonly string[];
  readonly after: string;
};

/** Less than this of Q is no reason to speak of. */
const WORTH_SAYING = 0.02;
const PRAISED = ['state-changed', 'downstream-acceptance', 'artifact-produced'];

export function verdictOf(run: Run): Verdict {
  if (run.special_case_reason !== undefined)
    return { before: '', facts: [run.special_case_reason], after: '.' };
  if (run.q === null) return { before: 'Too little was seen to say how it went', facts: [], after: '.' };
  const signals = signalsOf(run);
  const lost = distinct(signals.filter(({ cost }) => cost >= WORTH_SAYING)).slice(0, 2);
  const earned = distinct(signals.filter(({ id, value }) => PRAISED.includes(id) && (value ?? 0) >= 0.9));
  const ended = signals.some(({ id, value }) => id === 'ended-normally' && value === 1)
    ? 'It ended normally'
    : '';
  if (lost.length === 0) {
    if (earned.length > 0) return { before: join(ended, ': '), facts: earned, after: '.' };
    const unverified = run.verified === 'yes' ? '' : ', and nothing verified it';
    return { before: 'Nothing was seen against it', facts: [], after: `${unverified}.` };
  }
  const praise = [ended, ...earned.slice(0, 1)].filter((part) => part !== '').join(', ');
  return { before: join(praise, ', but '), facts: lost, after: '.' };
}

function join(text: string, joint: string): string {
  return text === '' ? '' : `${text}${joint}`;
}

/** Two signals may have seen the same thing. */
function distinct(signals: readonly PlacedSignal[]): string[] {
  return [...new Set(signals.flatMap(({ because }) => because ?? []))].map((text) =>
    text.replace(/^the transcript shows: /, ''),
  );
}
