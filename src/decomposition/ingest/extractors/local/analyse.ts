import model from 'wink-eng-lite-web-model';
import winkNLP, { type ItemSentence, type ItemToken, type ItsFunction } from 'wink-nlp';
import { words } from './words.ts';

/** One word of the text. `from` and `to` are offsets in the text; a hyphenated compound is one word. */
export type Word = {
  readonly text: string;
  readonly lower: string;
  readonly lemma: string;
  /** The stems of its parts, which are equal for `multi-agent` and `multi agent`. */
  readonly stem: string;
  readonly pos: string;
  readonly from: number;
  readonly to: number;
  readonly sentence: number;
  /** It is the verb of its clause, whatever its tag. */
  readonly finite: boolean;
};

/** Offsets in the text, and the words `first` to `end` (exclusive). */
export type Sentence = {
  readonly from: number;
  readonly to: number;
  readonly first: number;
  readonly end: number;
};

export type Analysis = {
  readonly text: string;
  /** The text with everything but prose blanked out, at the same length. */
  readonly readable: string;
  readonly words: readonly Word[];
  readonly sentences: readonly Sentence[];
};

type Open = { -readonly [K in keyof Word]: Word[K] };

type Language = ReturnType<typeof winkNLP>;

let loaded: Language | undefined;

function loadLanguage(): Language {
  loaded ??= winkNLP(model, ['sbd', 'pos']);
  return loaded;
}

export function analyse(text: string): Analysis {
  const nlp = loadLanguage();
  const { readable, blocks } = proseOf(text);
  const words: Open[] = [];
  const sentences: Sentence[] = [];
  for (const { from, to } of blocks.flatMap((block) => sentenceSpans(nlp, readable, block))) {
    const first = words.length;
    tag(nlp, readable.slice(from, to), from, sentences.length, words);
    joinHyphens(words, first, readable);
    markVerbs(words, first);
    const begin = words[first];
    const last = words.at(-1);
    if (begin !== undefined && last !== undefined) {
      sentences.push({ from: begin.from, to: last.to, first, end: words.length });
    }
  }
  return { text, readable, words, sentences };
}

function markVerbs(words: Open[], first: number): void {
  let lastHelped = Number.NEGATIVE_INFINITY;
  let lastFinite = Number.NEGATIVE_INFINITY;
  for (let i = first + 1; i < words.length; i++) {
    const word = words[i] as Open;
    const before = words[i - 1];
    if (isNameAfterTo(word, before, words[i - 2])) word.pos = 'NOUN';
    const helped =
      isVerbByForm(word, before, words[i - 2]) ||
      isVerbInChain(word, before, { helped: i - lastHelped, finite: i - lastFinite });
    if (helped) lastHelped = i;
    word.finite = helped || isVerbOfClause(word, [words[i - 2], before], words[i + 1]);
    if (!word.finite) continue;
    word.pos = 'VERB';
    lastFinite = i;
  }
}

function sentenceSpans(nlp: Language, readable: string, block: TextBlock): TextBlock[] {
  const text = readable.slice(block.from, block.to);
  const spans: TextBlock[] = [];
  let cursor = 0;
  if (text.trim() === '') return spans;
  nlp
    .readDoc(text)
    .sentences()
    .each((sentence: ItemSentence) => {
      const value = sentence.out().trim();
      const from = text.indexOf(value, cursor);
      if (value === '' || from === -1) return;
      cursor = from + value.length;
      spans.push({ from: block.from + from, to: block.from + cursor });
    });
  return spans;
}

/** The tagger treats any capitalised word as a name, so the capital at the start of a sentence is hidden from it. */
function tag(nlp: Language, sentence: string, offset: number, index: number, words: Open[]): void {
  const { its } = nlp;
  const plain = /^\p{Lu}\p{Ll}+(?![\p{L}\p{N}])/u.test(sentence)
    ? sentence.charAt(0).toLowerCase() + sentence.slice(1)
    : sentence;
  const source = plain.length === sentence.length ? plain : sentence;
  let cursor = 0;
  nlp
    .readDoc(source)
    .tokens()
    .each((token: ItemToken) => {
      const value = token.out();
      const from = source.indexOf(value, cursor);
      if (from === -1 || value.trim() === '') return;
      cursor = from + value.length;
      const text = sentence.slice(from, cursor);
      words.push({
        text,
        lower: text.toLowerCase(),
        lemma: read(token, its.lemma),
        stem: read(token, its.stem).replaceAll('-', ' '),
        pos: read(token, its.pos),
        from: offset + from,
        to: offset + cursor,
        sentence: index,
        finite: false,
      });
    });
}

/** The package's types do not accept its own lemma and stem readers. */
function read(token: ItemToken, reader: unknown): string {
  return String(token.out(reader as ItsFunction<string>));
}

/** `cold`, `-`, `water` without spaces become `cold-water`, with the part of speech of the last part. */
function joinHyphens(words: Open[], first: number, text: string): void {
  let kept = first;
  for (let i = first; i < words.length; i++) {
    const word = words[i] as Open;
    const before = words[kept - 1];
    const next = words[i + 1];
    const joins =
      /^[-‐‑/]$/.test(word.text) &&
      kept > first &&
      before !== undefined &&
      next !== undefined &&
      before.to === word.from &&
      word.to === next.from &&
      /^[\p{L}\p{N}]/u.test(next.text) &&
      /[\p{L}\p{N}]$/u.test(before.text);
    if (joins) {
      const joined = text.slice(before.from, next.to);
      words[kept - 1] = {
        ...next,
        text: joined,
        lower: joined.toLowerCase(),
        lemma: `${before.lower}${word.text}${next.lemma}`,
        stem: `${before.stem} ${next.stem}`,
        from: before.from,
      };
      i++;
    } else words[kept++] = word;
  }
  words.length = kept;
}

/** Verbs that state relations but are often tagged as nouns, because most are nouns as well. */
const STATING = [
  ...words(`cause lead result produce create trigger drive induce generate provoke spark yield require need demand depend
  rely precede follow raise increase reduce lower limit feed hold store shape control measure use affect influence form
  prevent protect support help enable allow force prompt release amplify worsen strengthen weaken delay slow block
  contain carry link connect set make give keep grow spread fuel boost cut shift spur impact risk ease cost`),
];
/** Verbs that are also nouns, and that are tagged as nouns after a noun. */
const ACTING =
  words(`track counter tie search rise update complement damp dampen store stop start end mark signal call
  issue offer order cover face favour favor back check test plan range study state name value view voice weigh
  accelerate absorb attract bind block capture compare compete curb defend deliver describe determine discourage
  encourage ensure exceed explain extend govern harm improve include indicate invite involve maintain match monitor
  offset outlaw permit promise protect reach receive reflect regulate remain remove replace report represent
  rescue resist restrict reveal reward risk save separate serve settle shift signal smooth solve split stabilise
  stabilize stand stay suffer supply survive tackle test threaten tighten trap treat turn undermine vary widen work`);
const THIRD = new Set(
  [...ACTING].map((verb) =>
    /[^aeiou]y$/.test(verb)
      ? `${verb.slice(0, -1)}ies`
      : /(?:ch|sh|s|x)$/.test(verb)
        ? `${verb}es`
        : `${verb}s`,
  ),
);
const SUBJECT_PRONOUNS = words('it he she they we you i which who');
const SINGULAR = new Set(
  STATING.map((verb) => (verb.endsWith('y') ? `${verb.slice(0, -1)}ies` : `${verb}s`)),
);
const PLURAL = new Set(STATING);
/**
 * Participles that follow a noun inside a name: "computer aided design". After a noun, any other verb belongs to a
 * clause.
 */
const MODIFYING =
  words(`based aided assisted driven related oriented controlled generated induced limited fed owned led
  mediated enabled coded distributed integrated weighted constrained labelled labeled guided supported directed defined
  coated sponsored funded held built made run adapted supplied linked bound centred centered borne free aware set tuned
  optimised optimized inspired specified derived resolved averaged reduced increased modified encoded triggered focused`);
/** Gerunds with an object: in "without causing erosion", erosion is a concept, but causing it is not. */
const DOING =
  words(`causing triggering provoking producing creating raising increasing reducing lowering preventing promoting
  requiring needing encouraging affecting avoiding limiting ensuring allowing enabling providing making giving taking using
  keeping leaving saving paying bringing getting putting enhancing attracting boosting sparking blocking disrupting
  conducting incorporating expressing demanding seeking showing helping forcing prompting releasing`);
const PAST =
  words(`caused triggered provoked sparked prompted yielded required needed demanded depended relied preceded
  followed raised reduced lowered prevented affected influenced amplified worsened strengthened weakened delayed blocked
  fuelled fueled boosted spurred eased destroyed damaged`);
const OPENS_VERB = words('can could may might must shall should will would do does did ca wo has have had');
const BETWEEN = words("not n't never also often sometimes usually");
const LONGEST_CHAIN = 8;
/** "Interest rates rise": verbs after a plural, not nouns. */
const CHANGING = words('rise fall decline grow drop increase decrease collapse shrink expand soar slump');
const ENDS = words('. ! ? ;');
const OBJECTS = new Set(['DET', 'ADJ', 'NOUN', 'PROPN', 'PRON', 'NUM', 'ADV']);
const PREPOSITIONS = new Set(['to', 'on', 'upon', 'in', 'from']);

/**
 * Whether a word is the verb of its clause, and therefore never inside a name. "Soil erosion causes crop failure" is a
 * subject, a verb and an object, although all of it could be nouns.
 */
function isVerbOfClause(
  word: Word,
  [second, before]: readonly [Word | undefined, Word | undefined],
  after: Word | undefined,
): boolean {
  if (before !== undefined && SUBJECT_PRONOUNS.has(before.lower) && before.pos === 'PRON')
    return word.pos === 'VERB' || SINGULAR.has(word.lower) || THIRD.has(word.lower) || PLURAL.has(word.lower);
  if (before === undefined || !isSubject(before)) return false;
  const third = (word.pos === 'VERB' || THIRD.has(word.lower)) && /[^su]s$/.test(word.lower);
  if (CHANGING.has(word.lower) && /[^s]s$/.test(before.lower)) return true;
  if (isPredicate(word, before.pos === 'ADV' ? second : before, after)) return true;
  // "The road reopens."
  if (after === undefined || ENDS.has(after.lower)) return third && !before.lower.endsWith('s');
  if (PAST.has(word.lower)) return OBJECTS.has(after.pos) || PREPOSITIONS.has(after.lower);
  const goesOn =
    OBJECTS.has(after.pos) ||
    PREPOSITIONS.has(after.lower) ||
    (after.pos === 'VERB' && after.lower.endsWith('ing'));
  if (third) return goesOn || after.pos === 'ADP' || after.pos === 'SCONJ';
  return goesOn && (SINGULAR.has(word.lower) || (PLURAL.has(word.lower) && /[^s]s$/.test(before.lower)));
}

/**
 * Whether the preceding words make it a verb: "may cause fatigue", "did not cause fatigue", "to promote growth".
 * `beforeLast` is the word before the last.
 */
function isVerbByForm(word: Word, last: Word | undefined, beforeLast: Word | undefined): boolean {
  if (DOING.has(word.lower)) return true;
  if (word.pos !== 'VERB' || last === undefined) return false;
  if (last.lower === 'to') return last.pos === 'PART';
  const opener = BETWEEN.has(last.lower) ? beforeLast : last;
  return opener?.pos === 'AUX' && OPENS_VERB.has(opener.lower);
}

/**
 * "They can build trust and resolve conflicts", "it lowers costs and prevents waste": the second verb continues the
 * first. The first one is after a helper or is the verb of a clause.
 */
function isVerbInChain(
  { pos, lower, lemma }: Word,
  last: Word | undefined,
  since: { readonly helped: number; readonly finite: number },
): boolean {
  if (pos !== 'VERB' || (last?.pos !== 'CCONJ' && last?.lower !== ',')) return false;
  if (lower === lemma) return since.helped <= LONGEST_CHAIN;
  return last.pos === 'CCONJ' && SINGULAR.has(lower) && since.finite <= LONGEST_CHAIN;
}

/** Verbs whose "to" is followed by a name, not by a verb. */
const TO_A_NAME = words(
  'lead leads led leading contribute contributes contributed due adapt relate respond owing thanks prior',
);

/** "lead to crop failure": the tagger takes "crop" for a verb. */
function isNameAfterTo(word: Word, before: Word | undefined, second: Word | undefined): boolean {
  return word.pos === 'VERB' && before?.lower === 'to' && second !== undefined && TO_A_NAME.has(second.lower);
}

/** "Police arrested", "the strike began", "plants communicate"; but "a phase locked loop". */
function isPredicate(
  { pos, lower, lemma }: Word,
  before: Word | undefined,
  after: Word | undefined,
): boolean {
  if (before === undefined || !['NOUN', 'PROPN', 'PRON'].includes(before.pos)) return false;
  if (pos !== 'VERB' || /(?:ing|[^su]s)$/.test(lower) || MODIFYING.has(lower)) return false;
  const plural = /[^s]s$/.test(before.lower);
  if (lower === lemma.toLowerCase() || (lower.endsWith('ed') && after?.pos === 'NOUN')) return plural;
  return true;
}

function isSubject({ pos, lower }: Word): boolean {
  return (
    pos === 'NOUN' ||
    pos === 'PROPN' ||
    pos === 'ADV' ||
    lower.endsWith('ing') ||
    lower === ')' ||
    lower === ','
  );
}

export type Prose = { readonly readable: string; readonly blocks: readonly TextBlock[] };
type TextBlock = { readonly from: number; readonly to: number };

/** Longer tokens are not words; the tagger takes minutes for one of ten thousand letters. */
const LONGEST_WORD = 100;
const blank = (run: string): string => ' '.repeat(run.length);

/** Blanks control characters and Markdown syntax. The length is unchanged, so offsets stay valid. */
export function proseOf(text: string): Prose {
  const plain = text.replace(/[\p{Cc}\p{Co}\p{Cs}]/gu, (mark) => (mark === '\n' ? mark : blank(mark)));
  const { lines, starts } = readLines(plain.split('\n'));
  const readable = lines
    .join('\n')
    .replace(/!?\[([^[\]\n]{1,300})\]\([^()\s]{0,500}\)/g, unlink)
    .replace(/<\/?[a-z][^<>\n]{0,200}>|<!--[^<>\n]{0,500}-->|https?:\/\/[^\s<>()]{1,500}/gi, blank)
    .replace(/`+|\*{2,3}|\*(?=[\p{L}\p{N}])|(?<=[\p{L}\p{N}.,])\*/gu, blank)
    .replace(/(?<![\p{L}\p{N}_])_{1,3}(?=[\p{L}\p{N}])|(?<=[\p{L}\p{N}.,])_{1,3}(?![\p{L}\p{N}_])/gu, blank)
    .replace(new RegExp(`\\S{${LONGEST_WORD + 1},}`, 'g'), blank);
  const blocks = starts.map((from, i) => ({ from, to: starts[i + 1] ?? readable.length }));
  return { readable, blocks };
}

/** `[text](address)` keeps only its text, at the same offset. */
function unlink(whole: string, inner: string): string {
  const before = whole.indexOf('[') + 1;
  return blank(whole.slice(0, before)) + inner + blank(whole.slice(before + inner.length));
}

/** A language name may follow; a title may not. */
const OPENING_FENCE = /^ {0,3}(?:```|~~~)(?:\S*$|\S+[ \t].*[={])/;
const CLOSING_FENCE = /^ {0,3}(?:```|~~~)\s*$/;
const MARK = /^[ \t]*(?:#{1,6}[ \t]+|(?:[-+*•]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)/;
const QUOTATION = /^[ \t]*(?:>[ \t]?){1,9}/;
const RULE = /^[ \t]*[-=_*|:+][-=_*|:+ \t]{2,400}$/;
const ROW = /^[ \t]*\|/;

type Lines = { readonly lines: readonly string[]; readonly starts: readonly number[] };

function readLines(given: readonly string[]): Lines {
  const lines: string[] = [];
  const starts = [0];
  // An unclosed fence fences nothing.
  const lastFence = given.findLastIndex((line) => CLOSING_FENCE.test(line));
  let at = 0;
  let fenced = false;
  let ended = false;
  for (const [i, whole] of given.entries()) {
    const quotation = QUOTATION.exec(whole)?.[0] ?? '';
    const line = blank(quotation) + whole.slice(quotation.length);
    const fence = fenced ? CLOSING_FENCE.test(line) : i < lastFence && OPENING_FENCE.test(line);
    const none = fenced || fence || RULE.test(line) || line.trim() === '';
    const mark = none ? '' : (MARK.exec(line)?.[0] ?? '');
    const row = !none && ROW.test(line);
    if (fence) fenced = !fenced;
    if (none || ended || row || mark !== '') starts.push(at);
    if (row) for (const cell of line.matchAll(/\|/g)) starts.push(at + cell.index);
    ended = none || row || mark.includes('#');
    const rest = line.slice(mark.length);
    lines.push(none ? blank(line) : blank(mark) + (row ? rest.replaceAll('|', ' ') : rest));
    at += line.length + 1;
  }
  return { lines, starts };
}
