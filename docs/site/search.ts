/** Finding a page by words: how its parts are put into the index, and in which order they come out. The browser and the tests share it. */
import MiniSearch, { type Options } from 'minisearch';

/** A part of a page that can be found. */
export type Entry = {
  readonly id: number;
  /** Its page; the place in it, empty for the top. */
  readonly address: string;
  readonly anchor: string;
  readonly title: string;
  readonly heading: string;
  /** The group of the navigation. */
  readonly group: string;
  readonly text: string;
};

export type Found = Omit<Entry, 'id'>;

/** What people ask with, and never for. */
const STOP_WORDS = new Set(
  'a an and are as at be been by can could do does for from get give go had has have how i if in into is it its me my of on or our should so than that the their then there these they this to was we were what when where which while who why will with would you your'.split(
    ' ',
  ),
);

/** One form for the usual endings of a word, in the query and in the text. */
export function stem(term: string): string | null {
  const word = term.toLowerCase();
  // One-digit numbers are steps and columns, and do not distinguish pages.
  if (STOP_WORDS.has(word) || /^\d?$/.test(word)) return null;
  if (word.length < 5 || /[\d_]/.test(word)) return word.length === 4 ? word.replace(/(?<!s)s$/, '') : word;
  return word
    .replace(/(?<!s)s$/, '')
    .replace(/ie$/, 'y')
    .replace(/(?:ing|ed|e)$/, '')
    .replace(/([b-df-hj-np-tv-z])\1$/, '$1');
}

/** Guides come before reference, reference before decisions and measurements. */
const WEIGHT_OF_GROUP: Readonly<Record<string, number>> = {
  Tutorials: 1.15,
  Reference: 0.9,
  Formats: 0.85,
  Metrics: 0.8,
  Decisions: 0.5,
  Project: 0.4,
};

export const SEARCH_OPTIONS: Options<Entry> = {
  fields: ['title', 'heading', 'text'],
  storeFields: ['address', 'anchor', 'title', 'heading', 'group', 'text'],
  // Names of options, settings and files are words, and so are their parts.
  tokenize: (text) =>
    text.split(/[^\p{L}\p{N}_]+/u).flatMap((word) => [word, ...(word.includes('_') ? word.split('_') : [])]),
  processTerm: stem,
  searchOptions: {
    boost: { title: 3, heading: 2.5 },
    prefix: (term) => term.length > 2,
    fuzzy: (term) => (term.length > 5 ? 0.2 : false),
    weights: { prefix: 0.4, fuzzy: 0.35 },
    boostDocument: (_id, _term, stored) => WEIGHT_OF_GROUP[String(stored?.group)] ?? 1,
  },
};

/** A page whose sections are results of their own; any other page is one result, ranked by its best section. */
const LOOKED_UP = 'docs/commands.html';
const MOST = 12;

/** Words that people ask with, and those that the pages have for the same. */
const ALSO: Readonly<Record<string, string>> = {
  support: 'formats read',
  compatible: 'formats read',
  setup: 'init',
  migrate: 'coming from',
  notification: 'alerts',
  monitor: 'production watched',
  permission: 'token scope',
};
const MEANT = new Map(Object.entries(ALSO).map(([word, also]) => [stem(word), also]));

function withMeant(question: string): string {
  return [question, ...question.split(/\W+/).flatMap((word) => MEANT.get(stem(word)) ?? [])].join(' ');
}

/** What its other parts add to the best part of a page. */
const OF_OTHERS = 0.2;

export function findPages(index: MiniSearch<Entry>, question: string): Found[] {
  const places = new Map<string, { readonly best: Found; score: number }>();
  for (const result of index.search(withMeant(question))) {
    const { address, anchor, title, heading, group, text } = result as unknown as Found;
    const place = address === LOOKED_UP ? `${address}#${anchor}` : address;
    const known = places.get(place);
    if (known === undefined)
      places.set(place, { best: { address, anchor, title, heading, group, text }, score: result.score });
    else known.score += OF_OTHERS * result.score;
  }
  const ordered = [...places.values()].toSorted((a, b) => b.score - a.score);
  return ordered.slice(0, MOST).map(({ best }) => best);
}

export function indexOf(entries: readonly Entry[]): MiniSearch<Entry> {
  const index = new MiniSearch<Entry>(SEARCH_OPTIONS);
  index.addAll(entries);
  return index;
}
