import { describe, expect, it } from 'vitest';
import type { Prediction } from './answers.ts';
import { calibrate, type Detection } from './bias-check.ts';

function predicting(...said: [prediction: Prediction['prediction'], outcome: Detection][]) {
  const predict = new Map(
    said.map(([prediction], i) => [`E${i}`, { error: `E${i}`, prediction, why: 'x' } as Prediction]),
  );
  const outcome = new Map(said.map(([, detection], i) => [`E${i}`, detection]));
  return calibrate({ predict }, outcome);
}

describe('calibrate', () => {
  it('scores YES as 1, MAYBE as 0.5 and NO as 0 (Brier)', () => {
    // (1 − 1)² + (1 − 0)² + (0.5 − 1)² + (0 − 0)² = 1.25, over 4
    const { brier } = predicting(
      ['YES', 'detected'],
      ['YES', 'missed'],
      ['MAYBE', 'detected'],
      ['NO', 'missed'],
    );
    expect(brier).toMatchObject({ measured: true, value: 1.25 / 4, n: 4 });
  });

  it('gives for each answer how many were detected, with an interval', () => {
    const { groups } = predicting(
      ...Array.from({ length: 10 }, (_, i) => ['YES', i < 8 ? 'detected' : 'missed'] as const).map(
        ([a, b]) => [a, b] as [typeof a, Detection],
      ),
    );
    const [yes, maybe] = groups;
    // R prop.test(8, 10, correct = FALSE): 0.490 to 0.943
    expect(yes).toMatchObject({ prediction: 'YES', n: 10, detected: 8, share: { value: 0.8 } });
    expect(yes?.share.measured && yes.share.low).toBeCloseTo(0.4902, 4);
    expect(yes?.share.measured && yes.share.high).toBeCloseTo(0.9433, 4);
    expect(maybe).toMatchObject({ n: 0, share: { measured: false } });
  });

  it('leaves out "cannot tell" and undecided outcomes, and counts them', () => {
    const result = predicting(['CANNOT_TELL', 'detected'], ['YES', 'undecided'], ['NO', 'missed']);
    expect(result).toMatchObject({ cannotTell: 1, undecided: 1, brier: { value: 0, n: 1 } });
    expect(predicting(['CANNOT_TELL', 'missed']).brier).toEqual({
      measured: false,
      reason: 'no prediction can be held against an outcome',
    });
  });

  it('flags predictions that are wrong as a pattern, not a few wrong ones', () => {
    const wrong = (n: number) =>
      predicting(...Array.from({ length: n }, () => ['YES', 'missed'] as ['YES', 'missed']));
    expect(wrong(3).systematic).toEqual([]);
    // Wilson for 0 of 4 ends at 0.490
    expect(wrong(4).systematic).toEqual(['said YES to 4 errors of which 0 were detected']);
    const caught = predicting(...Array.from({ length: 5 }, () => ['NO', 'detected'] as ['NO', 'detected']));
    expect(caught.systematic).toEqual(['said NO to 5 errors of which 5 were detected']);
  });
});
