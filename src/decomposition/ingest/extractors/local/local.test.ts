import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractionOutputSchema } from '../../output.ts';
import { LOCAL_VERSION, LONGEST_TEXT, localExtractor } from './local.ts';
import weights from './weights.json' with { type: 'json' };

const extractor = localExtractor();
const extract = (text: string) =>
  extractor.extract({ id: 'text', text, trial: 1 }, new AbortController().signal);
const example = (name: string) =>
  (JSON.parse(readFileSync(`golden/${name}.gold.json`, 'utf8')) as { sourceText: string }).sourceText;

const REEF = `Coral bleaching is the loss of the algae that live in coral tissue. Marine heatwaves cause coral bleaching.
Coral growth requires the algae, since they feed the coral. Coral bleaching precedes reef erosion, and reef erosion
leads to the loss of fish habitat. A marine protected area (MPA) is a form of ocean management. An MPA limits fishing.`;

describe('what it gives', () => {
  it('has the documented shape', async () => {
    const output = await extract(REEF);
    expect(extractionOutputSchema.parse(output)).toEqual(output);
    expect(output.concepts.map(({ label }) => label)).toEqual(
      expect.arrayContaining(['coral bleaching', 'marine heatwaves', 'reef erosion']),
    );
  });

  it('is the same, byte for byte, for the same text', async () => {
    const text = example('judicial-review');
    const first = JSON.stringify(await extract(text));
    expect(JSON.stringify(await extract(text))).toBe(first);
    expect(
      JSON.stringify(
        await localExtractor().extract({ id: 'other', text, trial: 2 }, new AbortController().signal),
      ),
    ).toBe(first);
  });

  it('gives a short form in parentheses as an alias, not as a second concept', async () => {
    const { concepts } = await extract(REEF);
    expect(concepts.find(({ label }) => label === 'marine protected area')?.aliases).toEqual(['MPA']);
    expect(concepts.map(({ label }) => label)).not.toContain('MPA');
  });

  it('ends every relationship at one of its concepts', async () => {
    const { concepts, relationships } = await extract(example('bullwhip-effect'));
    const labels = new Set(concepts.map(({ label }) => label));
    expect(relationships.length).toBeGreaterThan(0);
    for (const { source, target } of relationships) {
      expect(labels).toContain(source);
      expect(labels).toContain(target);
      expect(source).not.toBe(target);
    }
  });

  it('never gives more than 25 concepts, and no label twice', async () => {
    const { concepts } = await extract(`${example('judicial-review')}\n\n${example('bullwhip-effect')}`);
    expect(concepts.length).toBeLessThanOrEqual(25);
    expect(new Set(concepts.map(({ label }) => label)).size).toBe(concepts.length);
  });

  it('says its version, which changes with the weights', async () => {
    const hash = createHash('sha256').update(JSON.stringify(weights)).digest('hex').slice(0, 12);
    expect([LOCAL_VERSION, hash]).toEqual(['1.3', '324e4245237c']);
    expect((await extract(REEF)).model).toBe(`local ${LOCAL_VERSION}`);
  });

  it('stops before it starts when it was told to stop', async () => {
    const stopped = AbortSignal.abort();
    await expect(extractor.extract({ id: 'text', text: REEF, trial: 1 }, stopped)).rejects.toThrow();
  });
});

describe('names of concepts', () => {
  it.each([
    ['Torrential rain triggered landslides.', ['torrential rain', 'landslides']],
    ['The mountain road reopens.', ['mountain road']],
    [
      'Regular exercise lowers blood pressure and prevents heart disease.',
      ['blood pressure', 'heart disease'],
    ],
  ])('hold no verb of a clause in "%s"', async (text, expected) => {
    const labels = (await extract(text)).concepts.map(({ label }) => label);
    expect(labels).toEqual(expect.arrayContaining(expected));
    expect(labels.join(' ')).not.toMatch(/triggered|reopens|lowers|prevents/);
  });

  it('hold no marks of Markdown, and their quotes stand in the text as given', async () => {
    const text =
      '# The soil\n\n- **Soil erosion** causes\n  *crop failure*\n- The wind is a driver of [soil erosion](https://a.example)\n';
    const { concepts, relationships } = await extract(text);
    expect(concepts.map(({ label }) => label)).toEqual(
      expect.arrayContaining(['soil erosion', 'crop failure']),
    );
    for (const { label } of concepts) expect(label).toMatch(/^[\w ]+$/);
    for (const { sourceQuote = '' } of [...concepts, ...relationships]) expect(text).toContain(sourceQuote);
    expect(relationships).toContainEqual(
      expect.objectContaining({ source: 'soil erosion', predicate: 'CAUSES', target: 'crop failure' }),
    );
  });
});

describe('quotes', () => {
  const words = fc.constantFrom(
    ...[
      'soil erosion',
      'causes',
      'requires',
      'the',
      'river',
      'is a form of',
      'and',
      ',',
      '.',
      '\n\n',
      '(',
      ')',
      'é',
      '\u0007',
      'Water',
      'NASA',
      '"',
      '—',
      '3.5',
      "'s",
    ],
  );

  it('are verbatim, and so is every label apart from its first letter and spacing', async () => {
    const sentences = fc.array(words, { maxLength: 60 }).map((list) => list.join(' '));
    await fc.assert(
      fc.asyncProperty(sentences, async (text) => {
        const { concepts, relationships } = await extract(text);
        const plain = text.toLowerCase().replaceAll(/[\s\p{Cc}]+/gu, ' ');
        for (const { label, sourceQuote = '' } of concepts) {
          expect(text).toContain(sourceQuote);
          expect(plain).toContain(label.toLowerCase());
        }
        for (const { sourceQuote = '' } of relationships) expect(text).toContain(sourceQuote);
      }),
      { numRuns: 150 },
    );
  });

  it('are the sentence that names the concept', async () => {
    const { concepts } = await extract(REEF);
    const heat = concepts.find(({ label }) => label === 'marine heatwaves');
    expect(heat?.sourceQuote).toBe('Marine heatwaves cause coral bleaching.');
  });

  it('stay short in a text without sentence ends', async () => {
    const { concepts } = await extract(
      'river erosion feeds the delta and the delta holds the sediment '.repeat(200),
    );
    expect(concepts.length).toBeGreaterThan(0);
    for (const { sourceQuote = '' } of concepts) expect(sourceQuote.length).toBeLessThanOrEqual(1000);
  });
});

describe('texts it cannot decompose', () => {
  it.each([
    ['nothing', ''],
    ['white space', ' \n\t '],
    ['control characters', '\u0000\u0001\u0002'],
    ['punctuation', '?!… — ()'],
    [
      'German',
      'Die Erosion ist der Abtrag von Boden, der durch Wasser und Wind verursacht wird und die Ernte mindert.',
    ],
    [
      'French',
      'L’érosion est la perte du sol qui est causée par l’eau et par le vent et qui réduit les récoltes.',
    ],
    [
      'Spanish',
      'La erosión es la pérdida del suelo que causan el agua y el viento y que reduce las cosechas.',
    ],
    ['Japanese', '侵食とは水や風によって土壌が失われる過程であり、収穫を減らす。'],
    ['no prose', 'id,name,value 1,foo,3 2,bar,4 3,baz,5 alpha beta gamma delta epsilon zeta eta theta'],
  ])('says nothing about %s', async (_, text) => {
    expect(await extract(text)).toMatchObject({ concepts: [], relationships: [] });
  });

  it.each([
    ['prose', `${REEF} `],
    ['one word', 'a'],
    ['a sentence without end', 'river erosion feeds the delta and the delta holds the sediment '],
    ['brackets', '( [ '],
    ['lines', 'word\n\n'],
    ['dots', '.'],
    ['cells', '| a '],
    ['items', '- word\n'],
    ['links', '[word](word) '],
    ['fences', '```\n'],
    ['denials', 'rain does not cause floods, and no evidence shows that '],
  ])('reads the beginning of a megabyte of %s, and says so', async (_, part) => {
    const text = part.repeat(Math.ceil(1_000_000 / part.length));
    const { model } = await extract(text);
    expect(model).toMatch(`first ${LONGEST_TEXT} of ${text.length} characters`);
  });
});
