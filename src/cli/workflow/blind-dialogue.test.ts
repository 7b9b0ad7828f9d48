import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { askAssessment, askMatching, askPrediction, type Dialogue, openDialogue } from './blind-dialogue.ts';

async function talk<Result>(lines: string[], ask: (dialogue: Dialogue) => Promise<Result>) {
  let said = '';
  const dialogue = openDialogue(Readable.from([lines.map((line) => `${line}\n`).join('')]), (text) => {
    said += text;
  });
  const answer = await ask(dialogue);
  dialogue.close();
  return { answer, said };
}

describe('the dialogue', () => {
  it('asks for error, evidence and confidence', async () => {
    const { answer } = await talk(['e', 'token leak', 'line 11', 'h'], (dialogue) =>
      askAssessment(dialogue, 'F1'),
    );
    expect(answer).toEqual({
      finding: 'F1',
      judgement: 'ERROR',
      error: 'token leak',
      evidence: 'line 11',
      confidence: 'HIGH',
    });
  });

  it('asks no more when somebody cannot tell', async () => {
    const one = await talk(['x'], (dialogue) => askAssessment(dialogue, 'F1'));
    expect(one.answer).toEqual({ finding: 'F1', judgement: 'CANNOT_TELL' });
    const other = await talk(['x'], (dialogue) => askPrediction(dialogue, 'E1'));
    expect(other.answer).toEqual({ error: 'E1', prediction: 'CANNOT_TELL' });
  });

  it('asks again when an answer is none of the choices, or empty', async () => {
    const { answer, said } = await talk(['perhaps', 'Y', '', 'easy to see'], (dialogue) =>
      askPrediction(dialogue, 'E1'),
    );
    expect(answer).toEqual({ error: 'E1', prediction: 'YES', why: 'easy to see' });
    expect(said).toContain('Please answer with one of y, m, n, x, q.');
    expect(said).toContain('Please write a few words.');
  });

  it('takes only errors that exist as a match', async () => {
    const { answer, said } = await talk(['p', 'E9', 'E1', 'same section'], (dialogue) =>
      askMatching(dialogue, 'F1', new Set(['E1'])),
    );
    expect(answer).toEqual({ finding: 'F1', match: 'P', error: 'E1', reason: 'same section' });
    expect(said).toContain('The ground truth has no error with that id');
  });

  it('stops at q and at the end of the input, without half an answer', async () => {
    expect((await talk(['q'], (dialogue) => askAssessment(dialogue, 'F1'))).answer).toBeUndefined();
    expect((await talk(['e', 'leak'], (dialogue) => askAssessment(dialogue, 'F1'))).answer).toBeUndefined();
    expect((await talk([], (dialogue) => askMatching(dialogue, 'F1', new Set()))).answer).toBeUndefined();
  });

  it('writes plain text: no cursor movements, no colours', async () => {
    const { said } = await talk(['f', 'taste'], (dialogue) => askMatching(dialogue, 'F1', new Set()));
    expect(said).not.toMatch(/[^\n\x20-\x7e]/);
  });
});
