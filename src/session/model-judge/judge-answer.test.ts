import { describe, expect, it } from 'vitest';
import { readJudgeAnswer } from './judge-answer.ts';

const read = (answer: unknown, finish = 'stop') => readJudgeAnswer(JSON.stringify(answer), finish, 'a model');

describe('an answer of a judge', () => {
  it('is a rating with a reason, or says that it cannot tell', () => {
    expect(read({ verdict: '4', reason: 'Met,\nwith a gap.' })).toEqual({
      rating: 4,
      reason: 'Met, with a gap.',
    });
    expect(read({ verdict: 'cannot tell', reason: 'No answer is shown.' })).toEqual({
      reason: 'No answer is shown.',
    });
    expect(read({ verdict: '1', reason: 'x'.repeat(5000) }).reason).toHaveLength(301);
  });

  it('is not guessed when it is anything else', () => {
    for (const answer of [
      { verdict: '6', reason: '' },
      { verdict: 4, reason: '' },
      { verdict: '4' },
      'good',
    ]) {
      expect(() => read(answer)).toThrow(expect.objectContaining({ code: 'MODEL_ANSWER_UNUSABLE' }));
    }
    expect(() => read({ verdict: '4', reason: '' }, 'length')).toThrow(/cut off/);
  });
});
