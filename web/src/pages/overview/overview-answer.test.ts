import { describe, expect, it } from 'vitest';
import type { Overview } from '../../api/shapes.ts';
import { overviewAnswer } from './overview-answer.ts';

type Given = {
  readonly stored?: number;
  readonly needing?: number;
  readonly alerts?: number;
  readonly runs?: number;
  readonly n?: number;
  readonly now?: number;
  readonly before?: number;
};

/** Only what the sentence is made of. */
function sentence({ stored = 9, needing = 0, alerts = 0, runs = 0, n = 9, now, before }: Given): string {
  const week = (count: number, median: number | undefined) => ({
    n: count,
    q: median === undefined ? null : { median },
    cost: { total_usd: 1.25, is_lower_bound: false },
  });
  const overview = {
    sessions: { stored, attention_in_all: needing, current: week(n, now), previous: week(n, before) },
    decomposition: { runs: [] },
    workflow: { runs: [] },
    attention: { alerts: Array(alerts), runs: Array(runs) },
  };
  return overviewAnswer(overview as unknown as Overview)
    .map(({ text, bold }) => (bold ? `*${text}*` : text))
    .join('');
}

describe('the first line of the overview', () => {
  it('says how much needs attention, and how Q moved', () => {
    expect(sentence({ needing: 3, now: 0.81, before: 0.74 })).toBe(
      '*3 sessions need attention*; 9 sessions with median Q *0.81* (up from 0.74), for $1.25.',
    );
    expect(sentence({ alerts: 2, runs: 1, needing: 1, now: 0.7, before: 0.7 })).toBe(
      '*2 alerts are open, 1 run did not pass and 1 session needs attention*; 9 sessions with median Q *0.70* (as the week before), for $1.25.',
    );
  });

  it('says that nothing does, that nothing was scored, and that there is nothing yet', () => {
    expect(sentence({ now: 0.9 })).toBe(
      '*Nothing needs attention*; 9 sessions with median Q *0.90*, for $1.25.',
    );
    expect(sentence({})).toBe('*Nothing needs attention*; the Q of 9 sessions is unmeasured.');
    expect(sentence({ n: 0 })).toBe('*Nothing needs attention*.');
    expect(sentence({ stored: 0, n: 0 })).toContain('*Nothing is measured yet*');
  });
});
