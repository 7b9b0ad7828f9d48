import type { Word } from './analyse.ts';
import { words } from './words.ts';

/** Verbs that state relations and that the tagger often takes for nouns, because most are nouns as well. */
const STATING = [
  ...words(`cause lead result produce create trigger drive induce generate provoke spark yield require need demand depend
  rely precede follow raise increase reduce lower limit feed hold store shape control measure use affect influence form
  prevent protect support help enable allow force prompt release amplify worsen strengthen weaken delay slow block
  contain carry link connect set make give keep grow spread fuel boost cut shift spur impact risk ease cost`),
];
const SINGULAR = new Set(
  STATING.map((verb) => (verb.endsWith('y') ? `${verb.slice(0, -1)}ies` : `${verb}s`)),
);
const PLURAL = new Set(STATING);
/** Participles that follow a noun inside a name: "computer aided design". Any other verb after a noun is one of a clause. */
const MODIFYING =
  words(`based aided assisted driven related oriented controlled generated induced limited fed owned led
  mediated enabled coded distributed integrated weighted constrained labelled labeled guided supported directed defined
  coated sponsored funded held built made run adapted supplied linked bound centred centered borne free aware set tuned
  optimised optimized inspired specified derived resolved averaged reduced increased modified encoded triggered focused`);
/** Such a gerund takes an object: in "without causing erosion" the erosion is a concept, causing it is not. */
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
/** "Interest rates rise": after a plural no noun. */
const CHANGING = words('rise fall decline grow drop increase decrease collapse shrink expand soar slump');
const ENDS = words('. ! ? ;');
const OBJECTS = new Set(['DET', 'ADJ', 'NOUN', 'PROPN', 'PRON', 'NUM', 'ADV']);
const PREPOSITIONS = new Set(['to', 'on', 'upon', 'in', 'from']);

/**
 * Whether a word is the verb of its clause: such a word is never inside a name. "Soil erosion causes crop failure" is a
 * subject, a verb and an object, although all of it could be nouns.
 */
export function isVerbOfClause(
  word: Word,
  [second, before]: readonly [Word | undefined, Word | undefined],
  after: Word | undefined,
): boolean {
  if (before === undefined || !isSubject(before)) return false;
  const third = word.pos === 'VERB' && /[^su]s$/.test(word.lower);
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
 * Whether a word can only be a verb by what stands before it: "may cause fatigue", "did not cause fatigue", "to promote
 * growth". `beforeLast` is the word before the last.
 */
export function isVerbByForm(word: Word, last: Word | undefined, beforeLast: Word | undefined): boolean {
  if (DOING.has(word.lower)) return true;
  if (word.pos !== 'VERB' || last === undefined) return false;
  if (last.lower === 'to') return last.pos === 'PART';
  const opener = BETWEEN.has(last.lower) ? beforeLast : last;
  return opener?.pos === 'AUX' && OPENS_VERB.has(opener.lower);
}

/**
 * "They can build trust and resolve conflicts", "it lowers costs and prevents waste": the second verb goes on where the
 * first began, so many words before it: one after a helper, or one of a clause.
 */
export function isVerbInChain(
  { pos, lower, lemma }: Word,
  last: Word | undefined,
  since: { readonly helped: number; readonly finite: number },
): boolean {
  if (pos !== 'VERB' || (last?.pos !== 'CCONJ' && last?.lower !== ',')) return false;
  if (lower === lemma) return since.helped <= LONGEST_CHAIN;
  return last.pos === 'CCONJ' && SINGULAR.has(lower) && since.finite <= LONGEST_CHAIN;
}

/** Verbs after which "to" is followed by a name, not by a verb. */
const TO_A_NAME = words(
  'lead leads led leading contribute contributes contributed due adapt relate respond owing thanks prior',
);

/** "lead to crop failure": the tagger takes "crop" for a verb. */
export function isNameAfterTo(word: Word, before: Word | undefined, second: Word | undefined): boolean {
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
