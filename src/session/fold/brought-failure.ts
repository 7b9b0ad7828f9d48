/** A failure that a person brings back after the agent delivered: pasted, or told in a few words. */
import { ownWords } from './own-words.ts';

const MAX_LOOK = 6_000;
const OPENING = 240;
/** Who tells more than this describes a task. */
const FEW_WORDS = 500;

const FAILURE_LINE =
  /(?:^|\n)\s{0,12}(?:[\w./\\-]{1,200}[:(]\d+[:,]\d+\)?: |(?:[\w.]{1,60})?(?:Error|Exception)(?: \[\w+\])?: |(?:fatal|panic|error(?:\[\w+\])?|npm (?:ERR!|error)|ERROR|FATAL)[: ]|Traceback \(most recent|(?:--- )?FAIL(?:ED)?\b|at \S{1,200} ?\(\S{1,200}:\d+|✗|✘|[^\n]{0,120}\bexit(?:ed with)?(?: code| status)?:? [1-9]\d{0,2}\b)/;

const WHAT =
  '(?:it|this|that|we|everything|(?:(?:the|our|my|all) )?(?:build|tests?|lint(?:er|ing)?|ci|pipeline|app|page|server|script|command|deploy(?:ment)?|job|checks?|type ?check|compil(?:er|ation)|site|login|import|export|install(?:ation)?))';
const FAILS =
  '(?:fail(?:s|ed|ing)?|broke(?:n)?|breaks|crash(?:es|ed|ing)?|explod(?:es|ed|ing)|blew up|blow(?:s|ing)? up|hangs?|hanging|errors out|(?:do|does|did)(?:n.t| not) (?:compile|build|start|run|pass|load|work))';
const TELLS_FAILURE = new RegExp(
  `\\b${WHAT}\\b[^.?!\\n]{0,40}?\\b(?<fails>${FAILS})\\b|\\b(?:it|this|that)(?: has| just|'s)* happen(?:ed|s|ing) again\\b|\\b(?<!\\byou )(?:got|getting|get|gets|throws?|gives?|hit|seeing)(?: me| us)? (?:a |an |this |the following |another |the same |these )?(?:\\w+ )?(?:error|crash|exception|failure|stack ?trace)s?\\b`,
  'i',
);
/** Before the failure in its sentence: then it is a case to think of, or one that is gone. */
const SUPPOSED =
  /\b(?:if|when|whenever|in case|unless|would|could|might|may|should|must|can|will|what happens|not|never|without|no longer|used to|so that|don't|doesn't|isn't|won't|wasn't)\b[^.?!\n]{0,80}$/i;
/** Something else than what was delivered. */
const NEW_MATTER =
  /^(?:(?:ok(?:ay)?|alright|great|thanks|cool|nice|good|perfect|also|and|now)[\s,.!]+)*(?:one more|another|next|then (?:we|you|let)|separately|unrelated|different(?:ly)?|new (?:issue|task|topic|bug)|i(?:'m| am) (?:also )?working on|(?:can|could) (?:you|we) (?:also|now))\b/i;

export function bringsFailure(text: string): boolean {
  const own = ownWords(text);
  if (NEW_MATTER.test(own)) return false;
  return FAILURE_LINE.test(text.slice(0, MAX_LOOK)) || tellsFailure(own);
}

function tellsFailure(own: string): boolean {
  if (own.length > FEW_WORDS) return false;
  const found = TELLS_FAILURE.exec(own.slice(0, OPENING));
  if (found === null) return false;
  const fails = found.groups?.fails;
  const before = found.index + (fails === undefined ? 0 : found[0].length - fails.length);
  return !SUPPOSED.test(own.slice(0, before));
}
