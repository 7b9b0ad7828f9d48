import { describe, expect, it } from 'vitest';
import { readAnswer } from '../llm.ts';

const JSON_TEXT = JSON.stringify({ concepts: [{ label: 'yeast' }], relationships: [] }, null, 2);
const read = (text: string) => readAnswer(text, 'stop', 'compatible/m').concepts.map(({ label }) => label);

describe('the answer of a server that does not hold its model to the schema', () => {
  it.each([
    ['in a code fence', `\`\`\`json\n${JSON_TEXT}\n\`\`\``],
    ['in a fence without a language, between blank lines', `\n\`\`\`\n${JSON_TEXT}\n\`\`\`\n`],
    [
      'in a fence with Windows line ends',
      `\`\`\`JSON\r\n${JSON_TEXT.replaceAll('\n', '\r\n')}\r\n\`\`\`\r\n`,
    ],
    ['in a fence after a sentence', `Here it is:\n\n\`\`\`json\n${JSON_TEXT}\n\`\`\`\nAnything else?`],
    ['after the thoughts of the model', `<think>\nIs gas one? {"no": 1}\n</think>\n\n${JSON_TEXT}`],
    ['after its thoughts, in a fence', `<think></think>\n\`\`\`json\n${JSON_TEXT}\n\`\`\``],
    [
      'with null for what it does not have',
      '{"concepts":[{"label":"yeast","aliases":null,"sourceQuote":null,"confidence":null}],"relationships":null}',
    ],
  ])('is read %s', (_, text) => {
    expect(read(text)).toEqual(['yeast']);
  });

  it.each([
    ['prose without a fence', `Here it is:\n${JSON_TEXT}`],
    ['two blocks', `\`\`\`json\n${JSON_TEXT}\n\`\`\`\n\`\`\`json\n${JSON_TEXT}\n\`\`\``],
    ['a fence that is not closed', `\`\`\`json\n${JSON_TEXT}`],
    ['thoughts without an end', `<think>${JSON_TEXT}`],
    ['a fault inside the fence', '```json\n{"concepts": [,]}\n```'],
  ])('is not guessed at: %s', (_, text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code: 'MODEL_ANSWER_UNUSABLE' }));
  });

  it('keeps a concept with null for its name as a wrong one', () => {
    expect(readAnswer('{"concepts":[{"label":null}]}', 'stop', 'm').concepts).toEqual([
      { label: '(none)', flaw: expect.stringMatching(/^label: /) },
    ]);
  });
});
