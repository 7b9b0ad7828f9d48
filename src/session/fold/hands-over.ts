/** Last words that leave to the person what the work still needs: "please run the migration yourself". */

/** `work`: a part of the work itself; `check`: to find out whether it holds, which it need not be asked once it was checked. */
export type HandsOver = 'work' | 'check';

const DEED =
  '(?:run(?! into)|re-?run|execute|test|re-?test|verify|validate|apply|migrate|compile|(?:re)?build|try (?:it|this|that|again|the|out)|check (?:that|whether|if|it)|finish|complete|perform|do (?:it|this|that|the))';
const ASK =
  "(?:please|kindly|you(?:'ll| will|'d| would)?(?: also| still| then| now)? (?:need|have) to|you (?:must|should)|i(?:'ll| will)? (?:need|have to ask|must ask) you to)";
const ASKS = new RegExp(
  `\\b${ASK}(?: [\\w']+,?){0,2}? ${DEED}\\b|\\b${ASK}\\b[^.]{0,80}? and (?:then )?${DEED}\\b|\\bstill (?:needs?|has|have) to be (?:run|tested|verified|applied|executed|checked|migrated|finished)\\b`,
  'i',
);
const BY_HAND = /\b(?:yourself|yourselves|manually|by hand|on your own)\b/i;
const LEAVES =
  /\b(?:i(?:'ll| will| have|'ve)? (?:leave|left) (?:it|this|that|them|the (?:rest|remaining|remainder|actual|final)\b[^.]{0,60}?) (?:to|for|up to) you\b|the (?:rest|remainder) is (?:up to|for) you\b|you(?:'ll| will)? (?:need|have) to (?:finish|complete|implement|do the rest)\b)/i;
/** What may be done as well, what makes it visible, and what comes after the work: nobody waits for that. */
const OPTIONAL =
  /\b(?:if you|feel free|optional(?:ly)?|you (?:can|could|may|might)|whenever|when you(?:'re| are)? ready|to see|takes? effect|picks? (?:it |them |this )?up|next time|in (?:the )?future|(?:before|after|when|once) (?:you )?(?:commit|merg|push|deploy|releas|ship|publish|review|upgrad)\w*|in production)\b/i;

const TAIL = 900;
const LONGEST = 400;

export function handsOver(text: string): HandsOver | undefined {
  const plain = (text.length > TAIL ? text.slice(-TAIL) : text)
    .replaceAll('\u2019', "'")
    .replace(/```[\s\S]*?(?:```|$)/g, ' x ')
    .replace(/`[^`\n]{0,200}`/g, 'x');
  const asked = plain
    .split(/(?<=[.!?;])\s+|\n+/)
    .filter((one) => one.length <= LONGEST && !one.trimEnd().endsWith('?') && !OPTIONAL.test(one));
  if (asked.some((one) => LEAVES.test(one) || (ASKS.test(one) && BY_HAND.test(one)))) return 'work';
  return asked.some((one) => ASKS.test(one)) ? 'check' : undefined;
}

const KEEPS =
  /\b(?:i(?:'ll| will|'m going to| am going to| want to)(?: \w+){0,2} (?:run|test|try|verify|check|deploy|apply|execute|do)\b|(?:don't|do not|without|no need to|never) (?:run|execut|test|deploy|appl|verify|try)\w*|let me (?:run|test|try|check|verify)\b)/i;

/** The person wants to do it, or does not want it done: what they keep for themselves is not left to them. */
export function keepsForThemselves(text: string): boolean {
  return KEEPS.test((text.length > 4_000 ? text.slice(0, 4_000) : text).replaceAll('\u2019', "'"));
}
