/**
 * Kinds of outputs that the gate must judge correctly, generated from the golden cases. A bad output is unacceptable; a
 * fair one is good work in a form that differs from the golden case.
 */
import {
  accented,
  canonicalEdges,
  escaped,
  type Gold,
  inBold,
  inFullWidth,
  type Made,
  random,
  respelt,
  sentencesOf,
  shifted,
  typeset,
  whole,
} from './parts.ts';

export type Kind = {
  readonly name: string;
  readonly fate: 'bad' | 'fair';
  /** What the output is, as the end of a sentence. */
  readonly what: string;
  readonly make: (golden: Gold, others: readonly Gold[]) => Made;
};

type Maker = Kind['make'];

const kind =
  (fate: Kind['fate']) =>
  (name: string, what: string, make: Maker): Kind => ({ name, fate, what, make });

const bad = kind('bad');
const fair = kind('fair');

const relabelled = (made: Made, names: ReadonlyMap<string, string>): Made => ({
  concepts: made.concepts.map((one) => ({ ...one, label: names.get(one.label) ?? one.label })),
  relationships: made.relationships.map((edge) => ({
    ...edge,
    source: names.get(edge.source) ?? edge.source,
    target: names.get(edge.target) ?? edge.target,
  })),
});

/** Everything right, with the concepts renamed; relationships follow. */
const renamed =
  (name: (label: string, golden: Gold, place: number) => string): Maker =>
  (golden) => {
    const made = whole(golden);
    return relabelled(made, new Map(made.concepts.map(({ label }, i) => [label, name(label, golden, i)])));
  };

/** So many concepts in each name; relationships name the merged ones. */
const merged =
  (glue: string, size: number): Maker =>
  (golden) => {
    const made = whole(golden);
    const labels = made.concepts.map(({ label }) => label);
    const groups = labels.flatMap((_, i) => (i % size === 0 ? [labels.slice(i, i + size)] : []));
    const names = new Map(
      groups.flatMap((group) => group.map((label) => [label, group.join(glue)] as const)),
    );
    const { concepts, relationships } = relabelled(made, names);
    return { concepts: concepts.filter((_, i) => i % size === 0), relationships };
  };

const requoted =
  (quote: (golden: Gold, place: number, others: readonly Gold[]) => string | undefined): Maker =>
  (golden, others) => {
    const made = whole(golden);
    return {
      ...made,
      concepts: made.concepts.map((one, i) => ({ ...one, sourceQuote: quote(golden, i, others) })),
    };
  };

const rewired =
  (edges: (golden: Gold, labels: readonly string[]) => Made['relationships']): Maker =>
  (golden) => {
    const made = whole(golden);
    return {
      ...made,
      relationships: edges(
        golden,
        made.concepts.map(({ label }) => label),
      ),
    };
  };

/** Plausible names that no case expects. */
const junk = (count: number, topic: string) =>
  Array.from({ length: count }, (_, i) => ({
    label: `${JUNK[i % JUNK.length]} ${topic} ${WHAT[Math.floor(i / JUNK.length) % WHAT.length]}`,
    sourceQuote: undefined as string | undefined,
  }));

const JUNK = 'adaptive ambient binary circular deep dynamic emergent fractal global hidden'.split(' ');
const WHAT = 'matrix engine index paradigm'.split(' ');

const withCanaries =
  (disguise: (label: string, place: number) => string): Maker =>
  (golden) => {
    const made = whole(golden);
    const quote = sentencesOf(golden)[0];
    const canaries = golden.forbiddenConcepts.map((label, i) => ({
      label: disguise(label, i),
      sourceQuote: quote,
    }));
    return { ...made, concepts: [...made.concepts, ...canaries] };
  };

const LOOKALIKE: Readonly<Record<string, string>> = { a: 'а', e: 'е', o: 'о', c: 'с', p: 'р' };
const initials = (label: string) =>
  label
    .split(/[\s-]+/)
    .map((word) => word.charAt(0).toUpperCase())
    .join('');
const PREDICATES = ['IS_A', 'CAUSES', 'PRECEDES', 'REQUIRES', 'RELATES_TO'] as const;

const BAD: readonly Kind[] = [
  bad('silence', 'no concept and no relationship', () => ({ concepts: [], relationships: [] })),
  bad(
    'concepts only',
    'every concept and no relationship',
    rewired(() => []),
  ),
  bad('one relationship', 'every concept and one right relationship', (golden) => {
    const made = whole(golden);
    return { ...made, relationships: made.relationships.slice(0, 1) };
  }),
  bad('one relationship, many times', 'one right relationship forty times', (golden) => {
    const made = whole(golden);
    const [first] = made.relationships;
    return { ...made, relationships: first === undefined ? [] : Array.from({ length: 40 }, () => first) };
  }),
  bad('a quarter', 'the first quarter of concepts and relationships', (golden) => {
    const made = whole(golden);
    return {
      concepts: made.concepts.slice(0, Math.ceil(made.concepts.length / 4)),
      relationships: made.relationships.slice(0, Math.ceil(made.relationships.length / 4)),
    };
  }),
  bad('copied sentences', 'each sentence of the text as a concept', (golden) => ({
    concepts: sentencesOf(golden).map((label) => ({ label, sourceQuote: label })),
    relationships: [],
  })),
  bad('every word', 'each word of the text as a concept', (golden) => ({
    concepts: [...new Set(golden.sourceText.match(/\p{L}{3,}/gu))].map((label) => ({
      label,
      sourceQuote: label,
    })),
    relationships: [],
  })),
  bad('every phrase', 'each run of one to three words as a concept, with right relationships', (golden) => {
    const words = golden.sourceText.match(/[\p{L}-]+/gu) ?? [];
    const phrases = [1, 2, 3].flatMap((n) => words.map((_, i) => words.slice(i, i + n).join(' ')));
    return {
      concepts: [...new Set(phrases)].map((label) => ({ label, sourceQuote: label })),
      relationships: whole(golden).relationships,
    };
  }),
  bad('borrowed aliases', 'junk that declares the right names as aliases of its own', (golden) => ({
    concepts: junk(golden.expectedConcepts.length, golden.topic).map((one, i) => ({
      ...one,
      aliases: [golden.expectedConcepts[i]?.label ?? 'none'],
      sourceQuote: sentencesOf(golden)[0],
    })),
    relationships: whole(golden).relationships,
  })),
  bad('another case', 'the right answer to another text', (golden, others) => {
    const at = others.findIndex(({ id }) => id === golden.id);
    return whole(others[(at + 1) % others.length] as Gold);
  }),
  bad(
    'canaries',
    'everything right, and every canary',
    withCanaries((label) => label),
  ),
  bad(
    'canaries in capitals',
    'canaries in capitals and plural',
    withCanaries((label) => `${label.toUpperCase()}S`),
  ),
  bad(
    'canaries in look-alike letters',
    'canaries with Cyrillic letters in them',
    withCanaries((label) => label.replace(/[aeocp]/g, (letter) => LOOKALIKE[letter] ?? letter)),
  ),
  bad(
    'canaries with invisible characters',
    'canaries with characters of no width in them',
    withCanaries((label) => label.replace(/(?<=\p{L})(?=\p{L})/gu, '\u200b')),
  ),
  bad(
    'canaries with an acronym',
    'canaries with their initials in brackets',
    withCanaries((label) => `${label} (${initials(label)})`),
  ),
  bad(
    'canaries in brackets',
    'canaries in brackets behind another name',
    withCanaries((label, i) => `${JUNK[i % JUNK.length]} idea (${label})`),
  ),
  bad(
    'canaries turned round',
    'canaries as `the last word of the others`',
    withCanaries((label) => {
      const words = label.split(' ');
      return words.length < 2 ? `the ${label}` : `the ${words.at(-1)} of ${words.slice(0, -1).join(' ')}`;
    }),
  ),
  bad(
    'junk in the majority',
    'the right concepts among one and a half times as many wrong ones',
    (golden) => {
      const made = whole(golden);
      const wrong = junk(Math.ceil(made.concepts.length * 1.5), golden.topic);
      return {
        ...made,
        concepts: [
          ...made.concepts,
          ...wrong.map((one, i) => ({ ...one, sourceQuote: sentencesOf(golden)[i] ?? 'x' })),
        ],
      };
    },
  ),
  bad('diluted junk', 'right concepts many times over, so that wrong ones look few', (golden) => {
    const made = whole(golden);
    const right = made.concepts.slice(0, Math.ceil(made.concepts.length * 0.7));
    const wrong = junk(Math.ceil(right.length * 1.6), golden.topic).map((one) => ({
      ...one,
      sourceQuote: sentencesOf(golden)[0],
    }));
    const again = [right, right, right, right].flatMap((all, n) =>
      all.map((one) => ({
        ...one,
        label: [one.label, one.label.toUpperCase(), `the ${one.label}`, `${one.label} `][n] ?? one.label,
      })),
    );
    return { ...made, concepts: [...again, ...wrong] };
  }),
  bad('everything five times', 'each concept five times in other spellings', (golden) => {
    const made = whole(golden);
    const spelt = (label: string) => [
      label,
      label.toUpperCase(),
      `the ${label}`,
      `“${label}”`,
      label.replaceAll(' ', '-'),
    ];
    return {
      ...made,
      concepts: made.concepts.flatMap((one) => spelt(one.label).map((label) => ({ ...one, label }))),
    };
  }),
  bad(
    '38% right, unquoted, unrelated',
    'few right concepts, made-up quotes, one relationship of thirty',
    (golden) => {
      const made = whole(golden);
      const right = made.concepts.slice(0, Math.ceil(made.concepts.length * 0.75));
      const wrong = junk(Math.round((right.length * 62) / 38), golden.topic);
      const again = Array.from({ length: 6 }, () => right).flat();
      return {
        concepts: [...again, ...wrong].map((one) => ({
          ...one,
          sourceQuote: `As the author puts it, ${one.label} is central to the argument.`,
        })),
        relationships: made.relationships.slice(0, 1),
      };
    },
  ),
  bad(
    'no quotes',
    'everything right and no quote',
    requoted(() => undefined),
  ),
  bad(
    'made-up quotes',
    'everything right, each quote made up',
    requoted(
      (golden, i) => `It is widely agreed that ${golden.expectedConcepts[i]?.label ?? 'this'} matters here.`,
    ),
  ),
  bad(
    'quotes of one word',
    'everything right, quoted with the first word of the text',
    requoted((golden) => golden.sourceText.split(' ')[0]),
  ),
  bad(
    'quotes of another text',
    'everything right, quotes from another case',
    requoted((golden, i, others) => {
      const other = others.find(({ id }) => id !== golden.id) as Gold;
      const all = sentencesOf(other);
      return all[i % all.length];
    }),
  ),
  bad(
    'one quote for all',
    'everything right, the same sentence quoted for each concept',
    requoted((golden) => sentencesOf(golden).at(-1)),
  ),
  bad(
    'the text as quote',
    'everything right, the whole text quoted for each concept',
    requoted((golden) => golden.sourceText),
  ),
  bad(
    'reversed',
    'every relationship the other way round',
    rewired((golden) =>
      whole(golden).relationships.map(({ source, target, predicate }) => ({
        source: target,
        target: source,
        predicate: predicate === 'RELATES_TO' ? 'CAUSES' : predicate,
      })),
    ),
  ),
  bad(
    'all related',
    'the right pairs, all of them RELATES_TO',
    rewired((golden) =>
      whole(golden).relationships.map((edge) => ({ ...edge, predicate: 'RELATES_TO' as const })),
    ),
  ),
  bad(
    'other predicates',
    'the right pairs, each with another predicate',
    rewired((golden) =>
      whole(golden).relationships.map((edge) => ({
        ...edge,
        predicate: PREDICATES[(PREDICATES.indexOf(edge.predicate as 'IS_A') + 1) % 4] ?? 'IS_A',
      })),
    ),
  ),
  bad(
    'every pair',
    'each pair of concepts with RELATES_TO',
    rewired((_, labels) =>
      labels.flatMap((source, i) =>
        labels.slice(i + 1).map((target) => ({ source, target, predicate: 'RELATES_TO' as const })),
      ),
    ),
  ),
  bad(
    'every pair, every predicate',
    'each pair of concepts with each predicate',
    rewired((_, labels) =>
      labels.flatMap((source) =>
        labels
          .filter((target) => target !== source)
          .flatMap((target) => PREDICATES.map((predicate) => ({ source, target, predicate }))),
      ),
    ),
  ),
  bad(
    'shuffled',
    'right concepts joined at random',
    rewired((golden, labels) => {
      const next = random(golden.id);
      const any = () => labels[Math.floor(next() * labels.length)] as string;
      return golden.expectedRelationships.map(({ predicate }) => ({
        source: any(),
        target: any(),
        predicate,
      }));
    }),
  ),
  bad(
    'forbidden relationships',
    'the forbidden relationships in place of the right ones',
    rewired((golden) => golden.forbiddenRelationships.map((edge) => ({ ...edge }))),
  ),
  bad(
    'denied',
    'each concept as `not …`',
    renamed((label) => `not ${label}`),
  ),
  bad(
    'numbers for names',
    'each concept as a number',
    renamed((_, __, i) => `C${i + 1}`),
  ),
  bad(
    'wrong ones in the majority, spelt many ways',
    'right concepts in four spellings and twice as many distinct wrong ones in one',
    (golden) => {
      const made = whole(golden);
      const wrong = junk(made.concepts.length * 2, golden.topic).map((one, i) => ({
        ...one,
        sourceQuote: sentencesOf(golden)[i % sentencesOf(golden).length],
      }));
      const again = made.concepts.flatMap((one) =>
        [one.label, `${one.label}s`, `${one.label}.`, `A ${one.label}`].map((label) => ({ ...one, label })),
      );
      return { ...made, concepts: [...again, ...wrong] };
    },
  ),
  bad('three names in one', 'each concept as a list of three, of which one is right', (golden) => {
    const made = whole(golden);
    const wrong = junk(made.concepts.length * 2, golden.topic);
    const named = new Map(
      made.concepts.map(({ label }, i) => [
        label,
        `${wrong[2 * i]?.label}, ${label}, ${wrong[2 * i + 1]?.label}`,
      ]),
    );
    return relabelled(made, named);
  }),
  bad('phrases in lists', 'the phrases of the text, seven to a concept', (golden) => {
    const words = golden.sourceText.match(/[\p{L}-]+/gu) ?? [];
    const pairs = words.slice(1).map((word, i) => `${words[i]} ${word}`);
    const lists = pairs.flatMap((_, i) => (i % 7 === 0 ? [pairs.slice(i, i + 7).join(', ')] : []));
    return {
      concepts: lists.map((label, i) => ({
        label,
        sourceQuote: sentencesOf(golden)[i % sentencesOf(golden).length],
      })),
      relationships: whole(golden).relationships,
    };
  }),
  bad('merged', 'three concepts in each name, joined by `and`', merged(' and ', 3)),
  bad('merged in lists', 'three concepts in each name, joined by commas', merged(', ', 3)),
  bad('pieces', 'each word of a name as a concept', (golden) => {
    const made = whole(golden);
    const concepts = made.concepts
      .filter(({ label }) => label.includes(' '))
      .flatMap((one) => one.label.split(/[\s-]+/).map((label) => ({ ...one, label })));
    return { ...made, concepts };
  }),
  bad(
    'another language',
    'each name in words that no reader of the text knows',
    renamed((label) => label.replace(/\p{L}/gu, (letter) => shifted(letter))),
  ),
  bad(
    'denied in brackets',
    'each concept with `(not so)` behind it',
    renamed((label) => `${label} (not so)`),
  ),
  bad(
    'denied behind a colon',
    'each concept as `no: …`',
    renamed((label) => `no: ${label}`),
  ),
  bad(
    'wider and narrower',
    'each name with a word more',
    renamed((label, _, i) => `${JUNK[i % JUNK.length]} ${label}`),
  ),
  bad('empty names', 'a few right concepts among empty and invisible names', (golden) => {
    const made = whole(golden);
    const empty = ['', ' ', '\u200b', '\u2060\u200d', '-', '…'].flatMap((label) =>
      Array.from({ length: 10 }, () => ({ label, sourceQuote: sentencesOf(golden)[0] })),
    );
    return { ...made, concepts: [...made.concepts, ...empty] };
  }),
  bad('too much', 'more concepts than any text has', (golden) => ({
    concepts: Array.from({ length: 25_000 }, (_, i) => ({ label: `${golden.topic} ${i}` })),
    relationships: [],
  })),
  bad('a thousand phrases', 'the right concepts among a thousand phrases of the text', (golden) => {
    const made = whole(golden);
    const words = golden.sourceText.match(/[\p{L}-]+/gu) ?? [];
    const phrases = [2, 3, 4]
      .flatMap((n) => words.map((_, i) => words.slice(i, i + n).join(' ')))
      .slice(0, 1000);
    const sentences = sentencesOf(golden);
    const more = [...new Set(phrases)].map((label) => ({
      label,
      sourceQuote: sentences.find((sentence) => sentence.includes(label)) ?? sentences[0],
    }));
    return { ...made, concepts: [...made.concepts, ...more] };
  }),
  bad(
    'canaries as CamelCase',
    'canaries written as one word',
    withCanaries((label) =>
      label
        .split(/[\s-]+/)
        .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
        .join(''),
    ),
  ),
  bad(
    'canaries in other letters',
    'canaries in mathematical bold, with accents or in full width',
    withCanaries((label, i) => [inBold, accented, inFullWidth][i % 3]?.(label) ?? label),
  ),
  bad(
    'canaries letter by letter',
    'canaries with a space between their letters',
    withCanaries((label) => [...label.replaceAll(' ', '')].join(' ')),
  ),
  bad(
    'canaries with soft hyphens',
    'canaries cut by soft hyphens',
    withCanaries((label) => label.replace(/(\p{L}{3})(?=\p{L}{2})/gu, '$1\u00ad')),
  ),
  bad('canaries in one list', 'everything right, and one concept that lists the canaries', (golden) => {
    const made = whole(golden);
    const label = golden.forbiddenConcepts.join(', ');
    return { ...made, concepts: [...made.concepts, { label, sourceQuote: sentencesOf(golden)[0] }] };
  }),
  bad(
    'canaries behind a right name',
    'right concepts that name a canary in brackets',
    renamed((label, golden, i) => {
      const canary = golden.forbiddenConcepts[i];
      return canary === undefined ? label : `${label} (${canary})`;
    }),
  ),
  bad(
    'short quotes from elsewhere',
    'everything right, quoted with one piece of 14 characters',
    requoted((golden) => golden.sourceText.slice(0, 14)),
  ),
  bad(
    'quotes of neighbours',
    'everything right, each quoted with the sentence of another concept',
    requoted((golden, i) => {
      const made = whole(golden);
      const { label = '' } = made.concepts[i] ?? {};
      const names = golden.expectedConcepts.find((one) => one.label === label);
      const away = sentencesOf(golden).filter(
        (sentence) =>
          ![label, ...(names?.aliases ?? [])].some((name) =>
            name
              .toLowerCase()
              .split(/[\s-]+/)
              .some((word) => sentence.toLowerCase().includes(word.slice(0, 5))),
          ),
      );
      return away[i % Math.max(1, away.length)] ?? sentencesOf(golden).at(-1);
    }),
  ),
  bad(
    'joined sentences',
    'everything right, quotes put together from two places',
    requoted((golden, i) => {
      const all = sentencesOf(golden);
      return `${all[i % all.length]?.slice(0, 60)} ${all[(i + 3) % all.length]?.slice(-60)}`;
    }),
  ),
  bad(
    'both ways',
    'each relationship in both directions and with one more predicate',
    rewired((golden) =>
      whole(golden).relationships.flatMap((edge) => [
        edge,
        { ...edge, source: edge.target, target: edge.source },
        { ...edge, predicate: PREDICATES[(PREDICATES.indexOf(edge.predicate as 'IS_A') + 1) % 4] ?? 'IS_A' },
      ]),
    ),
  ),
  bad(
    'related or reversed',
    'RELATES_TO right, every other relationship the other way round',
    rewired((golden) =>
      whole(golden).relationships.map((edge) =>
        edge.predicate === 'RELATES_TO' ? edge : { ...edge, source: edge.target, target: edge.source },
      ),
    ),
  ),
  bad(
    'next one',
    'each relationship to the concept after the right one',
    rewired((golden, labels) =>
      whole(golden).relationships.map((edge) => ({
        ...edge,
        target: labels[(labels.indexOf(edge.target) + 1) % labels.length] ?? edge.target,
      })),
    ),
  ),
  bad(
    'the hub',
    'every concept related to the first one',
    rewired((_, labels) =>
      labels.slice(1).map((source) => ({ source, target: labels[0] as string, predicate: 'RELATES_TO' })),
    ),
  ),
  bad(
    'only RELATES_TO',
    'the relationships of RELATES_TO and no other',
    rewired((golden) => whole(golden).relationships.filter(({ predicate }) => predicate === 'RELATES_TO')),
  ),
  bad(
    'a third of the relationships',
    'every concept, every third relationship',
    rewired((golden) => whole(golden).relationships.filter((_, i) => i % 3 === 0)),
  ),
];

const FAIR: readonly Kind[] = [
  fair('as the case says', 'everything, as the case writes it', whole),
  fair(
    'capitals',
    'everything in capitals',
    renamed((label) => label.toUpperCase()),
  ),
  fair(
    'articles',
    'each name with an article',
    renamed((label) => `the ${label}`),
  ),
  fair(
    'aliases',
    'each concept by the last of its other names',
    renamed(
      (label, golden) => golden.expectedConcepts.find((one) => one.label === label)?.aliases.at(-1) ?? label,
    ),
  ),
  fair(
    'acronyms added',
    'names of several words with their initials in brackets',
    renamed((label) => (label.includes(' ') ? `${label} (${initials(label)})` : label)),
  ),
  fair(
    'explained in brackets',
    'each name with a word on it in brackets',
    renamed((label) => `${label} (as described)`),
  ),
  fair(
    'quoted names',
    'each name in quotation marks',
    renamed((label) => `“${label}”`),
  ),
  fair(
    'hyphens',
    'names joined by hyphens',
    renamed((label) => label.replaceAll(' ', '-')),
  ),
  fair('numbered', 'concepts and relationships in another order', (golden) => {
    const made = whole(golden);
    return { concepts: made.concepts.toReversed(), relationships: made.relationships.toReversed() };
  }),
  fair('required only', 'what is required and nothing optional', (golden) => {
    const made = whole(golden);
    const names = new Set(
      golden.expectedConcepts.filter(({ required }) => required).map(({ label }) => label),
    );
    const concepts = made.concepts.filter(({ label }) => names.has(label));
    return { concepts, relationships: made.relationships };
  }),
  fair('four fifths', 'four fifths of concepts and relationships', (golden) => {
    const made = whole(golden);
    return {
      concepts: made.concepts.filter((_, i) => i % 5 !== 4),
      relationships: made.relationships.filter((_, i) => i % 5 !== 4),
    };
  }),
  fair('two thirds of the relationships', 'every concept, two of three relationships', (golden) => {
    const made = whole(golden);
    return { ...made, relationships: made.relationships.filter((_, i) => i % 3 !== 2) };
  }),
  fair('some more', 'everything, and a fifth more concepts from the text', (golden) => {
    const made = whole(golden);
    const sentences = sentencesOf(golden);
    const more = sentences
      .slice(0, Math.floor(made.concepts.length / 5))
      .map((sourceQuote) => ({ label: sourceQuote.split(' ').slice(-4, -1).join(' '), sourceQuote }));
    return { ...made, concepts: [...made.concepts, ...more] };
  }),
  fair('some more relationships', 'everything, and a quarter more relationships', (golden) => {
    const made = whole(golden);
    const labels = made.concepts.map(({ label }) => label);
    const known = new Set(canonicalEdges(golden.expectedRelationships));
    const more = labels
      .flatMap((source, i) =>
        labels.slice(i + 1, i + 4).map((target) => ({ source, target, predicate: 'RELATES_TO' as const })),
      )
      .filter((edge) => !known.has(canonicalEdges([edge])[0] ?? ''))
      .slice(0, Math.floor(made.relationships.length / 4));
    return { ...made, relationships: [...made.relationships, ...more] };
  }),
  fair('related either way', 'RELATES_TO the other way round', (golden) => {
    const made = whole(golden);
    return {
      ...made,
      relationships: made.relationships.map((edge) =>
        edge.predicate === 'RELATES_TO' ? { ...edge, source: edge.target, target: edge.source } : edge,
      ),
    };
  }),
  fair('a few twice', 'everything, and one concept in twenty twice', (golden) => {
    const made = whole(golden);
    return {
      ...made,
      concepts: [
        ...made.concepts,
        ...made.concepts.slice(0, 1).map((one) => ({ ...one, label: one.label.toUpperCase() })),
      ],
    };
  }),
  fair('quotes with other white space', 'quotes with line breaks in place of spaces', (golden) => {
    const made = whole(golden);
    return {
      ...made,
      concepts: made.concepts.map((one) => ({
        ...one,
        sourceQuote: one.sourceQuote?.replaceAll(' ', '\n  '),
      })),
    };
  }),
  fair('sentences before it', 'a fifth of the quotes are of the sentence before', (golden) => {
    const made = whole(golden);
    const all = sentencesOf(golden);
    return {
      ...made,
      concepts: made.concepts.map((one, i) => {
        const at = all.indexOf(one.sourceQuote ?? '');
        return i % 5 === 0 && at > 0 ? { ...one, sourceQuote: all[at - 1] } : one;
      }),
    };
  }),
  fair(
    'British spelling',
    'names and quotes as in Britain',
    renamed((label) => respelt(label, 'british')),
  ),
  fair(
    'American spelling',
    'names as in America',
    renamed((label) => respelt(label, 'american')),
  ),
  fair(
    'plurals',
    'names in the plural, where their last word has one',
    renamed((label) =>
      /[a-rt-xz]$/.test(label) && !label.endsWith('ch') && !label.endsWith('sh') ? `${label}s` : label,
    ),
  ),
  fair(
    'lower case',
    'everything in small letters',
    renamed((label) => label.toLowerCase()),
  ),
  fair(
    'title case',
    'each word with a capital',
    renamed((label) => label.replace(/(?<![\p{L}\p{N}'’])\p{L}/gu, (letter) => letter.toUpperCase())),
  ),
  fair(
    'identifiers',
    'names joined by underscores',
    renamed((label) => label.replaceAll(' ', '_')),
  ),
  fair(
    'emphasis',
    'names in bold, as Markdown has it',
    renamed((label) => `**${label}**`),
  ),
  fair(
    'full stops',
    'names that end with a full stop',
    renamed((label) => `${label}.`),
  ),
  fair(
    'other names in brackets',
    'each name with another one of the concept in brackets',
    renamed((label, golden) => {
      const alias = golden.expectedConcepts.find((one) => one.label === label)?.aliases[0];
      return alias === undefined ? label : `${label} (${alias})`;
    }),
  ),
  fair(
    'examples in brackets',
    'each name with a list in brackets',
    renamed((label) => `${label} (as described, in part)`),
  ),
  fair(
    'predicates in other spellings',
    'predicates in small letters with spaces',
    rewired((golden) =>
      whole(golden).relationships.map((edge) => ({
        ...edge,
        predicate: edge.predicate.toLowerCase().replaceAll('_', ' '),
      })),
    ),
  ),
  fair(
    'quotes of a few words',
    'the name with the three words before and after it',
    requoted((golden, i) => {
      const { label = '', aliases = [] } = golden.expectedConcepts[i] ?? {};
      const found = [label, ...aliases]
        .map(
          (name) =>
            new RegExp(`(?:\\S+\\s+){0,3}\\b${escaped(name)}\\S*(?:\\s+\\S+){0,3}`, 'iu').exec(
              golden.sourceText,
            )?.[0],
        )
        .find((quote) => quote !== undefined);
      return found ?? whole(golden).concepts[i]?.sourceQuote;
    }),
  ),
  fair(
    'quotes with typographic marks',
    'quotes with other quotation marks, apostrophes, hyphens and spaces than the text has',
    requoted((golden, i) => typeset(whole(golden).concepts[i]?.sourceQuote ?? '')),
  ),
  fair(
    'quotes in quotation marks',
    'each quote in quotation marks of its own',
    requoted((golden, i) => `“${whole(golden).concepts[i]?.sourceQuote}”`),
  ),
  fair(
    'names of ends',
    'relationships that name their ends in other spellings than the concepts',
    (golden) => {
      const made = whole(golden);
      const relationships = made.relationships.map((edge) => ({
        ...edge,
        source: edge.source.toUpperCase(),
        target: edge.target.replaceAll(' ', '-'),
      }));
      return { ...made, relationships };
    },
  ),
  fair('a few of its own', 'everything, and a tenth more concepts that the text does not name', (golden) => {
    const made = whole(golden);
    const more = junk(Math.floor(made.concepts.length / 10), golden.topic);
    return { ...made, concepts: [...made.concepts, ...more] };
  }),
];

export const KINDS: readonly Kind[] = [...BAD, ...FAIR];
