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
/** Their past forms that never stand between two nouns as "computer generated images" does. */
const PAST =
  words(`caused triggered provoked sparked prompted yielded required needed demanded depended relied preceded
  followed raised reduced lowered prevented affected influenced amplified worsened strengthened weakened delayed blocked
  fuelled fueled boosted spurred eased destroyed damaged`);
/** "Without causing erosion": the erosion is a concept, causing it is not. */
const DOING =
  words(`causing triggering provoking producing creating raising increasing reducing lowering preventing promoting
  requiring needing encouraging affecting avoiding limiting`);
const OPENS_VERB = words('can could may might must shall should will would do does did ca wo has have had');
const BETWEEN = words("not n't never also often sometimes usually");
const ENDS = words('. ! ? ;');
const OBJECTS = new Set(['DET', 'ADJ', 'NOUN', 'PROPN', 'PRON', 'NUM', 'ADV']);
const PREPOSITIONS = new Set(['to', 'on', 'upon', 'in', 'from']);

/**
 * Whether a word is the verb of its clause: such a word is never inside a name. "Soil erosion causes crop failure" is a
 * subject, a verb and an object, although all of it could be nouns.
 */
export function isVerbOfClause(word: Word, before: Word | undefined, after: Word | undefined): boolean {
  if (before === undefined || !isSubject(before)) return false;
  const third = word.pos === 'VERB' && /[^su]s$/.test(word.lower);
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
  if (DOING.has(word.lower)) return last?.pos === 'ADP' || last?.pos === 'SCONJ' || last?.lower === ',';
  if (word.pos !== 'VERB' || last === undefined) return false;
  if (last.lower === 'to') return last.pos === 'PART';
  const opener = BETWEEN.has(last.lower) ? beforeLast : last;
  return opener?.pos === 'AUX' && OPENS_VERB.has(opener.lower);
}

/** Verbs after which "to" is followed by a name, not by a verb. */
const TO_A_NAME = words(
  'lead leads led leading contribute contributes contributed due adapt relate respond owing thanks prior',
);

/** "lead to crop failure": the tagger takes "crop" for a verb. */
export function isNameAfterTo(word: Word, before: Word | undefined, second: Word | undefined): boolean {
  return word.pos === 'VERB' && before?.lower === 'to' && second !== undefined && TO_A_NAME.has(second.lower);
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
