import { describe, expect, it } from 'vitest';
import { GOLDEN_RULES } from '../golden-rules.ts';
import type { GoldenCase } from '../ingest/golden-case.ts';
import { lintCase } from './lint-case.ts';
import { lintSuite } from './lint-suite.ts';

const NAMES = Array.from({ length: 16 }, (_, i) => `concept number ${i}`);
const PREDICATES = ['IS_A', 'CAUSES', 'PRECEDES', 'REQUIRES', 'RELATES_TO'] as const;

/** A case that keeps every rule, so that each test can break exactly one. */
function soundCase(): GoldenCase {
  const padding = 'and this sentence says nothing of interest at all '.repeat(34);
  const edges = NAMES.slice(0, 15).flatMap((source, i) => [
    { source, target: NAMES[i + 1] ?? '', predicate: PREDICATES[i % 5] ?? 'IS_A' },
    { source, target: NAMES[i + 1] ?? '', predicate: PREDICATES[(i + 1) % 5] ?? 'IS_A' },
  ]);
  return {
    id: 'sound',
    topic: 'Soundness',
    domain: 'technical',
    version: '1.0',
    created: '2026-11-15',
    sourceText: `${NAMES.join(', ')}.\n\n${padding}.`,
    expectedConcepts: NAMES.map((label, i) => ({
      label,
      aliases: i < 3 ? [`alias ${i}`] : [],
      required: i < 10,
    })),
    expectedRelationships: edges.map((edge) => ({ ...edge, required: true, evidence: edge.source })),
    forbiddenConcepts: ['number theory', 'interest law', 'concept map', 'interest rate', 'interest group'],
    forbiddenRelationships: [0, 1, 2].map((i) => ({
      source: NAMES[i + 8] ?? '',
      target: NAMES[i] ?? '',
      predicate: 'CAUSES' as const,
    })),
  };
}

const rulesBroken = (change: (golden: GoldenCase) => GoldenCase) => [
  ...new Set(lintCase(change(soundCase())).map((finding) => finding.rule)),
];

describe('a golden case', () => {
  it('that keeps every rule has no findings', () => {
    expect(lintCase(soundCase())).toEqual([]);
  });

  it.each<[string, (golden: GoldenCase) => GoldenCase]>([
    [
      'relationships (3.4)',
      (one) => ({ ...one, expectedRelationships: one.expectedRelationships.slice(0, 29) }),
    ],
    ['canaries (3.5)', (one) => ({ ...one, forbiddenConcepts: one.forbiddenConcepts.slice(0, 4) })],
    [
      'forbidden relationships (3.5)',
      (one) => ({ ...one, forbiddenRelationships: one.forbiddenRelationships.slice(0, 2) }),
    ],
    ['length of the text (3.6)', (one) => ({ ...one, sourceText: `${NAMES.join(', ')}.\n\nOf interest.` })],
    ['length of the text (3.6)', (one) => ({ ...one, sourceText: one.sourceText.replace('\n\n', ' ') })],
    [
      'required and optional (3.3)',
      (one) => ({
        ...one,
        expectedConcepts: one.expectedConcepts.map((concept) => ({ ...concept, required: true })),
      }),
    ],
    [
      'aliases (3.3)',
      (one) => ({
        ...one,
        expectedConcepts: one.expectedConcepts.map((concept, i) =>
          i === 0 ? { ...concept, aliases: [] } : concept,
        ),
      }),
    ],
    [
      'concepts occur in the text (beyond 3.3)',
      (one) => ({
        ...one,
        sourceText: one.sourceText.replace('concept number 7', 'something else'),
        expectedRelationships: one.expectedRelationships.map(({ evidence: _, ...edge }) => edge),
      }),
    ],
    [
      'no concept twice (beyond 3.3)',
      (one) => ({
        ...one,
        expectedConcepts: one.expectedConcepts.map((concept, i) =>
          i === 1 ? { ...concept, aliases: ['Concept-Number 5'] } : concept,
        ),
      }),
    ],
    [
      'no concept twice (beyond 3.3)',
      (one) => ({ ...one, expectedConcepts: [...one.expectedConcepts, ...one.expectedConcepts.slice(15)] }),
    ],
    [
      'nothing forbidden twice (beyond 3.5)',
      (one) => ({ ...one, forbiddenConcepts: [...one.forbiddenConcepts, 'Number-Theories'] }),
    ],
    [
      'nothing forbidden twice (beyond 3.5)',
      (one) => ({
        ...one,
        forbiddenRelationships: [...one.forbiddenRelationships, ...one.forbiddenRelationships.slice(2)],
      }),
    ],
    [
      'canaries are absent (beyond 3.5)',
      (one) => ({ ...one, forbiddenConcepts: [...one.forbiddenConcepts, 'concept\u200b number 4'] }),
    ],
    [
      'evidence is verbatim (beyond 3.4)',
      (one) => ({
        ...one,
        expectedRelationships: one.expectedRelationships.map((edge, i) =>
          i === 3 ? { ...edge, evidence: `the text never says this of ${edge.source}` } : edge,
        ),
      }),
    ],
    [
      'canaries are absent (beyond 3.5)',
      (one) => ({ ...one, sourceText: `${one.sourceText} A Number-Theory is due.` }),
    ],
    [
      'canaries are absent (beyond 3.5)',
      (one) => ({ ...one, forbiddenConcepts: [...one.forbiddenConcepts, 'Alias 1'] }),
    ],
  ])('breaks the rule "%s" and no other', (rule, change) => {
    expect(rulesBroken(change)).toEqual([rule]);
  });

  it('warns about canaries that no model would write: of other fields, or with borrowed words', () => {
    const canaries = ['concept osmosis', 'tidal arbitrage', 'concept graph', 'vaccine'];
    const found = lintCase({
      ...soundCase(),
      forbiddenConcepts: [...soundCase().forbiddenConcepts, ...canaries],
    });
    expect(found.map(({ rule, place, warning }) => [rule, place, warning])).toEqual(
      [5, 6, 8].map((i) => ['canaries are plausible (beyond 3.5)', `forbiddenConcepts.${i}`, true]),
    );
  });

  it('must not expect what it forbids', () => {
    const both = { source: NAMES[0] ?? '', target: NAMES[1] ?? '', predicate: 'IS_A' as const };
    expect(
      rulesBroken((one) => ({ ...one, forbiddenRelationships: [...one.forbiddenRelationships, both] })),
    ).toEqual(['expected is not forbidden (beyond 3.5)']);
  });

  it('must not say the same twice, nor the opposite', () => {
    const [first] = soundCase().expectedRelationships;
    if (first === undefined) throw new Error('unreachable');
    const add = (edge: typeof first) => (one: GoldenCase) => ({
      ...one,
      expectedRelationships: [...one.expectedRelationships, edge],
    });
    expect(rulesBroken(add(first))).toEqual(['no relationship twice (beyond 3.4)']);
    expect(rulesBroken(add({ ...first, source: first.target, target: first.source }))).toEqual([
      'no contradictions (beyond 3.4)',
    ]);
    expect(rulesBroken(add({ ...first, target: first.source }))).toEqual(['no contradictions (beyond 3.4)']);
    const itself = { ...first, target: first.source, predicate: 'RELATES_TO' as const };
    expect(rulesBroken(add(itself))).toEqual(['no contradictions (beyond 3.4)']);
  });

  it('must not make anything a kind of itself, or come before itself, by a detour', () => {
    const circle = (predicate: 'IS_A' | 'PRECEDES') => (one: GoldenCase) => ({
      ...one,
      expectedRelationships: [
        ...one.expectedRelationships,
        ...[
          [8, 11],
          [11, 14],
          [14, 8],
        ].map(([from = 0, to = 0]) => ({
          source: NAMES[from] ?? '',
          target: NAMES[to] ?? '',
          predicate,
          required: true,
        })),
      ],
    });
    expect(rulesBroken(circle('IS_A'))).toEqual(['no contradictions (beyond 3.4)']);
    expect(lintCase(circle('PRECEDES')(soundCase()))).toEqual([
      {
        rule: 'no contradictions (beyond 3.4)',
        place: 'expectedRelationships.30',
        message:
          'forms a cycle with expectedRelationships.31, expectedRelationships.32: "concept number 8" PRECEDES ' +
          '"concept number 11" PRECEDES "concept number 14" PRECEDES "concept number 8"; remove the one that the text ' +
          'does not state',
      },
    ]);
  });

  it('must quote words that name an end of the relationship, by its label or an alias', () => {
    const quoting = (evidence: string) => {
      const one = soundCase();
      return lintCase({
        ...one,
        sourceText: `${one.sourceText} Alias 0 has many.`,
        expectedRelationships: one.expectedRelationships.map((edge, i) =>
          i === 0 ? { ...edge, evidence } : edge,
        ),
      });
    };
    expect(quoting('Alias 0 has many')).toEqual([]);
    expect(quoting('says nothing of interest')).toEqual([
      {
        rule: 'evidence names an end (beyond 3.4)',
        place: 'expectedRelationships.0.evidence',
        message:
          '"says nothing of interest" names neither "concept number 0" nor "concept number 1"; quote the words that ' +
          'state the relationship',
      },
    ]);
  });

  it('must not give one alias to two concepts', () => {
    const one = soundCase();
    const shared = {
      ...one,
      expectedConcepts: one.expectedConcepts.map((concept, i) =>
        i === 4 ? { ...concept, aliases: ['Alias-2'] } : concept,
      ),
    };
    expect(lintCase(shared)).toEqual([
      {
        rule: 'no concept twice (beyond 3.3)',
        place: 'expectedConcepts.4',
        message: '"Alias-2" already stands for "concept number 2"; use the name for only one of the two',
      },
    ]);
  });

  it('must name its endpoints among the concepts', () => {
    const stranger = { source: 'a stranger', target: NAMES[1] ?? '', predicate: 'CAUSES' as const };
    expect(
      rulesBroken((one) => ({ ...one, forbiddenRelationships: [...one.forbiddenRelationships, stranger] })),
    ).toEqual(['endpoints are concepts (beyond 3.4)']);
  });

  it('must not relate everything loosely', () => {
    const rules = rulesBroken((one) => ({
      ...one,
      expectedRelationships: one.expectedRelationships.map((edge, i) => ({
        ...edge,
        predicate: i % 2 === 0 ? ('RELATES_TO' as const) : edge.predicate,
      })),
    }));
    expect(rules).toContain('predicates are balanced (beyond 3.4)');
  });
});

describe('a golden suite', () => {
  const textOf = (domain: string) =>
    soundCase().sourceText.replaceAll(', ', ` ${domain} `).replaceAll('sentence', domain);
  const suite = GOLDEN_RULES.domains.map((domain) => ({
    file: `${domain}.gold.json`,
    golden: { ...soundCase(), id: domain, domain, sourceText: textOf(domain) },
  }));
  const rules = (cases: typeof suite) => lintSuite(cases).map((finding) => finding.rule);

  it('of five sound cases in five domains has no findings', () => {
    expect(lintSuite(suite)).toEqual([]);
  });

  it('needs five cases, every domain, and one id each', () => {
    expect(rules(suite.slice(1))).toEqual(['number of cases (3.1)', 'domains (3.2)']);
    const [first] = suite;
    if (first === undefined) throw new Error('unreachable');
    const again = { file: 'again.gold.json', golden: { ...first.golden, sourceText: textOf('other') } };
    expect(rules([...suite, again])).toEqual(['one id, one case (beyond 3.1)']);
  });

  it('has no text twice, under whatever id and with whatever small changes', () => {
    const [first] = suite;
    if (first === undefined) throw new Error('unreachable');
    const sourceText = first.golden.sourceText.replace('nothing', 'little');
    const copy = { file: 'copy.gold.json', golden: { ...first.golden, id: 'copy', sourceText } };
    expect(lintSuite([...suite, copy])).toEqual([
      {
        rule: 'no case twice (beyond 3.1)',
        file: 'copy.gold.json',
        files: [first.file, 'copy.gold.json'],
        place: 'sourceText',
        message: expect.stringMatching(
          /^has \d+% of its text in common with ecological\.gold\.json; remove one of them, or write another text$/,
        ),
      },
    ]);
  });
});
