import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AnswerStep, readAnswers } from './answers.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-answers-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function read(step: AnswerStep, content: unknown) {
  const path = join(folder, 'answers.json');
  writeFileSync(path, JSON.stringify(content));
  return readAnswers(step, path);
}

const sure = { finding: 'F1', judgement: 'ERROR', error: 'leak', evidence: 'line 3', confidence: 'HIGH' };

describe('answers in a file', () => {
  it('stand in a list, or in an object that names them', () => {
    expect(read('assess', [sure])).toEqual([sure]);
    expect(read('assess', { assessments: [sure] })).toEqual([sure]);
    expect(read('predict', { predictions: [] })).toEqual([]);
  });

  it('may say "cannot tell" in every step without giving a reason they do not have', () => {
    expect(read('assess', [{ finding: 'F1', judgement: 'CANNOT_TELL' }])).toHaveLength(1);
    expect(read('predict', [{ error: 'E1', prediction: 'CANNOT_TELL' }])).toHaveLength(1);
    expect(read('match', [{ finding: 'F1', match: 'UNRESOLVED', reason: 'no access' }])).toHaveLength(1);
  });

  it.each([
    ['assess', [{ ...sure, evidence: ' ' }], 'assessments[0].evidence: must not be empty'],
    ['assess', [{ ...sure, confidence: 'SURE' }], 'assessments[0].confidence'],
    ['assess', [{ ...sure, judgement: 'BAD' }], 'assessments[0].judgement'],
    ['assess', [sure, sure], 'finding "F1" is answered twice'],
    ['assess', { answers: [] }, 'expected a list of assessments'],
    ['predict', [{ error: 'E1', prediction: 'YES' }], 'predictions[0].why'],
    ['predict', [{ error: 'E1', prediction: 'PERHAPS', why: 'x' }], 'predictions[0].prediction'],
    ['match', [{ finding: 'F1', match: 'Y', reason: 'x' }], 'matches[0].error: Y and P name the error'],
    [
      'match',
      [{ finding: 'F1', match: 'FALSE', error: 'E1', reason: 'x' }],
      'only Y, P and DUPLICATE name an error',
    ],
    ['match', [{ finding: 'F1', match: 'FALSE' }], 'matches[0].reason'],
    ['match', [{ finding: 'F1', match: 'FALSE', reason: 'x', extra: 1 }], 'matches[0]'],
  ] as const)('are refused with their place: %s %j', (step, content, message) => {
    expect(() => read(step, content)).toThrow(
      expect.objectContaining({ code: 'INPUT_INVALID', message: expect.stringContaining(message) }),
    );
  });
});
