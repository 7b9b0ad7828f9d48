import type { Analysis, Sentence } from './analyse.ts';

/** Words that never begin or end the name of a concept. */
export const STOP_WORDS: ReadonlySet<string> = words(`
  a an the this that these those each every some any no all both either neither such same other another own
  i me my we us our you your he him his she her it its they them their who whom whose which what where when why how
  itself themselves himself herself myself ourselves one ones
  am is are was were be been being do does did done doing have has had having
  can could may might must shall should will would
  and or but nor so yet if unless because although though while whereas whether than as since until once
  of in on at by for with from to into onto upon about above below under over between among through during before after
  against within without across along around behind beyond despite except near off out per via towards toward
  not never also too very more most much many few fewer little less least several only even just still often usually
  always then there here now ever again already almost perhaps rather quite thus hence therefore however moreover
  furthermore e.g i.e etc e.g. i.e. etc. et al vs`);

/** Words that are frequent in any English prose and rare in other languages. */
const ENGLISH_WORDS: ReadonlySet<string> = words(`
  the of and to is are was were be been that this these those it its with for from by which who whose their they them
  has have had not but or as at on can may will would should could when where because while than then there into an a
  between through after before during such each every some any many more most other`);

/** The same for languages that share letters with English. */
const FOREIGN_WORDS: ReadonlySet<string> = words(`
  der das und ist nicht ein eine einen einer mit von zu den dem des wird sich auf für
  le la les du est et une dans que qui pour par sur avec ce cette au aux
  el los las es del por con para una se su como más
  il che di per non della sono gli nel uma não os do da em het een van dat niet zijn ook og er det som på att och`);

/** Stems of verbs that state relations: a phrase next to one is more likely a concept. */
export const RELATION_STEMS: ReadonlySet<string> = words(`
  caus lead requir need depend preced follow produc creat result trigger driven drive enabl is are reli befor after aris
  stem make`);

/** Names of places, peoples, months and days, which are not concepts themselves. */
export const PLACES_AND_DATES: ReadonlySet<string> = words(`
  january february march april june july august september october november december
  monday tuesday wednesday thursday friday saturday sunday
  africa america asia europe australia oceania antarctica atlantic pacific mediterranean
  african american asian european australian british english scottish welsh irish french german italian spanish
  portuguese dutch belgian swiss austrian polish czech hungarian romanian bulgarian greek turkish russian ukrainian
  swedish norwegian danish finnish icelandic chinese japanese korean indian pakistani bangladeshi thai vietnamese
  indonesian filipino malaysian israeli arab egyptian moroccan nigerian kenyan ethiopian mexican brazilian
  argentinian chilean peruvian colombian canadian
  britain england scotland wales ireland france germany italy spain portugal netherlands holland belgium switzerland
  austria poland czechia hungary romania bulgaria greece turkey russia ukraine sweden norway denmark finland iceland
  china japan korea taiwan india pakistan bangladesh thailand vietnam indonesia philippines malaysia singapore israel
  iran iraq syria egypt morocco algeria tunisia nigeria kenya ethiopia ghana congo tanzania uganda mexico brazil argentina
  chile peru colombia venezuela bolivia ecuador canada california texas london paris berlin vienna rome madrid tokyo
  beijing shanghai moscow washington chicago boston sydney`);

/** Used with "the", as in "the United States"; the single words mean nothing. */
export const PLACE_PHRASES: ReadonlySet<string> = new Set([
  'united states',
  'united kingdom',
  'european union',
  'united nations',
  'new zealand',
  'new york',
  'los angeles',
  'san francisco',
  'hong kong',
  'south africa',
  'saudi arabia',
  'north america',
  'south america',
  'latin america',
  'middle east',
]);

/** Words for the amount of a thing, not its identity. */
export const GRADING: ReadonlySet<string> = words(`
  high higher low lower long longer short shorter large larger small smaller big great greater good better poor severe
  vague strong stronger weak weaker rising falling growing usual certain whole entire complete full partial recent early
  earlier late later frequent rare common modern typical sufficient excessive additional further extra main chief
  important serious mild steady sudden rapid slow fast heavy wide broad narrow`);

export function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}

/** Below this share of common English words, a text is in another language or is not prose. */
const LOWEST = 0.15;
/** A single sentence may have fewer. */
const LOWEST_IN_SHORT = 0.08;
const SHORT = 40;
const TERSE = 20;
const NAMES = 8;

export function looksEnglish({ text, words }: Analysis): boolean {
  const letters = words.filter(({ lower }) => /^\p{L}/u.test(lower));
  const count = (list: ReadonlySet<string>) => letters.filter(({ lower }) => list.has(lower)).length;
  const english = count(ENGLISH_WORDS);
  // A terse sentence may contain none of them, but it ends like a sentence.
  if (letters.length < (isSentence(text) ? TERSE : NAMES) && letters.every(isPlain)) return true;
  if (english <= count(FOREIGN_WORDS)) return false;
  return english / letters.length >= (letters.length < SHORT ? LOWEST_IN_SHORT : LOWEST);
}

function isSentence(text: string): boolean {
  return /^\p{Lu}[^,;|]*[.!?]$/u.test(text.trim());
}

/** A few words may all be names, but they use the English alphabet. */
function isPlain({ lower }: { readonly lower: string }): boolean {
  return /^[a-z'’-]+$/.test(lower) && !FOREIGN_WORDS.has(lower);
}

const LONGEST = 1_000;
const AROUND = 30;

/** The sentence of a word as written; without a sentence end, the words around it. */
export function quoteAt({ text, words, sentences }: Analysis, at: number): string {
  const sentence = sentences[words[at]?.sentence ?? -1] as Sentence;
  if (sentence.to - sentence.from <= LONGEST) return text.slice(sentence.from, sentence.to);
  const from = words[Math.max(sentence.first, at - AROUND)]?.from ?? sentence.from;
  const to = words[Math.min(sentence.end - 1, at + AROUND)]?.to ?? sentence.to;
  return text.slice(from, Math.min(to, from + LONGEST));
}
