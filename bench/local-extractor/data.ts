/** Reads the public sets of ../shared/data/decomposition and the golden suite for learning and measuring. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Analysis, analyse } from '../../src/decomposition/ingest/extractors/local/analyse.ts';
import type { Occurrence } from '../../src/decomposition/ingest/extractors/local/concepts.ts';

export const DATA = join(import.meta.dirname, '../../../shared/data/decomposition');
export const GOLDEN = join(import.meta.dirname, '../../golden');

export const has = (part: string): boolean => existsSync(join(DATA, part));
const read = (part: string): string => readFileSync(join(DATA, part), 'utf8');

export type Abstract = { readonly analysis: Analysis; readonly keyphrases: readonly string[] };

/** Title and abstract as one text, as is customary; the indexers' own words as keyphrases. */
export function readAbstracts(part: 'train' | 'dev'): readonly Abstract[] {
  const lines = read(`inspec/${part}.jsonl`).trim().split('\n');
  return lines.map((line) => {
    const { title, text, uncontr } = JSON.parse(line) as { title: string; text: string; uncontr: string[] };
    return { analysis: analyse(`${title}.\n${text}`), keyphrases: uncontr };
  });
}

/** A pair of marked spans: 1 when the first is the source, −1 when the second is, 0 when there is no relation. */
export type MarkedPair = {
  readonly analysis: Analysis;
  readonly first: Occurrence;
  readonly second: Occurrence;
  readonly others: readonly Occurrence[];
  readonly truth: 1 | -1 | 0;
  /** Items of one group stay on one side of a split. */
  readonly group: number;
  /** The annotators call the two one thing. */
  readonly synonym?: boolean;
};

/** Cause-Effect of SemEval-2010 task 8; all other relations are none. */
export function readCauseEffect(): readonly MarkedPair[] {
  const lines = read('semeval2010-task8/TRAIN_FILE.TXT').split(/\r?\n/);
  return lines.flatMap((line, i): MarkedPair[] => {
    const [, id, marked] = /^(\d+)\t"(.*)"$/.exec(line) ?? [];
    if (id === undefined || marked === undefined) return [];
    const { text, spans } = unmark(marked, ['e1', 'e2']);
    const label = lines[i + 1]?.trim();
    const truth = label === 'Cause-Effect(e1,e2)' ? 1 : label === 'Cause-Effect(e2,e1)' ? -1 : 0;
    return pair(analyse(text), spans.e1, spans.e2, truth, Number(id));
  });
}

/** Cause and effect spans in news; every one is a relation, the question is found or not, and in which direction. */
export function readCausalNews(): readonly MarkedPair[] {
  const rows = csv(read('causal-news/train_subtask2.csv'));
  const column = rows[0]?.indexOf('text_w_pairs') ?? -1;
  return rows.slice(1).flatMap((row, i): MarkedPair[] => {
    const marked = row[column] ?? '';
    if (!marked.includes('<ARG0>') || !marked.includes('<ARG1>')) return [];
    const { text, spans } = unmark(marked.replaceAll(/<\/?SIG\d>/g, ''), ['ARG0', 'ARG1']);
    const { ARG0: cause, ARG1: effect } = spans;
    if (cause === undefined || effect === undefined) return [];
    const causeFirst = cause[0] < effect[0];
    return causeFirst ? pair(analyse(text), cause, effect, 1, i) : pair(analyse(text), effect, cause, -1, i);
  });
}

type Place = readonly [from: number, to: number];

function unmark(
  marked: string,
  names: readonly string[],
): { text: string; spans: Record<string, Place | undefined> } {
  const spans: Record<string, Place | undefined> = {};
  const opened = new Map<string, number>();
  let text = '';
  let last = 0;
  for (const match of marked.matchAll(/<(\/?)(\w+)>/g)) {
    const name = match[2] ?? '';
    if (!names.includes(name)) continue;
    text += marked.slice(last, match.index);
    last = match.index + match[0].length;
    if (match[1] === '') opened.set(name, text.length);
    else spans[name] = [opened.get(name) ?? 0, text.length];
  }
  return { text: text + marked.slice(last), spans };
}

function pair(
  analysis: Analysis,
  a: Place | undefined,
  b: Place | undefined,
  truth: 1 | -1 | 0,
  group: number,
): MarkedPair[] {
  const first = a && spanAt(analysis, a);
  const second = b && spanAt(analysis, b);
  if (!first || !second || first.at + first.length > second.at) return [];
  return [{ analysis, first, second, others: [], truth, group }];
}

function spanAt({ words }: Analysis, [from, to]: Place): Occurrence | undefined {
  const at = words.findIndex((word) => word.to > from);
  if (at === -1) return undefined;
  const length = words.slice(at).findIndex((word) => word.from >= to);
  return { at, length: Math.max(1, length === -1 ? words.length - at : length) };
}

export type Hyponyms = {
  readonly pairs: readonly MarkedPair[];
  /** All annotations, also those whose ends are in two sentences. */
  readonly total: number;
};

/** Hyponym-of of ScienceIE: all pairs of keyphrases of one type in one sentence. */
export function readHyponyms(part: 'train' | 'dev'): Hyponyms {
  const files = readdirSync(join(DATA, 'scienceie', part))
    .filter((name) => name.endsWith('.ann'))
    .sort();
  let total = 0;
  const pairs = files.flatMap((file, group) => {
    const analysis = analyse(read(`scienceie/${part}/${file.replace(/ann$/, 'txt')}`));
    const lines = read(`scienceie/${part}/${file}`).split('\n');
    const hyponyms = new Set(
      lines.flatMap((line) => /Hyponym-of Arg1:(\w+) Arg2:(\w+)/.exec(line)?.slice(1, 3).join(' ') ?? []),
    );
    const synonyms = new Set(
      lines.flatMap((line) => /Synonym-of (\w+) (\w+)/.exec(line)?.slice(1, 3).sort().join(' ') ?? []),
    );
    total += hyponyms.size;
    const spans = lines.flatMap((line) => {
      const [, id, type, from, to] = /^(T\d+)\t(\w+) (\d+) (\d+)/.exec(line) ?? [];
      const span = from === undefined ? undefined : spanAt(analysis, [Number(from), Number(to)]);
      return span === undefined ? [] : [{ id, type, ...span }];
    });
    const sentenceOf = ({ at }: Occurrence) => analysis.words[at]?.sentence;
    return spans.flatMap((first) =>
      spans
        .filter((second) => first.type === second.type && first.at + first.length <= second.at)
        .filter((second) => sentenceOf(first) === sentenceOf(second))
        .map(
          (second) =>
            ({
              analysis,
              first,
              second,
              others: spans.filter(
                (one) => one !== first && one !== second && sentenceOf(one) === sentenceOf(first),
              ),
              truth: hyponyms.has(`${first.id} ${second.id}`)
                ? 1
                : hyponyms.has(`${second.id} ${first.id}`)
                  ? -1
                  : 0,
              synonym: synonyms.has([first.id, second.id].sort().join(' ')),
              group,
            }) as const,
        ),
    );
  });
  return { pairs, total };
}

/** Enough of RFC 4180 for that file. */
function csv(text: string): string[][] {
  const rows: string[][] = [[]];
  let field = '';
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const mark = text[i];
    if (quoted && mark === '"' && text[i + 1] === '"') {
      field += '"';
      i++;
    } else if (mark === '"') quoted = !quoted;
    else if (!quoted && (mark === ',' || mark === '\n')) {
      rows.at(-1)?.push(field.replace(/\r$/, ''));
      field = '';
      if (mark === '\n') rows.push([]);
    } else field += mark;
  }
  return rows;
}
