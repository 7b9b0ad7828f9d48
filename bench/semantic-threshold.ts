/**
 * From which similarity on do two labels name one concept? `node bench/semantic-threshold.ts` prints, for each
 * threshold, how many of the accepted pairs are right and how many of the right ones are accepted. Needs the optional
 * packages of the semantic model; the first two tables need ../shared/data/decomposition/scienceie (SemEval-2017 task
 * 10). The train part chooses, the dev part reports.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readGoldenSet } from '../src/decomposition/ingest/golden-case.ts';
import { acronymForms, openAcronymIndex } from '../src/decomposition/match/acronym.ts';
import { normalise } from '../src/decomposition/match/normalise.ts';
import { loadSemanticModel } from '../src/decomposition/match/semantic/load.ts';
import {
  CLOSE_MARGIN,
  cosineOf,
  SIMILAR_FROM,
  shareBeginning,
  similarityNeeded,
} from '../src/decomposition/match/semantic/semantic-tier.ts';
import { wilson } from '../src/stats/intervals.ts';
import { random } from '../src/stats/random.ts';

const DATA = '../shared/data/decomposition/scienceie';
const THRESHOLDS = [0.7, 0.75, 0.8, 0.85, 0.9, 0.95];
/** Pairs of the same paragraph that are not labelled synonyms, for each pair that is. */
const NEGATIVES_EACH = 2;

type Pair = { readonly one: string; readonly other: string; readonly same: boolean };
type Judged = Pair & { readonly byRule: boolean; readonly cosine: number };

const model = await loadSemanticModel();
if (model === undefined) {
  console.log('the packages of the semantic model are not installed; nothing was measured');
  process.exit(2);
}
const semantic = model;

async function judge(pairs: readonly Pair[]): Promise<Judged[]> {
  const judged: Judged[] = [];
  for (const pair of pairs) {
    const [a, b] = await semantic.embed([pair.one, pair.other]);
    const cosine = a === undefined || b === undefined ? 0 : cosineOf(a, b);
    judged.push({ ...pair, byRule: byRule(pair.one, pair.other), cosine });
  }
  return judged;
}

/** What stricter levels know already. */
function byRule(one: string, other: string): boolean {
  if (normalise(one) === normalise(other)) return true;
  return openAcronymIndex([[one]])(acronymForms([other])).size > 0;
}

function print(
  title: string,
  pairs: readonly Judged[],
  accept: (pair: Judged, from: number) => boolean,
): void {
  const right = pairs.filter(({ same }) => same).length;
  console.log(`\n${title}: ${right} pairs of one concept, ${pairs.length - right} of two`);
  console.log('similar from   precision                 recall                    accepted');
  for (const from of THRESHOLDS) {
    const accepted = pairs.filter((pair) => accept(pair, from));
    const hits = accepted.filter(({ same }) => same).length;
    const chosen = from === SIMILAR_FROM ? '  ← used' : '';
    console.log(
      `${from.toFixed(2).padEnd(15)}${share(hits, accepted.length).padEnd(26)}${share(hits, right).padEnd(26)}${accepted.length}${chosen}`,
    );
  }
}

/** What the rule costs that the model is not asked about labels of which no two words begin alike. */
function printUnasked(pairs: readonly Judged[]): void {
  const unasked = pairs.filter(
    ({ one, other, cosine, byRule }) => !byRule && cosine >= SIMILAR_FROM && !shareBeginning(one, other),
  );
  const right = unasked.filter(({ same }) => same).length;
  console.log(
    `alike from ${SIMILAR_FROM} but no words begin alike: ${right} of one concept, ${unasked.length - right} of two`,
  );
}

function share(k: number, n: number): string {
  const interval = wilson(k, n);
  if (interval === undefined) return 'none accepted';
  return `${(k / n).toFixed(3)} [${interval.low.toFixed(3)}, ${interval.high.toFixed(3)}]`;
}

const alone = ({ one, other, cosine }: Judged, from: number) =>
  cosine >= (similarityNeeded(one, other, from) ?? Infinity);
const withRules = (pair: Judged, from: number) => pair.byRule || alone(pair, from);

/** Synonyms of a part, and pairs of the same paragraphs drawn with a fixed seed. */
function sciencePairs(part: string): Pair[] {
  const [same, different]: [Pair[], Pair[]] = [[], []];
  for (const file of readdirSync(join(DATA, part))
    .filter((name) => name.endsWith('.ann'))
    .sort()) {
    const { synonyms, others } = paragraphPairs(readFileSync(join(DATA, part, file), 'utf8'));
    same.push(...synonyms);
    if (synonyms.length > 0) different.push(...others);
  }
  const source = random(1);
  const drawn = Array.from({ length: Math.min(NEGATIVES_EACH * same.length, different.length) }, () => {
    const [pair] = different.splice(source.below(different.length), 1);
    return pair as Pair;
  });
  return [...same, ...drawn];
}

function paragraphPairs(annotations: string): { synonyms: Pair[]; others: Pair[] } {
  const lines = annotations.split('\n');
  const names = new Map(
    lines.flatMap((line) => {
      const [id = '', , name = ''] = line.split('\t');
      return id.startsWith('T') ? [[id, name.trim()] as const] : [];
    }),
  );
  const keyOf = (one: string, other: string) => [normalise(one), normalise(other)].sort().join('\n');
  const related = new Set<string>();
  const synonyms = new Map<string, Pair>();
  for (const line of lines.filter((text) => /^[*R]/.test(text))) {
    const ends = [...line.matchAll(/T\d+/g)].flatMap(([id]) => names.get(id) ?? []);
    for (const [one, other] of pairsOf(ends)) {
      related.add(keyOf(one, other));
      if (line.includes('Synonym-of')) synonyms.set(keyOf(one, other), { one, other, same: true });
    }
  }
  const others = new Map(
    pairsOf([...new Set(names.values())]).map(([one, other]) => [
      keyOf(one, other),
      { one, other, same: false },
    ]),
  );
  return {
    synonyms: [...synonyms.values()].filter(({ one, other }) => one !== other),
    others: [...others].flatMap(([key, pair]) => (related.has(key) ? [] : [pair])),
  };
}

function pairsOf(items: readonly string[]): [string, string][] {
  return items.flatMap((one, i) => items.slice(i + 1).map((other): [string, string] => [one, other]));
}

/** Each label with each of its aliases; and every two names of two concepts of a case, or of a concept and a canary. */
function goldenPairs(): Pair[] {
  return readGoldenSet('golden').cases.flatMap(({ expectedConcepts, forbiddenConcepts }) => {
    const names = [
      ...expectedConcepts.map(({ label, aliases }) => [label, ...aliases]),
      ...forbiddenConcepts.map((label) => [label]),
    ];
    const same = expectedConcepts.flatMap(({ label, aliases }) =>
      aliases.map((alias) => ({ one: label, other: alias, same: true })),
    );
    const different = names.flatMap((some, i) =>
      names
        .slice(i + 1)
        .flatMap((others) => some.flatMap((one) => others.map((other) => ({ one, other, same: false })))),
    );
    return [...same, ...different];
  });
}

console.log(`Labels that share all words but one need ${CLOSE_MARGIN} more. 95% intervals after Wilson.`);
if (existsSync(DATA)) {
  for (const part of ['train', 'dev']) {
    const pairs = await judge(sciencePairs(part));
    print(`ScienceIE ${part}, all levels together`, pairs, withRules);
    printUnasked(pairs);
    print(
      `ScienceIE ${part}, the semantic level on what stricter levels leave`,
      pairs.filter((pair) => !pair.byRule),
      alone,
    );
  }
} else {
  console.log(`${DATA} is not there; ScienceIE was not measured`);
}
const ours = await judge(goldenPairs());
print(
  'golden/, every pair of names, the semantic level on what stricter levels leave',
  ours.filter((pair) => !pair.byRule),
  alone,
);
printUnasked(ours);
