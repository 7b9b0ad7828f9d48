import { describe, expect, it } from 'vitest';
import { checklist } from './checklist.ts';
import { conclusionsOn } from './conclusions.ts';
import { findingsFor, outputOf } from './testing/sample.ts';

/** Questions that no program can answer: about the prompt, the model and the golden case. */
const JUDGEMENTS = [
  'Is the prompt instruction too narrow/restrictive?',
  'Would a few-shot example help?',
  'Is the prompt instruction too permissive?',
  'Is the model temperature too high?',
  'Are predicate definitions clear enough in the prompt?',
  'Would predicate examples help?',
  'Is the prompt instruction for quoting clear?',
  'Is the expected concept set too strict/lenient?',
  'Are concept aliases comprehensive enough?',
  'Is the source text ambiguous?',
  'Should the golden case be updated?',
];

const BROKEN = outputOf(
  ['coastal wetland', 'wetland', 'salinity memory', 'tidal marsh', 'mud', 'ocean mining'],
  ['tidal-marsh CAUSES coastal-wetland', 'coastal-wetland IS_A tidal-marsh'],
);

describe('the checklist', () => {
  it('answers every question of sections 6.1 to 6.5, judgements as suggestions and facts not', async () => {
    const answers = checklist(await findingsFor([BROKEN]));
    expect(answers.map(({ section }) => section)).toEqual(
      ['6.1', '6.2', '6.3', '6.4', '6.5'].flatMap((section, i) => Array(i < 3 ? 5 : 4).fill(section)),
    );
    expect(answers.filter(({ suggested }) => suggested).map(({ question }) => question)).toEqual(JUDGEMENTS);
    for (const { answer, suggested } of answers) expect(answer.startsWith('Suggestion: ')).toBe(suggested);
  });

  it('answers from the evidence', async () => {
    const answers = Object.fromEntries(
      checklist(await findingsFor([BROKEN])).map(({ question, answer }) => [question, answer]),
    );
    expect(answers['Which specific concepts were missed?']).toBe(
      'halophytes, sediment trapping, marsh restoration.',
    );
    expect(answers['Are the missed concepts mentioned explicitly in the source text?']).toBe(
      '2 of 3 are, some under another name: halophytes as "salt-tolerant grasses".',
    );
    expect(answers['Do they appear in the forbidden list (intentional canaries)?']).toBe(
      '1 of 4: salinity memory.',
    );
    expect(answers['Was the source/target correct but predicate wrong?']).toBe(
      'In 1 of 2; most often CAUSES instead of IS_A (1).',
    );
    expect(answers['Is the relationship directionally reversed?']).toBe('1 of 2 are.');
    expect(answers['Is the model temperature too high?']).toContain('one run cannot tell');
  });

  it('counts each wrong relationship with one fault, and each only once', async () => {
    // Reversed, the same again, reversed with another predicate, and another predicate alone.
    const output = outputOf(
      ['coastal wetland', 'tidal marsh'],
      [
        'coastal-wetland IS_A tidal-marsh',
        'coastal-wetland IS_A tidal-marsh',
        'coastal-wetland CAUSES tidal-marsh',
        'tidal-marsh CAUSES coastal-wetland',
      ],
    );
    const findings = await findingsFor([output]);
    const answers = Object.fromEntries(checklist(findings).map(({ question, answer }) => [question, answer]));
    expect(answers['Was the source/target correct but predicate wrong?']).toMatch(/^In 1 of 3;/);
    expect(answers['Is the relationship directionally reversed?']).toBe('2 of 3 are.');
    expect(answers['Would predicate examples help?']).toMatch(/may help with 3 of 3\.$/);
    expect(conclusionsOn(findings).symptoms.join(' ')).toContain('3 of 3 extracted relationships wrong');
  });

  it('breaks unverified quotes down into as many as there are', async () => {
    const { concepts, relationships } = outputOf(['coastal wetland', 'tidal marsh', 'mud']);
    const [one, two, three] = concepts;
    if (!one || !two || !three) throw new Error('unreachable');
    const { sourceQuote: _, ...unquoted } = three;
    const broken = {
      concepts: [
        { ...one, sourceQuote: 'too short' },
        { ...two, sourceQuote: 'words from elsewhere altogether' },
        unquoted,
      ],
      relationships,
    };
    const answers = Object.fromEntries(
      checklist(await findingsFor([broken])).map(({ question, answer }) => [question, answer]),
    );
    expect(answers['Is the prompt instruction for quoting clear?']).toMatch(
      /2 quotes are not verified \((too short 1, not from the text 1|not from the text 1, too short 1)\)/,
    );
    expect(answers['Is the model truncating or paraphrasing quotes?']).toMatch(
      /^Neither\. The others: (too short 1, not from the text 1|not from the text 1, too short 1)\.$/,
    );
  });

  it('tells inventions that change from run to run from those that stay', async () => {
    const temperature = async (...labels: string[][]) =>
      checklist(await findingsFor(labels.map((some) => outputOf(some)))).find(({ question }) =>
        question.includes('temperature'),
      )?.answer;
    expect(await temperature(['ocean mining'], ['lunar crops'])).toContain('the temperature may be too high');
    expect(await temperature(['ocean mining'], ['ocean mining', 'water'])).toContain('prompt or the model');
    expect(await temperature(['ocean mining'], ['ocean mining'])).toContain('same output');
  });
});

describe('the conclusions', () => {
  it('propose only suggestions, and nothing where nothing is wrong', async () => {
    const { rootCause, proposedFix, symptoms } = conclusionsOn(await findingsFor([BROKEN]));
    expect(symptoms[0]).toBe('3 of 5 expected concepts missed.');
    expect(rootCause.join(' ')).toContain('reversed 1');
    expect(proposedFix.length).toBeGreaterThan(3);
    for (const fix of proposedFix) expect(fix).toMatch(/^Suggestion: /);
  });

  it('call an instruction narrow only when little is extracted', async () => {
    const few = conclusionsOn(await findingsFor([outputOf(['tidal marsh'])]));
    expect(few.rootCause.join(' ')).toContain('may be too narrow');
    const others = conclusionsOn(await findingsFor([outputOf(['tidal marsh', 'a', 'b', 'c', 'd'])]));
    expect(others.rootCause.join(' ')).toContain('may choose others rather than too few');
  });
});
