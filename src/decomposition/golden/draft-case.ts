/**
 * Drafts a golden case from the proposals of an extractor. The draft satisfies lint, so that only its content needs
 * correction. It is marked as a draft, and no gate passes on one.
 */
import type { GoldenRules } from '../golden-rules.ts';
import type { GoldenCase } from '../ingest/golden-case.ts';
import type { ExtractionOutput, OutputRelationship } from '../ingest/output.ts';
import { proposalHash } from '../integrity.ts';
import { normalise } from '../match/normalise.ts';
import { type GoldenFinding, lintCase, MOST_RELATES_TO } from './lint-case.ts';

export type DraftFacts = Pick<GoldenCase, 'id' | 'topic' | 'domain' | 'created'>;

type Expected = GoldenCase['expectedConcepts'][number];
type Edge = GoldenCase['expectedRelationships'][number];

const DRAFT =
  'Proposed by a program from the text. Correct everything below, then delete this line: until then no gate passes on it.';

export function draftCase(
  text: string,
  output: ExtractionOutput,
  facts: DraftFacts,
  rules: GoldenRules,
): { readonly golden: GoldenCase; readonly findings: readonly GoldenFinding[] } {
  const sourceText = fittingText(text, rules);
  const concepts = conceptsOf(output, sourceText, rules);
  const expectedRelationships = edgesOf(output, concepts, sourceText, rules);
  const first: GoldenCase = {
    ...facts,
    draft: DRAFT,
    version: '0.1',
    sourceText,
    expectedConcepts: concepts,
    expectedRelationships,
    forbiddenConcepts: canariesOf(concepts, sourceText, rules),
    forbiddenRelationships: forbiddenOf(concepts, expectedRelationships, rules),
  };
  const { golden, findings } = repaired(first, rules);
  return { golden: { ...golden, drafted: proposalHash(golden) }, findings };
}

/** As many whole paragraphs from the start as the rules allow; headings alone have no content. */
function fittingText(text: string, { words, paragraphs }: GoldenRules): string {
  const all = text
    .replaceAll('\r\n', '\n')
    .split(/\n\s*\n/)
    .map((one) => one.trim())
    .filter((one) => one !== '' && !/^#{1,6} [^\n]*$/.test(one));
  const kept: string[] = [];
  let count = 0;
  for (const one of all.slice(0, paragraphs[1])) {
    count += one.split(/\s+/).length;
    if (kept.length > 0 && count > words[1]) break;
    kept.push(one);
  }
  return kept.join('\n\n');
}

function conceptsOf(
  output: ExtractionOutput,
  text: string,
  { concepts: range, withAliases }: GoldenRules,
): Expected[] {
  const spelled = ` ${normalise(text)} `;
  const taken = new Set<string>();
  const found = output.concepts
    .toSorted((a, b) => (b.confidence ?? 0) - (a.confidence ?? 0))
    .filter(({ label }) => {
      const key = normalise(label);
      if (taken.has(key) || !spelled.includes(` ${key} `)) return false;
      taken.add(key);
      return true;
    })
    .slice(0, range[1]);
  const required = Math.ceil(found.length * 0.6);
  let aliased = 0;
  return found.map(({ label, aliases = [] }, i): Expected => {
    const turned = aliased < withAliases ? turnedName(label) : undefined;
    const names = [...aliases, ...(aliases.length === 0 && turned !== undefined ? [turned] : [])].filter(
      (name) => !taken.has(normalise(name)),
    );
    for (const name of names) taken.add(normalise(name));
    if (names.length > 0) aliased += 1;
    return { label, aliases: names, required: i < required };
  });
}

/** `soil erosion` is the same as `erosion of soil`. */
function turnedName(label: string): string | undefined {
  const [first, second, ...more] = label.split(' ');
  return first !== undefined && second !== undefined && more.length === 0
    ? `${second} of ${first}`
    : undefined;
}

const SPARE = 6;

function edgesOf(
  output: ExtractionOutput,
  concepts: readonly Expected[],
  text: string,
  { relationships: [least, most], predicates }: GoldenRules,
): Edge[] {
  const labels = new Set(concepts.map(({ label }) => label));
  const stated = output.relationships
    .toSorted((a, b) => (b.confidence ?? 0) - (a.confidence ?? 0))
    .filter(
      ({ source, target, predicate }) =>
        labels.has(source) && labels.has(target) && predicates.includes(predicate),
    )
    .map((edge) => ({ ...edgeOf(edge, text), required: true }));
  const definite = stated.filter(({ predicate }) => predicate !== 'RELATES_TO').slice(0, least);
  const related = stated.filter(({ predicate }) => predicate === 'RELATES_TO');
  const known = new Set(
    stated.flatMap(({ source, target }) => [pairKey(source, target), pairKey(target, source)]),
  );
  const pairs = predicates.includes('RELATES_TO')
    ? pairsIn(text, concepts).filter(([a, b]) => !known.has(pairKey(a, b)))
    : [];
  const filler = pairs.map(
    ([source, target, evidence]): Edge => ({
      source,
      target,
      predicate: 'RELATES_TO',
      required: false,
      evidence,
    }),
  );
  // The number of RELATES_TO relationships that lint accepts for this many definite ones.
  const loose = Math.floor((definite.length * MOST_RELATES_TO) / (1 - MOST_RELATES_TO));
  const wanted = Math.max(0, least - definite.length, Math.min(related.length, most - definite.length));
  return [...definite, ...[...related, ...filler].slice(0, Math.min(loose, wanted))].slice(
    0,
    Math.min(most, least + SPARE),
  );
}

function edgeOf(
  { source, target, predicate, sourceQuote }: OutputRelationship,
  text: string,
): Omit<Edge, 'required'> {
  const verbatim = sourceQuote !== undefined && sourceQuote.trim() !== '' && text.includes(sourceQuote);
  return { source, target, predicate, ...(verbatim && { evidence: sourceQuote }) };
}

function pairKey(source: string, target: string): string {
  return JSON.stringify([normalise(source), normalise(target)]);
}

function pairsIn(text: string, concepts: readonly Expected[]): (readonly [string, string, string])[] {
  const names = concepts.map(({ label }) => ({ label, key: ` ${normalise(label)} ` }));
  const pairs = text.split(/(?<=[.!?])\s+/).flatMap((sentence) => {
    const spelled = ` ${normalise(sentence)} `;
    const here = names.filter(({ key }) => spelled.includes(key)).map(({ label }) => label);
    return here.flatMap((a, i) => here.slice(i + 1).map((b) => [a, b, sentence] as const));
  });
  return [...new Map(pairs.map((pair) => [pairKey(pair[0], pair[1]), pair])).values()];
}

/** New terms, each from words of two concepts, that occur neither in the text nor in the list. */
function canariesOf(
  concepts: readonly Expected[],
  text: string,
  { canaries: [least, most] }: GoldenRules,
): string[] {
  const spelled = ` ${normalise(text)} `;
  const words = concepts.map(({ label }) => label.split(' '));
  const made = new Map<string, string>();
  for (let step = 1; step < words.length && made.size < least; step++) {
    for (const [i, [first = '']] of words.entries()) {
      const last = words[(i + step) % words.length]?.at(-1) ?? '';
      const label = `${first} ${last}`;
      const known =
        spelled.includes(` ${normalise(label)} `) ||
        concepts.some((one) => normalise(one.label) === normalise(label));
      if (first !== last && !known && made.size < Math.min(least + 1, most))
        made.set(normalise(label), label);
    }
  }
  return [...made.values()];
}

function forbiddenOf(
  concepts: readonly Expected[],
  edges: readonly Edge[],
  { forbiddenRelationships: [least], predicates }: GoldenRules,
): GoldenCase['forbiddenRelationships'] {
  const known = new Set(
    edges.map(({ source, target, predicate }) => `${predicate} ${pairKey(source, target)}`),
  );
  const turned = edges
    .filter(({ predicate }) => predicate !== 'RELATES_TO')
    .map(({ source, target, predicate }) => ({ source: target, target: source, predicate }));
  const [definite = 'CAUSES'] = predicates.filter((one) => one !== 'RELATES_TO');
  const far = concepts.slice(0, least + 3).map(({ label }, i) => ({
    source: concepts.at(-1 - i)?.label ?? label,
    target: label,
    predicate: definite,
  }));
  const all = [...turned, ...far].filter(
    ({ source, target, predicate }) =>
      source !== target && !known.has(`${predicate} ${pairKey(source, target)}`),
  );
  const distinct = new Map(
    all.map((edge) => [`${edge.predicate} ${pairKey(edge.source, edge.target)}`, edge]),
  );
  return [...distinct.values()].slice(0, least);
}

const ROUNDS = 20;

/** Removes what lint reports, one by one, and returns the remaining findings. */
function repaired(first: GoldenCase, rules: GoldenRules) {
  let golden = first;
  for (let round = 0; round < ROUNDS; round++) {
    const findings = lintCase(golden, rules);
    const next = withoutFaulty(golden, findings);
    if (next === undefined) return { golden, findings };
    golden = next;
  }
  return { golden, findings: lintCase(golden, rules) };
}

const LISTS = [
  'expectedRelationships',
  'forbiddenRelationships',
  'forbiddenConcepts',
  'expectedConcepts',
] as const;

function withoutFaulty(golden: GoldenCase, findings: readonly GoldenFinding[]): GoldenCase | undefined {
  for (const list of LISTS) {
    const faulty = new Set(
      findings.flatMap(({ place }) => {
        const [name, index] = place.split('.');
        return name === list && index !== undefined ? [Number(index)] : [];
      }),
    );
    if (faulty.size > 0)
      return { ...golden, [list]: (golden[list] as unknown[]).filter((_, i) => !faulty.has(i)) };
  }
  return undefined;
}

export function draftCaseName(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 80)
    .replace(/-$/, '');
  return words === '' ? 'first-case' : words;
}

export type GoldenDraft = {
  readonly path: string;
  readonly folder: string;
  readonly golden: GoldenCase;
  readonly findings: readonly GoldenFinding[];
  readonly domainGiven: boolean;
};
