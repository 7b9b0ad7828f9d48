/** Last words that say the work did not succeed: "I could not fix it, it still fails". */

const FIRST_PERSON =
  /\b(?:i|we)(?:'m| am| was| were|'re| are)? (?:still )?(?:unable to|not able to|couldn't|could not|can't|cannot|wasn't able to|weren't able to|haven't been able to|have not been able to|have been unable to|was unable to|failed to|didn't manage to|did not manage to|ran out of (?:time|ideas|options|attempts))(?: \w+){0,3}? ?(?:fix|resolve|solve|get|make|complete|finish|find a (?:way|fix|solution)|reproduce the fix|repair|implement|build|pass)?\b/i;
const FIXING =
  /\b(?:fix|resolve|solve|complete|finish|repair|implement|apply|carry out|get (?:it|this|that|the|them|all)|make (?:it|this|that|the)|find a (?:way|fix|solution)|ran out of)\b/i;
const STILL =
  /\b(?:it|this|that|they|the (?:\w+ ){0,3}(?:tests?|build|bug|error|issue|problem|failure|crash|code|check|suite))(?: (?:is|are|does|do))? still (?:fail(?:s|ing)?|broken|not (?:work|pass|fix|resolv|compil|build)\w*|doesn't|don't|crash\w*|persists?|happens|there|red|occurs?|throws?|errors?)\b|\b(?:remains?|is|are) (?:unresolved|unfixed|broken|unsolved)\b|\bi (?:have to )?(?:give|gave) up\b|\bgiving up\b/i;
/** What was broken before and stays so is nobody's failure here; nor is what was mended after all. */
const EXCUSED =
  /\b(?:pre-?existing|unrelated|before (?:my|this|the) change|not (?:caused|related)|already fail|also fails? on (?:main|master)|on main (?:too|as well)|known (?:issue|failure|flak)|flak[ey]|now (?:works?|pass(?:es)?|fixed|resolved)|(?:is|are|has been) now (?:fixed|resolved)|instead,? i)\b/i;

const EDGE = 700;

export function saysItFailed(text: string): boolean {
  const seen = text.length > EDGE * 2 ? `${text.slice(0, EDGE)}\n${text.slice(-EDGE)}` : text;
  const plain = seen.replaceAll('\u2019', "'");
  // Most replies say nothing of the kind, and need not be taken apart.
  if (!STILL.test(plain) && !FIRST_PERSON.test(plain)) return false;
  return plain.split(/(?<=[.!?])\s+|\n+/).some(isFailure) && !EXCUSED.test(plain);
}

function isFailure(sentence: string): boolean {
  if (sentence.length > 400 || sentence.endsWith('?')) return false;
  return STILL.test(sentence) || (FIRST_PERSON.test(sentence) && FIXING.test(sentence));
}
