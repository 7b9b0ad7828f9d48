/** What the agent's last words leave to the person: a question, a report, or a refusal to insist against. */
const TAIL = 300;
const MAX_LOOK = 2_000;

/** The agent's last words ask something, so that what follows may be an answer. */
export function asksSomething(text: string): boolean {
  const tail = text.length > TAIL ? text.slice(-TAIL) : text;
  return (
    /[?？]/.test(tail) ||
    /\b(?:let me know|please (?:confirm|provide|tell|share|reply)|would you like|shall i|should i)\b/i.test(
      tail,
    )
  );
}

const ASKS_FOR_REPORT =
  /\b(?:paste|share|send|show|tell|post)\b(?: me| us| back| here| it| them| the| your| its| full| complete| whole| exact| what| output| results?| logs?| errors?| trace| it| you| they| says?| shows?| see| prints?| reports?){2,}|\b(?:what|which error) (?:does|do|did) (?:it|they|that|you|the \w+) (?:say|print|show|output|report|get|see)\b/i;

/** It wants to see what comes out: what the person then pastes is an answer. */
export function asksForReport(text: string): boolean {
  return ASKS_FOR_REPORT.test(text.length > TAIL ? text.slice(-TAIL) : text);
}

/** What somebody who serves others may rightly not do. "I can't find it" declines nothing. */
const DECLINED =
  '(?:help|assist|do (?:that|this|so)|process|offer|provide|make (?:any |an? |this |that |these )?(?:changes?|exceptions?|refunds?|modifications?)|change|modify|cancel|refund|add|remove|override|proceed|approve|grant|issue|waive|guarantee|comply|fulfill?|accommodate|perform|expedite|split|combine|apply|extend|bypass|disclose|write|create|generate)';
const DECLINES = new RegExp(
  [
    `\\bi(?:'m| am)? (?:can(?:no|')t|can not|cannot|unable to|not able to|not allowed to|not permitted to|won't(?: be able to)?|will not(?: be able to)?|must decline to|have to decline to) ${DECLINED}\\b`,
    "\\b(?:is|are|was|were|it's|you're|not) not (?:allowed|permitted|eligible|possible|refundable)\\b|\\b(?:isn't|aren't) (?:allowed|permitted|eligible|possible|refundable)\\b|\\bnot eligible\\b",
    '\\bcannot be (?:changed|modified|cancell?ed|refunded|added|removed|made|transferred|combined|waived|exchanged|applied)\\b',
    "\\bpolic(?:y|ies) (?:does not|do not|doesn't|don't|prohibits?|requires?|states?|is strict)\\b|\\b(?:per|under|against|due to|according to|follow|adhere(?: strictly)? to) (?:our|the|company|airline's?|store)(?: \\w+){0,2} polic(?:y|ies)\\b",
  ].join('|'),
  'i',
);

/** It declined something on grounds: who insists does not correct it. */
export function declinesSomething(text: string): boolean {
  const seen = text.length > MAX_LOOK ? `${text.slice(0, MAX_LOOK / 2)}${text.slice(-MAX_LOOK / 2)}` : text;
  return DECLINES.test(seen.replaceAll('\u2019', "'"));
}
