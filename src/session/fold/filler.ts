/** Words that any agent could say to anybody: they answer nothing. "Yes" and "done" answer something. */
const MAX_FILLER = 300;

const FILLER = new RegExp(
  `^(?:${[
    'sure(?: thing)?|ok(?:ay)?|certainly|of course|absolutely|definitely|got it|understood|noted|alright|sounds good|no problem|great|great question|good question|hello|hi|hey|hi there|hello there|good (?:morning|afternoon|evening)|welcome',
    "thanks?(?: you)?(?: (?:so much|very much))?(?: for (?:\\w+ ?){1,8})?|you'?re (?:very |most )?welcome|my pleasure|(?:happy|glad) to (?:help|assist)\\D{0,90}",
    "i(?:'d| would|'ll| will| can)(?: be)?(?: (?:more than )?(?:happy|glad) to)? (?:help|assist)\\D{0,90}",
    "i(?:'m| am) (?:here|happy|glad|ready|working|on it|looking|checking|thinking)(?: (?:to|on|into|for|about|help|assist|you|it|that|this|now|with|anything|if))*",
    "(?:i(?:'ll| will)|let me|i(?:'m| am) going to) (?:take a look|look into (?:it|that|this)|check(?: (?:it|that|this|on that))?|get (?:right )?(?:on|to) (?:it|that|this)|do (?:it|that|this)|start|begin|get started|think(?: about (?:it|that|this))?)(?: (?:now|first|for you|right away))*",
    'just (?:say the word|let me know|ask)\\D{0,60}|(?:and )?we (?:will|can)(?: get)? start(?:ed)?\\D{0,30}|please|one (?:moment|second)(?: please)?|just a (?:moment|second|minute)|hold on|working on it|please (?:wait|hold on|stand by)|give me a (?:moment|second|minute)',
    "(?:please )?let me know (?:if|how|what|when|whether) .{0,90}|(?:please )?feel free to .{0,70}|don't hesitate to .{0,70}|is there anything else .{0,50}|(?:if you )?(?:need|have) any(?:thing else|(?: other| more)? questions?).{0,70}|how (?:can|may) i (?:help|assist)(?: you)?(?: today)?|what can i do for you(?: today)?|have a (?:nice|great|good|wonderful) \\w+|(?:i )?hope (?:this|that) helps",
    "klar|gerne|natürlich|verstanden|einen moment(?: bitte)?|bien sûr|d'accord|avec plaisir|claro|por supuesto|con gusto|certo|certamente|claro que sim|конечно|понятно|好的|没问题|请稍等|はい|承知しました|わかりました|かしこまりました",
  ].join('|')})$`,
  'i',
);

/** Whether nothing but such words is said. */
export function isFiller(text: string): boolean {
  if (text.length > MAX_FILLER) return false;
  const sentences = text
    .replaceAll('\u2019', "'")
    .split(/[.!?…\n。！？、,:;—–]+|(?:\s-\s)/)
    .map((sentence) =>
      sentence
        .replace(/[^\p{L}\p{N}' ]+/gu, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((sentence) => sentence !== '');
  return sentences.length > 0 && sentences.every((sentence) => FILLER.test(sentence));
}
