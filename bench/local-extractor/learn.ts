/** Learns the parts of the model from what data.ts reads. */
import { type Analysis, analyse } from '../../src/decomposition/ingest/extractors/local/analyse.ts';
import {
  candidatesOf,
  mentionsOf,
  placesOf,
  rankPhrases,
} from '../../src/decomposition/ingest/extractors/local/concepts.ts';
import { featuresOf } from '../../src/decomposition/ingest/extractors/local/features.ts';
import { commonnessOf, type Model } from '../../src/decomposition/ingest/extractors/local/model.ts';
import {
  CLAIMS,
  type RelationClaim,
} from '../../src/decomposition/ingest/extractors/local/relations/claims.ts';
import { pairFeatures } from '../../src/decomposition/ingest/extractors/local/relations/pair-features.ts';
import { pairsOf, rulesOut } from '../../src/decomposition/ingest/extractors/local/relations/relate.ts';
import type { GoldenCase } from '../../src/decomposition/ingest/golden-case.ts';
import type { Abstract, MarkedPair } from './data.ts';
import { learnDenseWeights, learnWeights, type Row } from './fit.ts';

export type Table = Map<string, number>;

const keyOf = (phrase: string): string =>
  analyse(phrase)
    .words.map(({ stem }) => stem)
    .join(' ');

/** How rare each stem is that at least `least` texts hold. */
export function rarityTable(texts: readonly Analysis[], least: number): Table {
  const counts = new Map<string, number>();
  for (const { words } of texts) {
    for (const stem of new Set(words.map((word) => word.stem))) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  const kept = [...counts].filter(([, count]) => count >= least);
  return new Map(kept.map(([stem, count]) => [stem, Math.log(texts.length / count)]));
}

export function learnPhrase(abstracts: readonly Abstract[], rarity: Table): Table {
  const commonness = commonnessOf(Object.fromEntries(rarity));
  const rows = abstracts.flatMap(({ analysis, keyphrases }): Row[] => {
    const truth = new Set(keyphrases.map(keyOf));
    const candidates = candidatesOf(analysis);
    const features = featuresOf(analysis, candidates, commonness);
    return candidates.map(({ key }, i) => ({
      features: features[i] as Row['features'],
      label: truth.has(key),
    }));
  });
  return learnWeights(rows, { epochs: 8, decay: 1e-3, step: 0.1, least: 20, drop: 0.05 });
}

/** A golden case, analysed once for all the folds. */
export type Prepared = {
  readonly golden: GoldenCase;
  readonly centralRows: readonly Row[];
  readonly pairRows: readonly PairRow[];
};

type PairRow = Pick<Row, 'features'> & {
  /** Claims that the sentence states, and all that hold for the pair wherever they are stated. */
  readonly stated: ReadonlySet<string>;
  readonly hold: ReadonlySet<string>;
};

export function prepare(golden: GoldenCase, model: Omit<Model, 'central' | 'relations'>): Prepared {
  const analysis = analyse(golden.sourceText);
  const keys = golden.expectedConcepts.map(({ label, aliases }) => [label, ...aliases].map(keyOf));
  const known = new Set(keys.flat());
  const ranked = rankPhrases(analysis, { ...model, central: new Map(), relations: new Map() });
  const centralRows = ranked.map(({ salience, key }) => ({ features: salience, label: known.has(key) }));
  const places = keys.map((names) => [...new Set(names)].flatMap((key) => placesOf(analysis, key)));
  return { golden, centralRows, pairRows: pairRows(golden, analysis, keys, places) };
}

function pairRows(
  golden: GoldenCase,
  analysis: Analysis,
  keys: readonly (readonly string[])[],
  places: Parameters<typeof mentionsOf>[0],
): PairRow[] {
  const indexOf = (label: string) => keys.findIndex((names) => names.includes(keyOf(label)));
  const truths = golden.expectedRelationships.map((one) => ({
    source: indexOf(one.source),
    target: indexOf(one.target),
    predicate: one.predicate,
    evidence: one.evidence,
  }));
  return [...pairsOf(analysis, mentionsOf(places))].map(({ first, second, sentence, features }) => {
    const place = analysis.sentences[sentence];
    const text = analysis.text.slice(place?.from, place?.to);
    const matching = (claim: RelationClaim) =>
      truths.filter(({ source, target, predicate }) => {
        const [from, to] = claim.forward ? [first, second] : [second, first];
        const forward = source === from.concept && target === to.concept;
        const reversed = source === to.concept && target === from.concept;
        return predicate === claim.predicate && (forward || (predicate === 'RELATES_TO' && reversed));
      });
    const hold = CLAIMS.filter((claim) => matching(claim).length > 0);
    const stated = hold.filter((claim) =>
      matching(claim).some(
        ({ evidence = '' }) => evidence !== '' && (text.includes(evidence) || evidence.includes(text)),
      ),
    );
    const names = (claims: readonly RelationClaim[]) => new Set(claims.map(({ name }) => name));
    return { features, stated: names(stated), hold: names(hold) };
  });
}

export function learnCentral(cases: readonly Prepared[]): Table {
  const rows = cases.flatMap(({ centralRows }) => centralRows);
  return learnDenseWeights(rows, { epochs: 30, decay: 1e-3, step: 0.05, least: 1, drop: 0 });
}

/** Marked pairs teach one predicate only; the name of the set is a feature, so that its base rate stays its own. */
export type Marked = {
  readonly predicate: 'CAUSES' | 'IS_A';
  /** Clauses are marked, not names: their base rate is another. */
  readonly clauses?: boolean;
  readonly pairs: readonly MarkedPair[];
};
const MARKED_WEIGHT = 0.3;
/** Features in fewer pairs are dropped: words of one text do not generalise. */
const LEAST = 8;
const LEAST_SHARE = 0.0015;

export function learnRelations(
  cases: readonly Prepared[],
  marked: readonly Marked[],
  claims: readonly RelationClaim[] = CLAIMS,
): Map<string, Table> {
  const golden = cases.flatMap(({ pairRows: rows }) => rows);
  const given = marked.map(({ predicate, pairs, clauses }) => ({
    predicate,
    rows: pairs.map((one) => ({ truth: one.truth, features: markedFeatures(one, clauses) })),
  }));
  return new Map(
    claims.map((claim) => {
      const { name, predicate, forward } = claim;
      const rows: Row[] = golden
        // A pair that the claim holds for, in a sentence that does not state it, teaches neither way.
        .filter(({ stated, hold }) => stated.has(name) || !hold.has(name))
        .filter(({ stated, features }) => !(stated.has(name) && rulesOut(features, claim)))
        .map(({ features, stated }) => ({ features, label: stated.has(name) }));
      for (const one of given) {
        if (one.predicate !== predicate) continue;
        for (const { truth, features } of one.rows) {
          const label = truth === (forward ? 1 : -1);
          if (!(label && rulesOut(features, claim))) rows.push({ features, label, weight: MARKED_WEIGHT });
        }
      }
      const least = Math.max(LEAST, Math.round(rows.length * LEAST_SHARE));
      return [name, learnWeights(rows, { epochs: 10, decay: 1e-2, step: 0.1, least, drop: 0.1 })] as const;
    }),
  );
}

const cache = new WeakMap<MarkedPair, Row['features']>();

/** Features of a marked pair, with the mark that it was given and not found. */
export function markedFeatures(pair: MarkedPair, clauses = false): Row['features'] {
  const known = cache.get(pair);
  if (known !== undefined) return known;
  const { analysis, first, second, others } = pair;
  const index = analysis.words[first.at]?.sentence ?? 0;
  const last = analysis.words[second.at]?.sentence ?? index;
  const from = analysis.sentences[index];
  const to = analysis.sentences[last];
  if (from === undefined || to === undefined) throw new Error('a marked pair stands outside every sentence');
  const sentence = { ...from, to: to.to, end: to.end };
  const mark = clauses ? 'given clauses' : 'given';
  const features = new Map(pairFeatures({ words: analysis.words, sentence, first, second, others })).set(
    mark,
    1,
  );
  cache.set(pair, features);
  return features;
}

/** What is learnt without the golden suite. */
export type Base = {
  readonly abstracts: Table;
  readonly everyday: Table;
  readonly phrase: Table;
  readonly model: Omit<Model, 'central' | 'relations'>;
};

/** Everyday English are the sentences with marked pairs. */
export function learnBase(abstracts: readonly Abstract[], sentences: readonly MarkedPair[]): Base {
  const rare = rarityTable(
    abstracts.map(({ analysis }) => analysis),
    8,
  );
  const everyday = rarityTable(
    sentences.map(({ analysis }) => analysis),
    8,
  );
  const phrase = learnPhrase(abstracts, rare);
  const model = {
    abstracts: commonnessOf(Object.fromEntries(rare)),
    everyday: commonnessOf(Object.fromEntries(everyday)),
    phrase,
  };
  return { abstracts: rare, everyday, phrase, model };
}
