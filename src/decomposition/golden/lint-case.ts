/** The rules for a golden case. Each rule names its clause, and each finding its place. */
import { type CountRange, GOLDEN_RULES, type GoldenRules } from '../golden-rules.ts';
import type { GoldenCase } from '../ingest/golden-case.ts';
import { canaryKey } from '../match/label-keys.ts';
import { dayOf, moneyOf, numberOf } from '../match/match-fields.ts';
import { normalise } from '../match/normalise.ts';

export type GoldenFinding = {
  readonly rule: string;
  readonly place: string;
  readonly message: string;
  /** Reported, but not a failure. */
  readonly warning?: true;
};

type Check = (golden: GoldenCase, rules: GoldenRules) => Found;

/** By name and clause of the specification; `beyond` marks rules that go beyond it. */
const CASE_RULES: Readonly<Record<string, Check>> = {
  'concepts (3.3)': (golden, rules) => count('expectedConcepts', golden.expectedConcepts, rules.concepts),
  'required and optional (3.3)': mixesRequired,
  'aliases (3.3)': hasAliases,
  'relationships (3.4)': (golden, rules) =>
    count('expectedRelationships', golden.expectedRelationships, rules.relationships),
  'canaries (3.5)': (golden, rules) => count('forbiddenConcepts', golden.forbiddenConcepts, rules.canaries),
  'forbidden relationships (3.5)': (golden, rules) =>
    count('forbiddenRelationships', golden.forbiddenRelationships, rules.forbiddenRelationships),
  'length of the text (3.6)': hasLength,
  'concepts occur in the text (beyond 3.3)': conceptsOccur,
  'no concept twice (beyond 3.3)': noConceptTwice,
  'endpoints are concepts (beyond 3.4)': endpointsDeclared,
  'evidence is verbatim (beyond 3.4)': evidenceVerbatim,
  'evidence names an end (beyond 3.4)': evidenceNamesAnEnd,
  'no relationship twice (beyond 3.4)': (golden) =>
    repeated('expectedRelationships', golden.expectedRelationships, keyOf(golden)),
  'no contradictions (beyond 3.4)': noContradictions,
  'predicates are balanced (beyond 3.4)': balancedPredicates,
  'canaries are absent (beyond 3.5)': canariesAbsent,
  'canaries are plausible (beyond 3.5)': canariesPlausible,
  'nothing forbidden twice (beyond 3.5)': (golden) => [
    ...repeated('forbiddenConcepts', golden.forbiddenConcepts, canaryKey),
    ...repeated('forbiddenRelationships', golden.forbiddenRelationships, keyOf(golden)),
  ],
  'expected is not forbidden (beyond 3.5)': notBoth,
  'fields (extension)': soundFields,
};

export function lintCase(golden: GoldenCase, rules: GoldenRules = GOLDEN_RULES): GoldenFinding[] {
  // A case with only fields has no graph to check.
  const asked = isFieldsOnly(golden)
    ? Object.entries(CASE_RULES).filter(([rule]) => !/\(3\.[3456]\)/.test(rule))
    : Object.entries(CASE_RULES);
  return asked.flatMap(([rule, check]) => check(golden, rules).map((finding) => ({ rule, ...finding })));
}

function isFieldsOnly({ fields, expectedConcepts, expectedRelationships }: GoldenCase): boolean {
  return fields !== undefined && expectedConcepts.length + expectedRelationships.length === 0;
}

type Found = Omit<GoldenFinding, 'rule'>[];
type Edge = GoldenCase['expectedRelationships'][number] | GoldenCase['forbiddenRelationships'][number];

/** A larger share of RELATES_TO says little about how concepts are related. */
export const MOST_RELATES_TO = 0.45;

function broken(isBroken: boolean, place: string, message: string): Found {
  return isBroken ? [{ place, message }] : [];
}

function isOutside(n: number, [least, most]: CountRange): boolean {
  return n < least || n > most;
}

function count(place: string, { length }: readonly unknown[], range: CountRange): Found {
  const [least, most] = range;
  return broken(isOutside(length, range), place, `has ${length}; ${least} to ${most} are required`);
}

function mixesRequired({ expectedConcepts: all }: GoldenCase): Found {
  const required = all.filter((concept) => concept.required).length;
  const isMixed = required > 0 && required < all.length;
  return broken(!isMixed, 'expectedConcepts', `${required} of ${all.length} are required; mix both kinds`);
}

function hasAliases({ expectedConcepts }: GoldenCase, { withAliases }: GoldenRules): Found {
  const n = expectedConcepts.filter((concept) => concept.aliases.length > 0).length;
  const [have, are] = [n === 1 ? '1 concept has' : `${n} concepts have`, withAliases === 1 ? 'is' : 'are'];
  const message = `${have} aliases; at least ${withAliases} ${are} required`;
  return broken(n < withAliases, 'expectedConcepts', message);
}

function hasLength({ sourceText }: GoldenCase, rules: GoldenRules): Found {
  const words = sourceText.split(/\s+/).filter(Boolean).length;
  const paragraphs = sourceText.split(/\n\s*\n/).filter((text) => text.trim() !== '').length;
  return [...amount('word', words, rules.words), ...amount('paragraph', paragraphs, rules.paragraphs)];
}

function amount(what: string, n: number, range: CountRange): Found {
  const [least, most] = range;
  const message = `has ${n} ${what}${n === 1 ? '' : 's'}; ${least === most ? least : `${least} to ${most}`} ${most === 1 ? 'is' : 'are'} required`;
  return broken(isOutside(n, range), 'sourceText', message);
}

function occursIn(text: string): (label: string) => boolean {
  const spelled = ` ${normalise(text)} `;
  return (label) => spelled.includes(` ${normalise(label)} `);
}

function conceptsOccur({ sourceText, expectedConcepts }: GoldenCase): Found {
  const occurs = occursIn(sourceText);
  return expectedConcepts.flatMap(({ label, aliases }, i) =>
    broken(
      ![label, ...aliases].some(occurs),
      `expectedConcepts.${i}`,
      `neither "${label}" nor an alias of it occurs in the text; name it as the text does, or leave it out`,
    ),
  );
}

/** An alias may be another spelling of its own concept. A name of two concepts is ambiguous. */
function noConceptTwice({ expectedConcepts }: GoldenCase): Found {
  const owner = new Map<string, number>();
  return expectedConcepts.flatMap(({ label, aliases }, i) =>
    [label, ...aliases].flatMap((name) => {
      const key = normalise(name);
      const first = owner.get(key) ?? i;
      owner.set(key, first);
      const message = `"${name}" already stands for "${expectedConcepts[first]?.label}"; use the name for only one of the two`;
      return broken(first !== i, `expectedConcepts.${i}`, message);
    }),
  );
}

function declared({ expectedConcepts }: GoldenCase): Map<string, string> {
  return new Map(
    expectedConcepts.flatMap(({ label, aliases }) =>
      [label, ...aliases].map((name) => [normalise(name), label] as const),
    ),
  );
}

function endpointsDeclared(golden: GoldenCase): Found {
  const concepts = declared(golden);
  return (['expectedRelationships', 'forbiddenRelationships'] as const).flatMap((list) =>
    golden[list].flatMap((edge, i) =>
      (['source', 'target'] as const).flatMap((end) =>
        broken(
          !concepts.has(normalise(edge[end])),
          `${list}.${i}.${end}`,
          `"${edge[end]}" is no expected concept; add it to them, or name another end`,
        ),
      ),
    ),
  );
}

function evidenceVerbatim({ sourceText, expectedRelationships }: GoldenCase): Found {
  return expectedRelationships.flatMap(({ evidence }, i) =>
    broken(
      evidence !== undefined && (evidence.trim() === '' || !sourceText.includes(evidence)),
      `expectedRelationships.${i}.evidence`,
      `the text does not contain "${evidence}"; copy the words from it`,
    ),
  );
}

/** A quote may refer to one end by "it". A quote that names neither end comes from the wrong place. */
function evidenceNamesAnEnd(golden: GoldenCase): Found {
  const names = new Map(golden.expectedConcepts.map(({ label, aliases }) => [label, [label, ...aliases]]));
  const concepts = declared(golden);
  const namesOf = (end: string) => names.get(concepts.get(normalise(end)) ?? '') ?? [end];
  return golden.expectedRelationships.flatMap(({ source, target, evidence }, i) => {
    if (evidence === undefined || evidence.trim() === '') return [];
    return broken(
      ![...namesOf(source), ...namesOf(target)].some(occursIn(evidence)),
      `expectedRelationships.${i}.evidence`,
      `"${evidence}" names neither "${source}" nor "${target}"; quote the words that state the relationship`,
    );
  });
}

/** Equal for equal edges, whatever their spelling; only RELATES_TO has no direction. */
function keyOf(golden: GoldenCase): (edge: Edge) => string {
  const concepts = declared(golden);
  const resolve = (name: string) => concepts.get(normalise(name)) ?? normalise(name);
  return ({ source, target, predicate }) => {
    const ends = [resolve(source), resolve(target)];
    return JSON.stringify([predicate, ...(predicate === 'RELATES_TO' ? ends.sort() : ends)]);
  };
}

function repeated<T>(place: string, items: readonly T[], key: (item: T) => string): Found {
  const seen = new Map<string, number>();
  return items.flatMap((item, i) => {
    const first = seen.get(key(item));
    seen.set(key(item), first ?? i);
    const message = `is a duplicate of ${place}.${first}; remove one of them`;
    return broken(first !== undefined, `${place}.${i}`, message);
  });
}

/** A concept cannot be a kind of itself, precede itself, or relate to itself. */
function noContradictions(golden: GoldenCase): Found {
  const concepts = declared(golden);
  const resolve = (name: string) => concepts.get(normalise(name)) ?? normalise(name);
  const steps = golden.expectedRelationships.map(({ source, target, predicate }, i) => ({
    predicate,
    from: resolve(source),
    to: resolve(target),
    place: `expectedRelationships.${i}`,
  }));
  const onItself = steps.filter(({ from, to }) => from === to);
  return [
    ...onItself.map(({ from, predicate, place }) => ({
      place,
      message: `"${from}" ${predicate} itself; take it out, or name the other end`,
    })),
    ...(['IS_A', 'PRECEDES'] as const).flatMap((predicate) => {
      const same = steps.filter((step) => step.predicate === predicate && !onItself.includes(step));
      return findCycles(same).map((cycle) =>
        sayCycle(
          predicate,
          cycle.flatMap((at) => same[at] ?? []),
        ),
      );
    }),
  ];
}

function sayCycle(
  predicate: string,
  cycle: readonly { readonly from: string; readonly place: string }[],
): Found[number] {
  const round = [...cycle, ...cycle.slice(0, 1)].map(({ from }) => `"${from}"`).join(` ${predicate} `);
  const others = cycle.slice(1).map(({ place }) => place);
  return {
    place: cycle[0]?.place ?? 'expectedRelationships',
    message: `forms a cycle with ${others.join(', ')}: ${round}; remove the one that the text does not state`,
  };
}

function balancedPredicates({ expectedRelationships }: GoldenCase): Found {
  const n = expectedRelationships.length;
  const loose = expectedRelationships.filter(({ predicate }) => predicate === 'RELATES_TO').length;
  return broken(
    n > 0 && loose / n > MOST_RELATES_TO,
    'expectedRelationships',
    `${loose} of ${n} are RELATES_TO; the limit is 45%, so check whether the text states more`,
  );
}

function canariesAbsent(golden: GoldenCase): Found {
  const occurs = occursIn(golden.sourceText);
  // Compared like canaries in a run, so that a disguised spelling is still the same word.
  const expected = new Set(
    golden.expectedConcepts.flatMap(({ label, aliases }) => [label, ...aliases].map(canaryKey)),
  );
  return golden.forbiddenConcepts.flatMap((label, i) => {
    const [place, key] = [`forbiddenConcepts.${i}`, canaryKey(label)];
    return [
      ...broken(occurs(label) || occurs(key), place, `"${label}" occurs in the text; forbid another`),
      ...broken(expected.has(key), place, `"${label}" is expected as well; take it out of one list`),
    ];
  });
}

/** Words from other fields that make invented terms sound learned. */
const BORROWED: ReadonlySet<string> = new Set(
  `annealing arbitrage backdraught buoyancy crystallisation echo entanglement fermentation frostline
  futures half-life harmonic inversion isostasy isotopic ledger meridian metabolism mirror osmosis parallax phantom
  photonic quantum refraction resonance ricochet spectral sublimation synaptic tectonic tessellation
  tether tidal titration torsion transmutation vortex whiplash`
    .trim()
    .split(/\s+/)
    .map(normalise),
);

/**
 * A canary is useful only if a model might write it: a plausible term of the subject that the text does not contain.
 */
function canariesPlausible({ sourceText, topic, forbiddenConcepts }: GoldenCase): Found {
  const own = new Set(normalise(`${topic} ${sourceText}`).split(' '));
  const stems = new Set([...own].filter((word) => word.length > 5).map((word) => word.slice(0, 6)));
  const isOfText = (word: string) => own.has(word) || stems.has(word.slice(0, 6));
  return forbiddenConcepts.flatMap((label, i) => {
    const words = normalise(label).split(' ');
    const strange =
      words.length > 1 ? words.find((word) => BORROWED.has(word) && !isOfText(word)) : undefined;
    const why = strange !== undefined ? `borrows "${strange}" from another field` : 'has no word of the text';
    return strange === undefined && words.some(isOfText)
      ? []
      : [
          {
            place: `forbiddenConcepts.${i}`,
            message: `"${label}" ${why}, so hardly a model would write it; forbid a real term of the subject that the text leaves out`,
            warning: true as const,
          },
        ];
  });
}

function notBoth(golden: GoldenCase): Found {
  const key = keyOf(golden);
  const expected = new Set(golden.expectedRelationships.map(key));
  return golden.forbiddenRelationships.flatMap((edge, i) =>
    broken(
      expected.has(key(edge)),
      `forbiddenRelationships.${i}`,
      'is expected as well; take it out of one list',
    ),
  );
}

/** Each field occurs once, and its type can parse the value. Whether the text contains it is up to the author. */
function soundFields({ fields = [] }: GoldenCase): Found {
  const unreadable: Readonly<Record<string, (value: string) => boolean>> = {
    number: (value) => numberOf(value) === undefined,
    money: (value) => moneyOf(value).amount === undefined,
    date: (value) => dayOf(value) === undefined,
  };
  return [
    ...repeated('fields', fields, ({ name }) => normalise(name)),
    ...fields.flatMap(({ type, value }, i) =>
      broken(
        unreadable[type]?.(String(value)) ?? false,
        `fields.${i}.value`,
        `"${value}" is no ${type} that can be read`,
      ),
    ),
  ];
}

type CycleStep = { readonly from: string; readonly to: string };

/** Finds cycles, as indices of their steps in order. Every step on a cycle is in one of them. */
function findCycles(steps: readonly CycleStep[]): number[][] {
  const leaving = Map.groupBy(steps.keys(), (i) => steps[i]?.from ?? '');
  const reported = new Set<number>();
  return steps.flatMap(({ from, to }, first) => {
    // A cycle is reported at its first step, not once per step.
    const back = reported.has(first) ? undefined : shortestWay(steps, leaving, to, from);
    if (back === undefined) return [];
    const cycle = [first, ...back];
    for (const step of cycle) reported.add(step);
    return [cycle];
  });
}

function shortestWay(
  steps: readonly CycleStep[],
  leaving: ReadonlyMap<string, readonly number[]>,
  start: string,
  goal: string,
): number[] | undefined {
  const ways = new Map<string, number[]>([[start, []]]);
  for (const [at, way] of ways) {
    if (at === goal) return way;
    for (const step of leaving.get(at) ?? []) {
      const next = steps[step]?.to ?? '';
      if (!ways.has(next)) ways.set(next, [...way, step]);
    }
  }
  return undefined;
}
