import { wilson } from '../../../stats/wilson.ts';
import { labelWords } from '../../investigate/label-words.ts';
import type { DecompositionRecord } from '../record.ts';

/** What a user said of an output or of one concept of it. */
export type SaidOf = {
  readonly outputId: string;
  readonly item?: string;
  readonly thumb?: 'up' | 'down';
  readonly score?: number;
  readonly comment?: string;
  readonly record?: DecompositionRecord;
};

export type FeedbackCounts = { readonly up: number; readonly down: number };

/** Requests that have something in common and are liked less than the others. */
export type FeedbackPattern = {
  readonly by: 'topic' | 'prompt version' | 'model';
  readonly name: string;
  readonly down: number;
  readonly n: number;
  /** Share of the others that were not liked. */
  readonly elsewhere: number;
  readonly examples: readonly string[];
};

export type DislikedItem = {
  readonly label: string;
  readonly down: number;
  readonly examples: readonly string[];
};
export type DislikedWord = { readonly word: string; readonly count: number; readonly example: string };

export type FeedbackTrend = {
  readonly now: FeedbackCounts;
  readonly before: FeedbackCounts;
  readonly patterns: readonly FeedbackPattern[];
  /** Concepts that users disliked, the most first. */
  readonly items: readonly DislikedItem[];
  /** Words of comments on what was disliked, the most first, each counted once a comment. */
  readonly words: readonly DislikedWord[];
};

const MOST = 3;

export function feedbackTrend(now: readonly SaidOf[], before: readonly SaidOf[]): FeedbackTrend {
  const disliked = now.filter((one) => opinionOf(one) === 'down');
  return {
    now: countsOf(now),
    before: countsOf(before),
    patterns: patternsIn(now).slice(0, MOST),
    items: itemsIn(disliked).slice(0, MOST),
    words: wordsIn(disliked).slice(0, MOST),
  };
}

/** Three stars are neither. */
function opinionOf({ thumb, score }: SaidOf): 'up' | 'down' | undefined {
  if (thumb !== undefined) return thumb;
  if (score === undefined || score === 3) return undefined;
  return score > 3 ? 'up' : 'down';
}

function countsOf(said: readonly SaidOf[]): FeedbackCounts {
  const opinions = said.map(opinionOf);
  return {
    up: opinions.filter((one) => one === 'up').length,
    down: opinions.filter((one) => one === 'down').length,
  };
}

/** Fewer say nothing of what they have in common. */
const FEWEST = 5;

const GROUPS = [
  ['topic', ({ topic }: DecompositionRecord) => topic],
  ['prompt version', ({ promptVersion }: DecompositionRecord) => promptVersion],
  ['model', ({ model }: DecompositionRecord) => model],
] as const;

/** Those where even the low end of a 99% interval is above the others: many groups are looked at. */
function patternsIn(said: readonly SaidOf[]): FeedbackPattern[] {
  const told = said.filter((one) => opinionOf(one) !== undefined);
  return GROUPS.flatMap(([by, nameOf]) => {
    const groups = Map.groupBy(told, ({ record }) => record && nameOf(record));
    return [...groups].flatMap(([name, own]): FeedbackPattern[] => {
      const [mine, all] = [countsOf(own), countsOf(told)];
      const [n, rest] = [own.length, told.length - own.length];
      if (name === undefined || n < FEWEST || rest < FEWEST) return [];
      const elsewhere = (all.down - mine.down) / rest;
      if ((wilson(mine.down, n, 0.99)?.low ?? 0) <= elsewhere) return [];
      const examples = own.filter((one) => opinionOf(one) === 'down').map(({ outputId }) => outputId);
      return [{ by, name, down: mine.down, n, elsewhere, examples: distinct(examples) }];
    });
  }).sort((a, b) => b.down / b.n - b.elsewhere - (a.down / a.n - a.elsewhere));
}

function itemsIn(disliked: readonly SaidOf[]): DislikedItem[] {
  const named = disliked.filter(({ item }) => item !== undefined);
  return [...Map.groupBy(named, ({ item = '' }) => item.toLowerCase())]
    .map(([, own]) => ({
      label: own[0]?.item ?? '',
      down: own.length,
      examples: distinct(own.map(({ outputId }) => outputId)),
    }))
    .sort((a, b) => b.down - a.down || (a.label < b.label ? -1 : 1));
}

/** A word that one person used is no pattern. */
const WORD_FEWEST = 2;

function wordsIn(disliked: readonly SaidOf[]): DislikedWord[] {
  const found = new Map<string, { count: number; readonly example: string; readonly word: string }>();
  for (const { comment } of disliked) {
    if (comment === undefined) continue;
    const words = comment.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
    const byStem = new Map(words.map((word) => [[...labelWords(word).stems][0] ?? word, word]));
    for (const [stem, word] of byStem) {
      const known = found.get(stem);
      if (known === undefined) found.set(stem, { count: 1, example: comment, word });
      else known.count += 1;
    }
  }
  const ranked = [...found.values()]
    .filter(({ count }) => count >= WORD_FEWEST)
    .sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1));
  // Words that come together say the same thing once.
  return ranked.filter(({ example }, place) => ranked.findIndex((one) => one.example === example) === place);
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids)].slice(0, MOST);
}
