import { describe, expect, it } from 'vitest';
import { type Opinion, ratedRequests, raterAgreement } from './opinions.ts';

const said = (author: string, kind: string, subjectId: string, rating: number): Opinion => ({
  author,
  kind,
  subjectId,
  rating,
});

describe('what raters say of a request', () => {
  it('is the mean of their last words: accepted, right of what it has, right of what it should have', () => {
    const one = ratedRequests(
      [
        said('ada', 'decomposition', 'a', 1),
        said('ada', 'decomposition-concept', 'a#Rain', 0),
        said('ada', 'decomposition-fabrication', 'a#Rain', 1),
        said('ada', 'decomposition-missing', 'a', 2),
        said('ada', 'decomposition-missing', 'a#River', 1),
        said('ada', 'decomposition-missing', 'a#Sea', 1),
        said('bob', 'decomposition', 'a', 0),
        said('bob', 'decomposition-missing', 'a', 0),
      ],
      () => 10,
    ).get('a');
    // Ada: 9 of 10 right, 9 of 11 found. Bob: 10 of 10, and nothing is missing.
    expect(one).toEqual({
      raters: [1, 0],
      acceptable: 0.5,
      fabricated: { concepts: 10, fabricated: 0.5 },
      precision: { right: 9.5, of: 10 },
      recall: { right: 9.5, of: 10.5 },
    });
  });

  it('measures no recall where nobody looked for what is missing', () => {
    const one = ratedRequests([said('ada', 'decomposition', 'a', 1)], () => 10).get('a');
    expect(one).toMatchObject({ acceptable: 1, precision: undefined, recall: undefined });
  });
});

describe('raterAgreement', () => {
  it('is Krippendorff’s alpha over requests with several raters', () => {
    const agreed = [[1, 1], [0, 0], [1, 1], [0, 0], [1]].map((raters) => ({ raters }));
    expect(raterAgreement(agreed)).toMatchObject({ measured: true, value: 1, n: 4 });
    // Of 8 labels 4 are 1. Disagreement seen: 2 of 4 pairs; by chance 2 · 4 · 4 / (8 · 7). 1 − 0.5 / 0.5714.
    const split = [
      [1, 1],
      [0, 0],
      [1, 0],
      [0, 1],
    ].map((raters) => ({ raters }));
    expect(raterAgreement(split)).toMatchObject({ value: expect.closeTo(0.125, 10), n: 4 });
  });

  it('is unmeasured with one rater, or where every rating is the same', () => {
    expect(raterAgreement([{ raters: [1] }]).measured).toBe(false);
    expect(raterAgreement([{ raters: [1, 1] }]).measured).toBe(false);
  });
});
