/** Two sides that did the same work several times: is the candidate better, or is the difference noise? */
import { type Check, type Gate, gate } from './gate.ts';

export const SIDES_VERDICTS = [
  'improved',
  'improved on this error set only',
  'mixed: loses critical errors',
  'within run noise',
  'too few to tell',
  'worse on this error set only',
  'worse',
  'not comparable',
] as const;

type Word = (typeof SIDES_VERDICTS)[number];

export type SidesTests = {
  /** Why the two sides cannot be held against each other. */
  readonly incomparable: readonly string[];
  /** What the documented sample sizes lack. */
  readonly tooFewRuns: string | undefined;
  /** Why the metric that decides has no value on one of the sides. */
  readonly unmeasured: string | undefined;
  /** Candidate − baseline, in points. */
  readonly difference: number | undefined;
  /** Undefined where the metric is not a mean over errors. */
  readonly paired:
    | { readonly significant: boolean; readonly units: number; readonly unitsNeeded: number }
    | undefined;
  /** Errors that do not score the same on both sides. */
  readonly moved: number;
  /** Of the run scores, in the same direction; undefined without spread. */
  readonly runsDiffer: boolean | undefined;
  /** Both sides have the same score every time: the exact test of the errors takes the place of the run scores. */
  readonly exact: { readonly significant: boolean } | undefined;
  /** Fewer of the critical errors are found than before. */
  readonly losesCritical: boolean;
  /** Tasks with critical errors that were left out: what became of those is not known. */
  readonly unseenCritical: readonly string[];
  /** The difference with every task counting the same, where `difference` counts errors. */
  readonly byTask: number | undefined;
};

type Answer = {
  readonly verdict: Word;
  readonly because: string;
  /** There are numbers on both sides, and somebody may want to hold them against each other all the same. */
  readonly insistable?: true;
};

export type SidesVerdict = Answer & { readonly gate: Gate };

/** `gated`: worse blocks, and what cannot be told is inconclusive. Otherwise only what cannot be compared is. */
export function judgeSides(tests: SidesTests, gated: boolean): SidesVerdict {
  const answer = answerOf(tests);
  const reason = `${answer.verdict}: ${answer.because}`;
  return { ...answer, gate: gate([{ id: 'sides', outcome: outcomeOf(answer.verdict, gated), reason }]) };
}

function outcomeOf(verdict: Word, gated: boolean): Check['outcome'] {
  if (verdict === 'not comparable') return 'inconclusive';
  if (verdict.startsWith('worse') || verdict.startsWith('mixed')) return gated ? 'blocked' : 'warning';
  if (verdict === 'too few to tell') return gated ? 'inconclusive' : 'warning';
  return 'passed';
}

/** Critical goes before important and minor: what loses critical errors is no improvement, whatever else it gains. */
function answerOf(found: SidesTests): Answer {
  const plain = plainAnswer(found);
  const { difference = 0, byTask = difference, unseenCritical, losesCritical } = found;
  const decided = plain.verdict.startsWith('improved') || plain.verdict.startsWith('worse');
  if (decided && difference * byTask < 0) {
    return {
      verdict: 'too few to tell',
      because: 'over all errors it goes one way, with every task counting the same the other',
    };
  }
  if (!plain.verdict.startsWith('improved')) return plain;
  if (losesCritical) {
    return {
      verdict: 'mixed: loses critical errors',
      because: 'it finds more errors and fewer of the critical ones',
    };
  }
  if (unseenCritical.length > 0) {
    return {
      verdict: 'too few to tell',
      because: `critical errors were not reviewed often enough by both: those of ${unseenCritical.join(', ')}`,
    };
  }
  return plain;
}

function plainAnswer(found: SidesTests): Answer {
  const { incomparable, tooFewRuns, unmeasured, difference, paired, moved, runsDiffer, exact } = found;
  if (incomparable.length > 0)
    return { verdict: 'not comparable', because: incomparable.join('; '), insistable: true };
  if (difference === undefined)
    return { verdict: 'not comparable', because: unmeasured ?? 'no task was measured on both sides' };
  if (tooFewRuns !== undefined) return { verdict: 'too few to tell', because: tooFewRuns };
  const direction = difference > 0 ? 'improved' : 'worse';
  if (exact !== undefined) return exactAnswer(exact.significant, direction, difference);
  if (paired === undefined) {
    return runsDiffer
      ? onThisSet(direction, 'the runs differ, and this metric has no errors to pair')
      : { verdict: 'within run noise', because: 'the runs do not differ beyond their own spread' };
  }
  if (runsDiffer && paired.significant) {
    return { verdict: direction, because: 'the errors, pair by pair, and the runs agree' };
  }
  if (runsDiffer) return onThisSet(direction, 'the runs differ, but other errors could have turned it round');
  if (paired.significant) {
    return {
      verdict: 'too few to tell',
      because: 'the errors speak for a difference, but the runs vary too much to confirm it',
    };
  }
  if (moved === 0)
    return { verdict: 'within run noise', because: 'every error scores the same on both sides' };
  if (paired.units < paired.unitsNeeded) {
    return {
      verdict: 'too few to tell',
      because: `${paired.unitsNeeded} independent errors, documents or tasks are the least that could show anything; there ${paired.units === 1 ? 'is' : 'are'} ${paired.units}`,
    };
  }
  return { verdict: 'within run noise', because: 'neither the errors, pair by pair, nor the runs differ' };
}

function exactAnswer(significant: boolean, direction: 'improved' | 'worse', difference: number): Answer {
  if (significant)
    return { verdict: direction, because: 'neither score varies, and the errors differ (exact McNemar)' };
  if (difference === 0)
    return { verdict: 'within run noise', because: 'neither score varies, and they are the same' };
  return onThisSet(
    direction,
    'neither score varies, but too few errors differ to tell about others (exact McNemar)',
  );
}

function onThisSet(direction: 'improved' | 'worse', because: string): Answer {
  return { verdict: `${direction} on this error set only`, because };
}
