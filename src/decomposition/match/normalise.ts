import { normaliseUnicode } from '../../normalise-unicode.ts';

/**
 * One spelling for labels that differ only in Unicode form, case, accents, punctuation, spacing, number, a leading
 * article, Greek letters or their names, `&` or `and`, British and American English. Symbols and meaningful punctuation
 * (`#`, `%`, `*`, `@`) remain: C, C# and C++ are three languages. A label without letters, digits or symbols is
 * unchanged.
 */
export const normalise: (label: string) => string = cached((label) =>
  spell(label).split(' ').map(oneWord).join(' '),
);

/**
 * All spellings of a label: a hyphen separates two words or joins them (`on-line` is `on line` and `online`). Two
 * labels are the same if they share one.
 */
export const spellings: (label: string) => readonly string[] = cached((label) => {
  const joined = label.replace(JOINING_HYPHEN, (whole, first: string, second: string) =>
    first.length === 1 && isPluralOnly(second) ? whole : first + second,
  );
  const [apart, together] = [normalise(label), normalise(joined)];
  return apart === together ? [apart] : [apart, together];
});

/** `means` in `k-means` has no singular, but the joined word would be given one. */
function isPluralOnly(word: string): boolean {
  return /s$/i.test(word) && oneWord(word.toLowerCase()) === word.toLowerCase();
}

/** Joins letters on both sides into a word of at least four: `e-mail`, `wi-fi`, but not the two letters of `M-L`. */
const JOINING_HYPHEN =
  /(?<![\p{L}\p{N}])(\p{L}+)\p{Pd}(\p{L}{3,}|(?<=\p{L}{2}\p{Pd})\p{L}{2,}|(?<=\p{L}{3}\p{Pd})\p{L}+)/gu;

/**
 * `rate of inflation` as `inflation rate`: the same name in another order. Without an `of` the order matters, as in
 * income tax and tax income.
 */
export function withoutOf(label: string): string | undefined {
  const parts = normalise(label).split(' of ');
  const [thing, owner] = parts;
  if (parts.length !== 2 || thing === undefined || owner === undefined) return undefined;
  return normalise(`${owner.replace(/^(?:the|a|an) /, '')} ${thing}`);
}

/** Most labels need no respelling. */
const PLAIN = /^[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/;

export function isPlain(label: string): boolean {
  return PLAIN.test(label);
}

export function spell(label: string): string {
  const named = withoutArticle(label.replace(INITIALISM, (letters) => letters.replaceAll('.', '')));
  const text = isPlain(named) ? lower(named) : lower(latinPlain(named));
  if (isPlain(named)) return text;
  const spelling = text
    .replaceAll(MINUS, '-')
    // A hyphen before a number is a minus sign unless it joins words.
    .replace(/(?<![\p{L}\p{M}\p{N}\p{Pd}])-(?=\p{N})/gu, MINUS)
    .replace(/[\p{P}`\s]/gu, (mark) => (NAMING_MARKS.has(mark) ? mark : ' '))
    // `p<q` and `p < q` are the same; a sign stays attached to its number.
    .replace(/(?:(?!\u2212)[\p{S}#%*@])+/gu, ' $& ')
    .replace(/ +/g, ' ')
    .trim();
  return spelling === '' ? text.trim() : spelling;
}

const MINUS = '\u2212';
const NAMING_MARKS: ReadonlySet<string> = new Set('#%*@');

/** `U.S.` is `US`. */
const INITIALISM = /(?<![\p{L}\p{N}])(?:\p{Lu}\.){2,}/gu;

/** `the tide` is the tide; a capital A may be part of a name (A level). */
function withoutArticle(label: string): string {
  return label.replace(/^\s*(?:[Tt]he|THE|an?|An)\s+(?=[\p{L}\p{N}]{2})/u, '');
}

/** Words with another meaning in capitals: the US is not us, nor IT it. */
const CAPITALS_TELL: ReadonlySet<string> = new Set(
  'AIDS AM AS AT BE DO GO HE IN IS IT ME MY NO ON OR SO TO UP US WE WHO'.split(' '),
);

/** Via upper case, which makes ß and SS, and σ and ς, equal. */
function lower(text: string): string {
  const whole = normaliseUnicode(text, 'NFKC');
  const small = whole.toUpperCase().toLowerCase();
  // In a text of capitals only, capitals carry no meaning.
  if (!/\b[A-Z]{2,4}\b/.test(text) || /[A-Z]{5}/.test(text)) return small;
  return small.replace(/\b[a-z]{2,4}\b/g, (word, at: number) => {
    const capitals = word.toUpperCase();
    return CAPITALS_TELL.has(capitals) && whole.slice(at, at + word.length) === capitals ? capitals : word;
  });
}

/** Removes accents of Latin letters, and writes single Greek letters and `&` as words. */
function latinPlain(label: string): string {
  const plain = normaliseUnicode(label, 'NFD').replace(/(?<=\p{Script=Latin})\p{M}+/gu, '');
  return normaliseUnicode(plain, 'NFKC')
    .replace(/[łŁøØđĐæÆœŒ]/g, (letter) => LETTERS.get(letter) ?? letter)
    .replace(/(?<!\p{Script=Greek})\p{Script=Greek}(?!\p{Script=Greek}|\p{M})/gu, (letter) => {
      const name = GREEK.get(letter.toLowerCase());
      return name === undefined ? letter : ` ${name} `;
    })
    .replaceAll('&', ' and ');
}

const LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({ ł: 'l', Ł: 'L', ø: 'o', Ø: 'O', đ: 'd', Đ: 'D', æ: 'ae', Æ: 'AE', œ: 'oe', Œ: 'OE' }),
);

const GREEK: ReadonlyMap<string, string> = new Map(
  [...'αβγδεζηθικλμνξοπρστυφχψω'].map((letter, place) => [
    letter,
    'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi psi omega'.split(
      ' ',
    )[place] as string,
  ]),
);

/**
 * One spelling for the forms of an English word: plural, British and American. Conservative rules with exceptions:
 * different words (goods and good, economics and economic, means and mean) stay different. The result need not be an
 * English word, because it is only compared.
 */
function oneWord(word: string): string {
  return /^\p{Ll}{4,40}$/u.test(word) ? american(singular(word)) : word;
}

/** Looks like a plural but is not one, or has another singular. */
const NO_PLURAL: ReadonlySet<string> = new Set(
  words(`
    aids alias always arms asbestos athens atlas bayes bias biceps brussels canvas chaos christmas corps cosmos customs
    diabetes does earnings ethos forceps glasses goods grounds headquarters herpes hiccups innings kudos lens
    logos mars means measles mumps news odds pancreas pathos pliers premises proceeds rabies scissors
    series species spectacles texas thanks whereas`),
);

const IRREGULAR: ReadonlyMap<string, string> = new Map(
  words(`
    algae:alga alumni:alumnus antennae:antenna appendices:appendix axes:axis bacteria:bacterium biases:bias
    aliases:alias atlases:atlas canvases:canvas gases:gas biogases:biogas lenses:lens buses:bus cacti:cactus
    automata:automaton calves:calf children:child consortia:consortium corpora:corpus crises:crisis
    criteria:criterion curricula:curriculum equilibria:equilibrium maxima:maximum memoranda:memorandum minima:minimum
    mitochondria:mitochondrion optima:optimum referenda:referendum symposia:symposium taxa:taxon diagnoses:diagnosis elves:elf
    emphases:emphasis errata:erratum feet:foot flora:flora foci:focus formulae:formula fungi:fungus geese:goose
    genera:genus halves:half hooves:hoof hypotheses:hypothesis indices:index knives:knife larvae:larva
    leaves:leaf lives:life loaves:loaf loci:locus matrices:matrix men:man mice:mouse neuroses:neurosis
    nuclei:nucleus oases:oasis parentheses:parenthesis phenomena:phenomenon prognoses:prognosis quanta:quantum
    quizzes:quiz radii:radius schemata:schema selves:self shelves:shelf spectra:spectrum stimuli:stimulus
    strata:stratum syllabi:syllabus symbioses:symbiosis metamorphoses:metamorphosis teeth:tooth thieves:thief
    vertebrae:vertebra vertices:vertex vortices:vortex wives:wife wolves:wolf women:woman`).map(
    (pair) => pair.split(':') as [string, string],
  ),
);

/** Words in -ics that are plurals, not a field. */
const COUNTED_ICS =
  /(?:metr|top|crit|fabr|clin|epidem|pandem|antibiot|characterist|heurist|plast|bas|trop|com)ics$/;

/** Words in -us with the plural -uses, unlike causes or houses. */
const US_WORDS =
  /(?:vir|cens|stat|camp|bon|consens|apparat|surpl|fet|foet|sin|abac|octop|croc|nex|prospect|geni|chor|walr|foc|corp|thesaur|termin|stimul|omnib|bolus|radi)uses$/;

function singular(word: string): string {
  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return irregular;
  if (!word.endsWith('s') || NO_PLURAL.has(word)) return word;
  if (/(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ics')) return COUNTED_ICS.test(word) ? word.slice(0, -1) : word;
  if (/(?:lyses|theses)$/.test(word)) return `${word.slice(0, -2)}is`;
  if (word.endsWith('ies')) return singularOfIes(word);
  if (US_WORDS.test(word)) return word.slice(0, -2);
  if (/(?:sses|shes|xes|zzes)$/.test(word)) return word.slice(0, -2);
  if (word.endsWith('ches'))
    return /(?:ca|a|ni|lan|psy|fi)ches$/.test(word) ? strip(word) : word.slice(0, -2);
  if (word.endsWith('oes'))
    return /^(?:sh|t|can|h|fl|w|d|f)oes$/.test(word) ? strip(word) : word.slice(0, -2);
  return strip(word);
}

function strip(word: string): string {
  return word.slice(0, -1);
}

function singularOfIes(word: string): string {
  const keepsE = word.length <= 4 || /^(?:mov|cook|calor|prair|zomb|self|rook|gen|lass|eer)ies$/.test(word);
  return keepsE ? strip(word) : `${word.slice(0, -3)}y`;
}

/** British spelling → American. A rule that also matches other words changes both sides alike. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/(?<=..)is(?=(?:e|ed|er|ing|ation|able|ational)$)/, 'iz'],
  [/lys(?=(?:e|ed|er|ing)$)/, 'lyz'],
  [/(?<=...)our(?=$|(?:al|ed|ing|er|able|ite|hood|ist|less|ful)$)/, 'or'],
  [/(?<=cent|met|lit|fib|theat|calib|spect|lust)re$/, 'er'],
  [/(?<=(?:catal|anal|dial|homol))ogue$/, 'og'],
  [
    /(?<=^(?:mode|labe|trave|signa|cance|leve|channe|fue|tunne|marsha|tota|counse|jewe|pane|spira))ll(?=(?:ing|ed|er)$)/,
    'l',
  ],
  [/(?<=(?:def|off|pret|lic))ence$/, 'ense'],
  [/^haem/, 'hem'],
  [/aem(?=(?:ia|ic)$)/, 'em'],
  [/^(?:oe)(?=(?:str|dem|soph))/, 'e'],
  [/^foet/, 'fet'],
  [/paediatr/, 'pediatr'],
  [/^aetio/, 'etio'],
  [/rrhoea$/, 'rrhea'],
  [/sulph/, 'sulf'],
  [/^aluminium$/, 'aluminum'],
  [/^artefact/, 'artifact'],
  [/^(?:ageing)$/, 'aging'],
  [/^grey$/, 'gray'],
  [/^programme$/, 'program'],
  [/^mould/, 'mold'],
  [/^plough/, 'plow'],
];

function american(word: string): string {
  let spelled = word;
  for (const [british, ours] of SPELLINGS) spelled = spelled.replace(british, ours);
  return spelled;
}

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** The same labels recur in every output of a case, as concepts and as ends of relationships. */
const MAX_CACHED = 20_000;
const LONGEST_CACHED = 100;

export function cached<T>(work: (label: string) => T): (label: string) => T {
  const memory = new Map<string, T>();
  return (label) => {
    const known = memory.get(label);
    if (known !== undefined) return known;
    const result = work(label);
    if (memory.size >= MAX_CACHED) memory.clear();
    if (label.length <= LONGEST_CACHED) memory.set(label, result);
    return result;
  };
}

/** Caches only the last result, because cases are processed one after the other. */
export function cacheLast<Owner, T>(work: (owner: Owner) => T): (owner: Owner) => T {
  let last: { readonly owner: Owner; readonly result: T } | undefined;
  return (owner) => {
    if (last === undefined || last.owner !== owner) last = { owner, result: work(owner) };
    return last.result;
  };
}
