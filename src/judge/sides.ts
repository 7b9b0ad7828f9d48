/** Two sides that did the same work several times: is the candidate better, or is the difference noise? */
import { type Check, type Gate, gate } from './gate.ts';

export const SIDES_VERDICTS = [
  'improved',
  'improved on this error set only',
  'mixed: loses critical errors',
  'mixed: more false alarms',
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
  /** The critical errors that are lost beyond noise. */
  readonly losesCritical: readonly string[] | undefined;
  /** Why what it gains is bought with false alarms. */
  readonly moreFalseAlarms: string | undefined;
  /** Tasks that the candidate has not reviewed often enough although the baseline has: what became of them is not known. */
  readonly unseen: readonly string[];
  /** The difference with every task counting the same, where `difference` counts errors. */
  readonly byTask: number | undefined;
  /** What makes the errors units of their own, in the plural: errors, documents or tasks. */
  readonly unitName: string;
  /** Where it was asked to decide: |difference| > 2 × pooled SD, with how often that is wrong. */
  readonly documentedRule: { readonly significant: boolean; readonly falseAlarm: number } | undefined;
};

export type SidesGate = {
  /** Worse blocks, and what cannot be told is inconclusive. Otherwise only what cannot be compared is. */
  readonly gated: boolean;
  /** A difference on this error set alone is what was asked about. */
  readonly onThisSet?: boolean | undefined;
};

type Answer = {
  readonly verdict: Word;
  readonly because: string;
  /** There are numbers on both sides, and somebody may want to hold them against each other all the same. */
  readonly insistable?: true;
};

export type SidesVerdict = Answer & { readonly gate: Gate };

export function judgeSides(tests: SidesTests, asked: SidesGate): SidesVerdict {
  const answer = answerOf(tests);
  const reason = `${answer.verdict}: ${answer.because}`;
  return { ...answer, gate: gate([{ id: 'sides', outcome: outcomeOf(answer.verdict, asked), reason }]) };
}

function outcomeOf(verdict: Word, { gated, onThisSet = false }: SidesGate): Check['outcome'] {
  if (verdict === 'not comparable') return 'inconclusive';
  if (verdict.startsWith('worse') || verdict.startsWith('mixed')) return gated ? 'blocked' : 'warning';
  const isOpen =
    verdict === 'too few to tell' || (verdict === 'improved on this error set only' && !onThisSet);
  if (isOpen) return gated ? 'inconclusive' : 'warning';
  return 'passed';
}

/** Critical goes before important and minor: what loses critical errors is no improvement, whatever else it gains. */
function answerOf(found: SidesTests): Answer {
  const plain = plainAnswer(found);
  const { difference = 0, byTask = difference, unseen, losesCritical, moreFalseAlarms } = found;
  const decided = plain.verdict.startsWith('improved') || plain.verdict.startsWith('worse');
  if (decided && difference * byTask < 0) {
    return {
      verdict: 'too few to tell',
      because: 'over all errors it goes one way, with every task counting the same the other',
    };
  }
  if (!plain.verdict.startsWith('improved')) return plain;
  if (losesCritical !== undefined) {
    return {
      verdict: 'mixed: loses critical errors',
      because: `it finds more errors and no longer finds critical ones as before: ${losesCritical.join(', ')}`,
    };
  }
  if (moreFalseAlarms !== undefined) return { verdict: 'mixed: more false alarms', because: moreFalseAlarms };
  if (unseen.length > 0) {
    return {
      verdict: 'too few to tell',
      because: `the candidate has too few runs of what the baseline has reviewed: ${unseen.join(', ')}`,
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
  if (found.documentedRule !== undefined) return ruleAnswer(found.documentedRule, direction);
  if (exact !== undefined) return exactAnswer(exact.significant, direction, difference, found.unitName);
  if (paired === undefined) {
    return runsDiffer
      ? onThisSet(direction, 'the runs differ, and this metric has no errors to pair')
      : { verdict: 'within run noise', because: 'the runs do not differ beyond their own spread' };
  }
  if (runsDiffer && paired.significant) {
    return { verdict: direction, because: 'the errors, pair by pair, and the runs agree' };
  }
  if (runsDiffer) return onThisSet(direction, turnedBy(paired, found.unitName));
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
      because: `${paired.unitsNeeded} ${found.unitName} are the least that could show anything; there ${paired.units === 1 ? 'is' : 'are'} ${paired.units}`,
    };
  }
  return { verdict: 'within run noise', because: 'neither the errors, pair by pair, nor the runs differ' };
}

function turnedBy({ units, unitsNeeded }: NonNullable<SidesTests['paired']>, unitName: string): string {
  return units < unitsNeeded
    ? `the runs differ, but ${unitsNeeded} ${unitName} are the least that could tell about others; there ${units === 1 ? 'is' : 'are'} ${units}`
    : `the runs differ, but other ${unitName} could have turned it round`;
}

function ruleAnswer(
  { significant, falseAlarm }: NonNullable<SidesTests['documentedRule']>,
  direction: 'improved' | 'worse',
): Answer {
  const rule = `by the documented rule, which is wrong ${(100 * falseAlarm).toFixed(2)}% of the time where nothing differs`;
  return significant
    ? { verdict: direction, because: `the difference is more than two pooled SD, ${rule}` }
    : { verdict: 'within run noise', because: `the difference is at most two pooled SD, ${rule}` };
}

function exactAnswer(
  significant: boolean,
  direction: 'improved' | 'worse',
  difference: number,
  unitName: string,
): Answer {
  if (significant)
    return { verdict: direction, because: 'neither score varies, and the errors differ (exact McNemar)' };
  if (difference === 0)
    return { verdict: 'within run noise', because: 'neither score varies, and they are the same' };
  return onThisSet(
    direction,
    `neither score varies, but too few ${unitName} differ to tell about others (exact McNemar)`,
  );
}

function onThisSet(direction: 'improved' | 'worse', because: string): Answer {
  return { verdict: `${direction} on this error set only`, because };
}
