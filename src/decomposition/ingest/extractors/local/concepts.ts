import { namingsOf, type WordSpan } from './aliases.ts';
import type { Analysis, Word } from './analyse.ts';
import type { Occurrence } from './candidates.ts';
import { probability } from './linear.ts';
import { placesOf } from './mentions.ts';
import type { Model } from './model.ts';
import { rankPhrases } from './rank.ts';
import { type Chosen, chooseConcepts } from './select.ts';

/** A concept with every place that names it, under whichever name. */
export type Concept = {
  readonly label: string;
  readonly aliases: readonly string[];
  readonly places: readonly Occurrence[];
  /** The word at which it is first named as its label says. */
  readonly at: number;
  readonly confidence: number;
};

export function conceptsOf(analysis: Analysis, model: Model): readonly Concept[] {
  const longer = longerNames(analysis);
  const mainOf = (key: string): string => longer.get(key) ?? key;
  const ranked = rankPhrases(analysis, model);
  return joinNames(analysis, chooseConcepts(ranked, model.central, analysis.words.length, mainOf), longer);
}

type Named = Map<string, { readonly keys: string[]; odds: number }>;

/** Short forms and other names, each with the name it stands for. */
function longerNames(analysis: Analysis): ReadonlyMap<string, string> {
  const keyOf = ({ at, length }: WordSpan) =>
    analysis.words
      .slice(at, at + length)
      .map(({ stem }) => stem)
      .join(' ');
  return new Map(namingsOf(analysis).map(({ name, alias }) => [keyOf(alias), keyOf(name)]));
}

/** Two names of one thing become one concept under the longer form. */
function joinNames(
  analysis: Analysis,
  chosen: readonly Chosen[],
  longer: ReadonlyMap<string, string>,
): readonly Concept[] {
  const named: Named = new Map();
  for (const { key, odds } of chosen) {
    const main = longer.get(key) ?? key;
    const known = named.get(main);
    if (known !== undefined) known.odds = Math.max(known.odds, odds);
    else named.set(main, { keys: [main, ...aliasesOf(main, longer)], odds });
  }
  return [...named.values()].flatMap(({ keys, odds }) => {
    const places = keys.map((key) => placesOf(analysis, key));
    const [own, ...others] = places.map((one) => labelAt(analysis, one));
    if (own === undefined) return [];
    const { label, at } = own;
    const aliases = others.flatMap((other) =>
      other === undefined || other.label === label ? [] : other.label,
    );
    return [{ label, aliases, at, places: places.flat(), confidence: probability(odds) }];
  });
}

function aliasesOf(main: string, longer: ReadonlyMap<string, string>): string[] {
  return [...longer].filter(([alias, name]) => name === main && alias !== main).map(([alias]) => alias);
}

/** The form that the text uses most, as it is written inside a sentence. */
function labelAt(
  { words, readable, sentences }: Analysis,
  places: readonly Occurrence[],
): { label: string; at: number } | undefined {
  const forms = new Map<string, { label: string; at: number; count: number }>();
  for (const { at, length } of places) {
    const first = words[at] as Word;
    const last = words[at + length - 1] as Word;
    const written = readable.slice(first.from, last.to).replaceAll(/\s+/g, ' ');
    const begins = sentences[first.sentence]?.first === at && /^\p{Lu}\p{Ll}+(?!\p{L})/u.test(written);
    const form =
      begins && first.pos !== 'PROPN' ? written.charAt(0).toLowerCase() + written.slice(1) : written;
    const known = forms.get(form);
    if (known === undefined) forms.set(form, { label: form, at, count: 1 });
    else known.count += 1;
  }
  return [...forms.values()].sort((a, b) => b.count - a.count)[0];
}
