import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GoldenCase } from '../ingest/golden-case.ts';
import type { ExtractionOutput } from '../ingest/output.ts';
import { matchTrial } from './match-trial.ts';

const golden: GoldenCase = {
  id: 'learning',
  topic: 'Learning',
  domain: 'technical',
  version: '1.0',
  created: '2026-11-15',
  sourceText: 'Machine learning requires training data.',
  expectedConcepts: [
    { label: 'Machine Learning', aliases: ['statistical learning'], required: true },
    { label: 'training data', aliases: [], required: true },
    { label: 'labels', aliases: ['annotations'], required: false },
  ],
  expectedRelationships: [
    { source: 'Machine Learning', target: 'training data', predicate: 'REQUIRES', required: true },
    { source: 'training data', target: 'labels', predicate: 'RELATES_TO', required: true },
  ],
  forbiddenConcepts: ['Neural Osmosis Learning', 'Q-L'],
  forbiddenRelationships: [{ source: 'labels', target: 'statistical learning', predicate: 'CAUSES' }],
};

type Edge = GoldenCase['forbiddenRelationships'][number];
const edge = (source: string, predicate: Edge['predicate'], target: string): Edge => ({
  source,
  predicate,
  target,
});
const output = (labels: readonly string[], relationships: Edge[] = []): ExtractionOutput => ({
  concepts: labels.map((label) => ({ label })),
  relationships,
});
const levels = async (...labels: string[]) =>
  (await matchTrial(golden, output(labels))).concepts.map(
    (concept) => concept.match?.level ?? (concept.canary ? 'canary' : '–'),
  );

describe('matching concepts', () => {
  it('knows exact, normalised, alias and acronym matches, and keeps the level', async () => {
    expect(
      await levels(
        'Machine Learning',
        'TRAINING-DATA',
        'Annotation',
        'gradient descent',
        'statistical learning',
      ),
    ).toEqual(['exact', 'normalised', 'alias', '–', 'alias']);
    expect(await levels('ML', 'Training data (TD)')).toEqual(['acronym', 'normalised']);
  });

  it('never takes the word of an output for what its concepts are called besides', async () => {
    const { concepts, relationships } = await matchTrial(golden, {
      concepts: [
        { label: 'junk', aliases: ['Labels', 'Machine Learning', 'ML'] },
        { label: 'rubbish', aliases: ['training data'] },
      ],
      relationships: [edge('Machine Learning', 'REQUIRES', 'training data')],
    });
    expect(concepts.map(({ match }) => match)).toEqual([undefined, undefined]);
    expect(relationships[0]?.correct).toBeUndefined();
  });

  it('turns a name around its "of" as another spelling, and two nouns never', async () => {
    const rates: GoldenCase = {
      ...golden,
      expectedConcepts: [
        { label: 'inflation rate', aliases: [], required: true },
        { label: 'income tax', aliases: ['levy of the state'], required: true },
      ],
      expectedRelationships: [],
      forbiddenRelationships: [],
    };
    const found = async (...labels: string[]) =>
      (await matchTrial(rates, output(labels))).concepts.map(({ match }) => match?.level);
    expect(await found('rate of inflation', 'state levy', 'tax income')).toEqual([
      'normalised',
      'alias',
      undefined,
    ]);
  });

  it('takes an acronym for what the text writes it out as', async () => {
    const withAcronym: GoldenCase = {
      ...golden,
      sourceText: 'Audits of artificial intelligence (AI) look for adverse impact and annual income.',
      expectedConcepts: [
        { label: 'adverse impact', aliases: [], required: true },
        { label: 'artificial intelligence', aliases: [], required: true },
      ],
      expectedRelationships: [],
      forbiddenRelationships: [],
    };
    const { concepts } = await matchTrial(withAcronym, output(['AI']));
    expect(concepts[0]?.match).toEqual({ expected: 'artificial intelligence', level: 'acronym' });
    const untold = { ...withAcronym, expectedConcepts: withAcronym.expectedConcepts.slice(0, 1) };
    expect((await matchTrial(untold, output(['AI']))).concepts[0]?.match).toBeUndefined();
  });

  it('finds an expected concept once, credits the strictest match, and calls the others duplicates', async () => {
    const { expected, concepts } = await matchTrial(
      golden,
      output(['ML', 'statistical learning', 'machine learning', 'Machine Learning']),
    );
    expect(expected.map(({ found }) => found)).toEqual(['exact', undefined, undefined]);
    expect(concepts.map(({ match }) => [match?.level, match?.duplicate ?? false])).toEqual([
      ['acronym', true],
      ['alias', true],
      ['normalised', true],
      ['exact', false],
    ]);
  });

  it('prefers the label of one expected concept to the alias of another, in a repeat too', async () => {
    const rivals: GoldenCase = {
      ...golden,
      expectedConcepts: [
        { label: 'corpus', aliases: ['training data'], required: true },
        { label: 'training data', aliases: [], required: true },
      ],
    };
    const matches = async (...labels: string[]) =>
      (await matchTrial(rivals, output(labels))).concepts.map(({ match }) => [match?.expected, match?.level]);
    expect(await matches('Training-Data')).toEqual([['training data', 'normalised']]);
    expect((await matches('corpus', 'training data', 'Training-Data'))[2]).toEqual([
      'training data',
      'normalised',
    ]);
  });

  it('assigns so that most are found, whoever comes first', async () => {
    // "mercury" may be either; "Hg" only the metal. Taking the first that fits would leave the planet unfound.
    const two: GoldenCase = {
      ...golden,
      expectedConcepts: [
        { label: 'metal', aliases: ['mercury', 'Hg'], required: true },
        { label: 'planet', aliases: ['mercury'], required: true },
      ],
      expectedRelationships: [],
    };
    for (const labels of [
      ['mercury', 'Hg'],
      ['Hg', 'mercury'],
    ]) {
      const { expected } = await matchTrial(two, output(labels));
      expect(expected.every(({ found }) => found === 'alias')).toBe(true);
    }
  });

  it('never lets a canary count as correct, whatever its spelling', async () => {
    const disguised = [
      'neural osmosis learnings',
      'q l',
      'Neur\u200bal Osmosis Learning',
      'Nеural Оsmosis Lеarning', // Cyrillic е and О
      'Νeural Osmosis Learning', // Greek Ν
      'Neu\u00adral Osmosis Learning',
      'N\u0301eural Osmosis Learning',
      'the Neural Osmosis Learning',
      'Neural Osmosis Learning (NOL)',
      'NOL [neural osmosis learning]',
      'An neural-osmosis learning (a method)',
      'A Neural Osmosis Learning',
      'the "Neural Osmosis Learning"',
      '**Neural Osmosis Learning**',
      '<Neural Osmosis Learning>',
      'Neural Osmosis Learning\u2122',
      'Neural Osmosis Learning, NOL',
      'NOL: Neural Osmosis Learning',
      'Neural Osmosis Learning \u2014 NOL',
      'Neural Osmosis Learning / NOL',
      'Neural Osmosis Learning NOL',
      'so-called Neural Osmosis Learning',
      'this Neural Osmosis Learning',
      'NeuralOsmosisLearning',
    ];
    expect(await levels(...disguised)).toEqual(disguised.map(() => 'canary'));
  });

  it.each([
    ['as it is', (name: string) => name],
    ['in capitals', (name: string) => name.toUpperCase()],
    ['with an article', (name: string) => `the ${name}`],
    ['with an acronym', (name: string) => `${name} (${name.replace(/(\w)\w*\s?/g, '$1').toUpperCase()})`],
    ['explained in brackets', (name: string) => `${name} (a kind of learning)`],
    ['in brackets', (name: string) => `what is called (${name})`],
    ['in quotation marks', (name: string) => `“${name}”`],
    ['with hyphens', (name: string) => name.replaceAll(' ', '-')],
    ['in one word', (name: string) => name.replaceAll(' ', '')],
    [
      'turned round',
      (name: string) => `${name.split(' ').at(-1)} of ${name.split(' ').slice(0, -1).join(' ')}`,
    ],
    ['in look-alike letters', (name: string) => name.replaceAll('a', 'а').replaceAll('o', 'о')],
    ['with characters that nobody sees', (name: string) => name.split('').join('\u200b')],
    ['behind a dash', (name: string) => `Chapter 2 – ${name}`],
    ['with another word', (name: string) => `${name} method`],
    ['among the aliases of an output', () => 'something'],
  ])('recognises an expected concept and a canary alike: %s', async (_, change) => {
    const names = ['gradient boosting machine', 'neural osmosis learning'];
    for (const [expected = '', canary = ''] of [names, names.toReversed()]) {
      const one: GoldenCase = {
        ...golden,
        expectedConcepts: [{ label: expected, aliases: [], required: true }],
        expectedRelationships: [],
        forbiddenConcepts: [canary],
        forbiddenRelationships: [],
      };
      const seen = async (name: string) => {
        const { concepts } = await matchTrial(one, {
          concepts: [{ label: change(name), aliases: [name] }],
          relationships: [],
        });
        return [concepts[0]?.match?.level !== undefined, concepts[0]?.canary !== undefined];
      };
      const [asExpected, asCanary] = [await seen(expected), await seen(canary)];
      expect([asExpected[1], asCanary[0]]).toEqual([false, false]);
      expect(asExpected[0]).toBe(asCanary[1]);
    }
  });
});

describe('matching relationships', () => {
  const check = async (...edges: Edge[]) => {
    const ends = [...new Set(edges.flatMap(({ source, target }) => [source, target]))];
    return (await matchTrial(golden, output(ends, edges))).relationships;
  };
  const correct = async (source: string, predicate: Edge['predicate'], target: string) =>
    (await check(edge(source, predicate, target))).map((one) => one.correct);

  it('resolves the ends like concepts, and is as loose as the looser of them', async () => {
    expect(await correct('Machine Learning', 'REQUIRES', 'training data')).toEqual(['exact']);
    expect(await correct('Statistical Learning', 'REQUIRES', 'Training Data')).toEqual(['alias']);
    expect(await correct('ML', 'REQUIRES', 'Training Data')).toEqual(['acronym']);
    expect(await correct('Machine Learning', 'REQUIRES', 'Training Data')).toEqual(['normalised']);
  });

  it('minds the direction and the predicate', async () => {
    expect(await correct('training data', 'REQUIRES', 'Machine Learning')).toEqual([undefined]);
    expect(await correct('Machine Learning', 'CAUSES', 'training data')).toEqual([undefined]);
  });

  it('reads RELATES_TO both ways', async () => {
    expect(await correct('labels', 'RELATES_TO', 'training data')).toEqual(['exact']);
    expect(await correct('training data', 'RELATES_TO', 'labels')).toEqual(['exact']);
  });

  it('counts every extracted relationship that is right, and finds an expected one once, at its strictest', async () => {
    const loose = edge('statistical learning', 'REQUIRES', 'training data');
    const strict = edge('Machine Learning', 'REQUIRES', 'training data');
    const ends = ['statistical learning', 'Machine Learning', 'training data'];
    const both = await matchTrial(golden, output(ends, [loose, strict, strict]));
    expect(both.relationships.map((one) => one.correct)).toEqual(['alias', 'exact', 'exact']);
    expect(both.expectedRelationships.map(({ found }) => found)).toEqual(['exact', undefined]);
    expect(both.relationships.map(({ duplicate }) => duplicate ?? false)).toEqual([true, false, true]);
    const turned = await matchTrial(golden, output(ends, [strict, loose]));
    expect(turned.expectedRelationships.map(({ found }) => found)).toEqual(['exact', undefined]);
    const { expectedRelationships } = await matchTrial(
      golden,
      output(['statistical learning', 'training data'], [loose]),
    );
    expect(expectedRelationships.map(({ found }) => found)).toEqual(['alias', undefined]);
  });

  it('takes an end for the concept with that label, not for another with that alias', async () => {
    const { relationships } = await matchTrial(golden, {
      concepts: [
        { label: 'statistical learning' },
        { label: 'training data', aliases: ['statistical learning'] },
      ],
      relationships: [edge('statistical learning', 'REQUIRES', 'training data')],
    });
    expect(relationships[0]?.correct).toBe('alias');
  });

  it('never lets a canary stand in for a concept', async () => {
    const [first, ...rest] = golden.expectedConcepts;
    if (first === undefined) throw new Error('unreachable');
    const trap = {
      ...golden,
      expectedConcepts: [{ ...first, aliases: ['ML', 'M-L'] }, ...rest],
      forbiddenConcepts: ['M L'],
    };
    const { relationships } = await matchTrial(
      trap,
      output(['m l', 'M-L', 'training data'], [edge('m l', 'REQUIRES', 'training data')]),
    );
    expect(relationships[0]?.correct).toBeUndefined();
  });

  it('keeps what is flawed as wrong, and nothing else with it', async () => {
    const { concepts, expected, relationships } = await matchTrial(golden, {
      concepts: [
        { label: 'Machine Learning', flaw: 'confidence: too big' },
        { label: 'training data' },
        { label: 'Q L', flaw: 'confidence: too big' },
      ],
      relationships: [
        edge('Machine Learning', 'REQUIRES', 'training data'),
        { ...edge('Machine Learning', 'REQUIRES', 'training data'), predicate: 'NEEDS' },
        edge('training data', 'IS_A', 'nothing of the kind'),
        { ...edge('labels', 'RELATES_TO', 'training data'), flaw: 'confidence: too big' },
      ],
    });
    expect(concepts.map(({ match, canary }) => match?.level ?? canary)).toEqual([undefined, 'exact', 'Q-L']);
    expect(expected.map(({ found }) => found)).toEqual([undefined, 'exact', undefined]);
    expect(relationships.map(({ correct, flaw }) => [correct, flaw])).toEqual([
      ['exact', undefined],
      [undefined, 'predicate: "NEEDS" is no predicate'],
      [undefined, 'target: "nothing of the kind" is not among the extracted concepts'],
      [undefined, 'confidence: too big'],
    ]);
  });

  it('flags a forbidden one under any name of its ends, and never calls it correct', async () => {
    const flags = async (one: Edge) => (await check(one)).map(({ forbidden }) => forbidden ?? false);
    expect(await flags(edge('Annotations', 'CAUSES', 'machine-learning'))).toEqual([true]);
    expect(await flags(edge('machine learning', 'CAUSES', 'labels'))).toEqual([false]);
    expect(await flags(edge('labels', 'REQUIRES', 'machine learning'))).toEqual([false]);
    const both: GoldenCase = {
      ...golden,
      forbiddenRelationships: [edge('training data', 'RELATES_TO', 'labels')],
    };
    const { relationships } = await matchTrial(
      both,
      output(['labels', 'training data'], [edge('labels', 'RELATES_TO', 'training data')]),
    );
    expect(relationships).toMatchObject([{ forbidden: true }]);
    expect(relationships[0]?.correct).toBeUndefined();
  });
});

const NAMES = [
  'Machine Learning',
  'machine learning',
  'statistical learning',
  'ML',
  'training data',
  'Training-Data',
  'labels',
  'annotation',
  'gradient descent',
  'Q L',
  'neural osmosis learning',
];
const someLabels = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 12 });
const ambiguous: GoldenCase = {
  ...golden,
  expectedConcepts: [
    { label: 'Machine Learning', aliases: ['labels', 'gradient descent'], required: true },
    { label: 'training data', aliases: ['ML', 'annotation', 'gradient descent'], required: false },
    { label: 'annotations', aliases: ['ML', 'training data'], required: true },
  ],
};

describe('whatever the output', () => {
  const numbers = async (one: GoldenCase, labels: readonly string[], edges: Edge[]) => {
    const trial = await matchTrial(one, output(labels, edges));
    return {
      found: trial.expected,
      matches: trial.concepts.filter(({ match }) => match).length,
      duplicates: trial.concepts.filter(({ match }) => match?.duplicate).length,
      canaries: trial.concepts.filter(({ canary }) => canary).length,
      correct: trial.relationships.flatMap((edge) => edge.correct ?? []).sort(),
      foundEdges: trial.expectedRelationships,
    };
  };
  const someEdges = (labels: readonly string[]) =>
    fc.array(
      fc.record({
        source: fc.constantFrom(...labels),
        target: fc.constantFrom(...labels),
        predicate: fc.constantFrom<Edge['predicate']>('REQUIRES', 'RELATES_TO'),
      }),
      { maxLength: 8 },
    );

  it('permuting it changes no number', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(golden, ambiguous),
        someLabels.chain((labels) => fc.tuple(fc.constant(labels), someEdges(labels))),
        fc.infiniteStream(fc.nat()),
        async (one, [labels, edges], dice) => {
          const shuffle = <T>(items: readonly T[]) =>
            items
              .map((item) => ({ item, key: dice.next().value ?? 0 }))
              .sort((a, b) => a.key - b.key)
              .map(({ item }) => item);
          expect(await numbers(one, shuffle(labels), shuffle(edges))).toEqual(
            await numbers(one, labels, edges),
          );
        },
      ),
    );
  });

  it('one more correct concept never lowers recall', async () => {
    const expectedNames = ambiguous.expectedConcepts.flatMap(({ label, aliases }) => [label, ...aliases]);
    await fc.assert(
      fc.asyncProperty(someLabels, fc.constantFrom(...expectedNames), async (labels, more) => {
        const recall = async (some: readonly string[]) =>
          (await matchTrial(ambiguous, output(some))).expected.filter(({ found }) => found).length;
        expect(await recall([...labels, more])).toBeGreaterThanOrEqual(await recall(labels));
      }),
    );
  });
});

it('reads each golden label a few times, not once for every extracted one', async () => {
  let reads = 0;
  const names = Array.from({ length: 1000 }, (_, i) => `concept-number ${i}`);
  const large: GoldenCase = {
    ...golden,
    expectedConcepts: names.map((label) => ({
      aliases: [`${label} alias`],
      required: true,
      get label() {
        reads++;
        return label;
      },
    })),
    expectedRelationships: names
      .slice(1)
      .map((source, i) => ({ source, target: names[i] ?? '', predicate: 'IS_A', required: true })),
    forbiddenConcepts: names.map((label) => `not ${label}`),
  };
  const labels = names.map((label) => `${label} ALIAS`);
  const extracted = output(
    labels,
    labels.slice(1).map((source, i) => edge(source, 'IS_A', labels[i] ?? '')),
  );
  const { concepts, relationships } = await matchTrial(large, extracted);
  // A comparison of each with each reads a million.
  expect(reads).toBeLessThan(20 * names.length);
  expect(concepts.every((concept) => concept.match?.level === 'alias')).toBe(true);
  expect(relationships.every((one) => one.correct === 'alias')).toBe(true);
});
