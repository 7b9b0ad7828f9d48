/** What a person's message says about the work before it: a correction, an acceptance, or nothing. */
import type { Phrases } from './correction-phrases.ts';
import { AGREES, CONTINUE, LATIN, NO_REQUEST, OTHER_SCRIPTS, SELF_CORRECTION } from './correction-phrases.ts';
import { ownWords } from './own-words.ts';

export type UserRemark = 'correction' | 'acceptance' | 'continue' | 'none';

/**
 * What the agent had said last: "no" answers a question, and who insists against a refusal corrects nothing unless they
 * say that it declined something else than they had asked for. Where it has delivered files, "that's wrong" may mean those.
 */
export type Before = { readonly asked: boolean; readonly declined: boolean; readonly delivered?: boolean };

/** Corrections come first; later sentences of a long message are about something else. */
const OPENING = 200;
const FIRST_SENTENCES = 320;
/** Who writes more than this usually pastes or specifies. */
const LONG = 1_200;

const THANKS =
  /\b(?:thanks|thank you|thx|ty|cheers|danke|merci|gracias|obrigad[oa]|grazie)\b|谢谢|感谢|ありがとう|спасибо/i;
const PRAISE =
  /\b(?:perfect|excellent|wow|awesome|amazing|brilliant|fantastic|wonderful|beautiful|nice work|good job|great job|well done|great work|love it|lgtm|looks? (?:good|great|perfect)|works? (?:great|perfectly|now|well|fine|like a charm)|it works|that works|works\b|that did it|that fixed it|exactly what i (?:needed|wanted)|perfekt|super gemacht|parfait|perfecto|perfeito|perfetto)\b|完美|很好|太好了|完璧|отлично|идеально/i;
const APPROVAL =
  /^(?:ok(?:ay)?|yes|yeah|yep|great|good|nice|cool|perfect|alright|lgtm)?[\s,.!-]*(?:please |now |then |let's |you can |go ahead and )*(?:commit|(?:merge|ship)(?= (?:it|this|that|the|now|please)|[\s,.!]*$)|push|deploy|release|open (?:a |the )?(?:draft )?pr|create (?:a |the )?(?:draft )?pr|submit)(?: (?:this|it|that|these|them|all|the (?:changes?|pr|branch|code|fix)|changes|and push|now|please|to \w+))*(?:[\s,.!]|$)/i;
/** A doubt or a wish after the praise makes it something else. */
const RESERVATION =
  /\?|\b(?:but|however|except|although|though|not|don't|doesn't|didn't|isn't|can't|cannot|won't|could you|can you|would you|please|also|instead|actually|still|unless|aber|mais|pero|mas|но)\b|但|不过|でも|けど/i;

const MISHEARD =
  /\bnot what i\b|\bmis-?(?:understood|understand\w*|read|heard|interpret\w*)\b|\bi (?:really )?(?:meant|never|didn't|did not)\b/i;
const BEYOND_LATIN = /[\u0400-\uffff]/;
const MAX_ACCEPTANCE = 160;

export function remarkOf(text: string, before: Before): UserRemark {
  const own = ownWords(text);
  if (own === '') return 'none';
  if (CONTINUE.test(own.slice(0, 80))) return 'continue';
  if (isCorrection(own, before, text.length)) return 'correction';
  return isAcceptance(own) ? 'acceptance' : 'none';
}

function isCorrection(own: string, { asked, declined, delivered }: Before, length: number): boolean {
  const first = own.slice(0, length > LONG ? OPENING : FIRST_SENTENCES);
  if (SELF_CORRECTION.test(first)) return false;
  if (declined && !delivered && !MISHEARD.test(first)) return false;
  const start = own.slice(0, OPENING);
  const says = ({ opening, anywhere, refusal }: Phrases) =>
    opening.test(start) || anywhere.test(first) || (!asked && !declined && refusal.test(start));
  return LATIN.some(says) || (BEYOND_LATIN.test(first) && OTHER_SCRIPTS.some(says));
}

function isAcceptance(own: string): boolean {
  if (own.length > MAX_ACCEPTANCE) return false;
  if (APPROVAL.test(own)) return true;
  if (RESERVATION.test(own)) return false;
  return PRAISE.test(own) || (THANKS.test(own) && own.length <= 120);
}

/** Whether saying this twice means that the first time was not heeded. */
export function isRequest(text: string): boolean {
  const own = ownWords(text);
  return own !== '' && !NO_REQUEST.test(own.slice(0, 80)) && !CONTINUE.test(own.slice(0, 80));
}

/** Thanks for the last thing are often the beginning of the next: "Perfect, thanks! Now do the same in the lexer." */
const THANKED =
  /^(?:(?:perfect|great|nice|thanks|thank you|awesome|excellent|cool|good|wonderful|lovely|super|ok(?:ay)?)(?: (?:work|job|so much|a lot|very much))?[\s,.!]+)+(?=\S.{12})/i;

/** Whether something new is asked for, also after thanks. */
export function asksForMore(text: string): boolean {
  const own = ownWords(text);
  return isRequest(own.replace(THANKED, ''));
}

/** Who has stopped the agent or forbidden a call objects, unless they let it go on or take it upon themselves. */
export function isObjection(text: string): boolean {
  const own = ownWords(text);
  if (CONTINUE.test(own.slice(0, 80)) || AGREES.test(own.slice(0, 80)) || isAcceptance(own)) return false;
  return text.trim() !== '' && !SELF_CORRECTION.test(own.slice(0, FIRST_SENTENCES));
}
