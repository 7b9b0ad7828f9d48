/** What a reply amounts to when it is not plain text: an all-clear, silence, a refusal. */
import type { FinalReply } from '../evidence.ts';
import { isNothingToReport } from './nothing-to-report.ts';

/** The maximum text of a heartbeat acknowledgement besides its token. */
const ACK_CHARS = 300;
const SHORT_CHARS = 400;

const NO_REPLY = /^\s*NO_REPLY\s*$/i;
const TOKEN = 'HEARTBEAT_OK';
const REFUSAL =
  /^\W{0,4}(?:(?:i(?:'m| am) (?:really |very |so )?sorry|sorry|unfortunately|i apologi[sz]e|i understand[^.!?\n]{0,120})[,.]? ?(?:but )?)?(?:i (?:can't|cannot|can not|won't|will not|am unable to|am not able to|must decline|have to decline|do not feel comfortable|don't feel comfortable)|i'm (?:unable to|not able to|not comfortable)) (?:help|assist|do|fulfil|fulfill|comply|provide|process|cancel|change|modify|continue|complete|proceed|create|write|share|offer|make|issue|support|perform|accommodate|engage|with|that|this|request)/i;

/** @param scheduled the run has no user waiting: then a report of any length may amount to nothing. */
export function kindOfReply(text: string, scheduled = false): FinalReply {
  const trimmed = text.length > 8_000 ? `${text.slice(0, 4_000)}${text.slice(-4_000)}`.trim() : text.trim();
  if (trimmed === '') return 'empty';
  if (trimmed.length <= 24 && NO_REPLY.test(trimmed)) return 'no-reply';
  if (text.length <= ACK_CHARS + 40 && isHeartbeatAck(trimmed)) return 'heartbeat-ok';
  const head = trimmed.slice(0, 300).replaceAll('\u2019', "'");
  if ((scheduled || trimmed.length <= SHORT_CHARS) && isNothingToReport(trimmed)) return 'nothing-to-report';
  return REFUSAL.test(head) ? 'refusal' : 'text';
}

function isHeartbeatAck(trimmed: string): boolean {
  if (!trimmed.includes(TOKEN)) return false;
  const bare = trimmed.replace(/^[*_`\s]+|(?<![*_`\s.!])[*_`\s.!]+$/g, '');
  return (bare.startsWith(TOKEN) || bare.endsWith(TOKEN)) && trimmed.length - TOKEN.length <= ACK_CHARS;
}

/** Combines two records of one message. */
export function joinReplies(
  first: FinalReply,
  firstChars: number,
  next: FinalReply,
  nextChars: number,
): FinalReply {
  if (first === 'empty') return next;
  if (next === 'empty') return first;
  const either = (kind: FinalReply) => first === kind || next === kind;
  const chars = firstChars + nextChars;
  if (either('heartbeat-ok')) return chars - TOKEN.length <= ACK_CHARS ? 'heartbeat-ok' : 'text';
  if (first === 'refusal') return 'refusal';
  if (first === next) return first;
  if (either('nothing-to-report')) return chars <= SHORT_CHARS ? 'nothing-to-report' : 'text';
  return 'text';
}

/** What the agent's last message leaves to the user: a question, a report, or a refusal to insist against. */
const TAIL = 300;
const MAX_LOOK = 2_000;

/** The agent's last message asks something, so the next message may be an answer. */
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
  /\b(?:paste|share|send|show|tell|post|describe)\b(?: me| us| back| here| it| them| the| your| its| full| complete| whole| exact| what| output| results?| logs?| errors?| trace| it| you| they| says?| shows?| see| prints?| reports?| exactly| happens){2,}|\b(?:what|which error) (?:does|do|did) (?:it|they|that|you|the \w+) (?:say|print|show|output|report|get|see)\b/i;

/** It asks to see the output, so what the user then pastes is an answer. */
export function asksForReport(text: string): boolean {
  return ASKS_FOR_REPORT.test(text.length > TAIL ? text.slice(-TAIL) : text);
}

/** Requests that an agent serving others may rightly decline. "I can't find it" declines nothing. */
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

/** It declined something for a stated reason: insisting does not correct it. */
export function declinesSomething(text: string): boolean {
  const seen = text.length > MAX_LOOK ? `${text.slice(0, MAX_LOOK / 2)}${text.slice(-MAX_LOOK / 2)}` : text;
  return DECLINES.test(seen.replaceAll('\u2019', "'"));
}

// A last message that says the work failed: "I could not fix it, it still fails".

const FIRST_PERSON =
  /\b(?:i|we)(?:'m| am| was| were|'re| are)? (?:still )?(?:unable to|not able to|couldn't|could not|can't|cannot|wasn't able to|weren't able to|haven't been able to|have not been able to|have been unable to|was unable to|failed to|didn't manage to|did not manage to|ran out of (?:time|ideas|options|attempts))(?: \w+){0,3}? ?(?:fix|resolve|solve|get|make|complete|finish|find a (?:way|fix|solution)|reproduce the fix|repair|implement|build|pass)?\b/i;
const FIXING =
  /\b(?:fix|resolve|solve|complete|finish|repair|implement|apply|carry out|get (?:it|this|that|the|them|all)|make (?:it|this|that|the)|find a (?:way|fix|solution)|ran out of)\b/i;
const STILL =
  /\b(?:it|this|that|they|the (?:\w+ ){0,3}(?:tests?|build|bug|error|issue|problem|failure|crash|code|check|suite))(?: (?:is|are|does|do))? still (?:fail(?:s|ing)?|broken|not (?:work|pass|fix|resolv|compil|build)\w*|doesn't|don't|crash\w*|persists?|happens|there|red|occurs?|throws?|errors?)\b|\b(?:remains?|is|are) (?:unresolved|unfixed|broken|unsolved)\b|\bi (?:have to )?(?:give|gave) up\b|\bgiving up\b/i;
/** Something broken before that stays broken is not a failure here; neither is something fixed in the end. */
const EXCUSED =
  /\b(?:pre-?existing|unrelated|before (?:my|this|the) change|not (?:caused|related)|already fail|also fails? on (?:main|master)|on main (?:too|as well)|known (?:issue|failure|flak)|flak[ey]|now (?:works?|pass(?:es)?|fixed|resolved)|(?:is|are|has been) now (?:fixed|resolved)|instead,? i)\b/i;

const EDGE = 700;

export function admitsFailure(text: string): boolean {
  const seen = text.length > EDGE * 2 ? `${text.slice(0, EDGE)}\n${text.slice(-EDGE)}` : text;
  const plain = seen.replaceAll('\u2019', "'");
  // Most replies say nothing of the kind and need no further parsing.
  if (!STILL.test(plain) && !FIRST_PERSON.test(plain)) return false;
  return failureIn(plain) !== undefined && !EXCUSED.test(plain);
}

/** The sentence that admits a failure. */
export function failureIn(text: string): string | undefined {
  const sentences = text.replaceAll('\u2019', "'").split(/(?<=[.!?])\s+|\n+/);
  return sentences.find(isFailure)?.trim();
}

function isFailure(sentence: string): boolean {
  if (sentence.length > 400 || sentence.endsWith('?')) return false;
  return STILL.test(sentence) || (FIRST_PERSON.test(sentence) && FIXING.test(sentence));
}

// What the last message claims: that it is done, that the tests pass.

export type Claim = { about: 'tests' | 'build' | 'lint' | 'done'; line: number };

/** A quick check: most messages claim nothing. */
const MAY_CLAIM =
  /pass|pasa|laufen|best[ae]|通|成功|パス|прош|прох|green|succe|clean|compil|build|type|lint|fix|resolv|done|complet|finish|implement|works|ready/i;
const CLAIMS: readonly (readonly [Claim['about'], RegExp])[] = [
  [
    'tests',
    /\b(?:tests?|specs?|test suites?)(?: \w+){0,3} (?:(?:now |all |still )?(?:pass|passes|passed|succeed|succeeds|succeeded)|(?:is|are) (?:now |all |still )?(?:green|passing|successful))\b|\b(?:all|every) (?:\d+ )?(?:of the |the )?(?:\w+ ){0,3}(?:tests?|specs?) (?:(?:are|is|were|have) )?(?:now )?(?:pass\w*|green|succeed\w*)|\b\d+\/\d+ (?:tests? )?pass\w*|\b[1-9]\d* (?:tests?|specs?) (?:are )?pass(?:ed|ing|es)?\b|\beverything (?:is|passes|now) ?(?:now )?(?:green|passing)?(?=[\s.!]|$)(?<=green|passing|passes)|\balle (?:\d+ )?tests? (?:sind grün|laufen (?:durch|erfolgreich)|bestehen|bestanden)|\btous les tests (?:passent|sont (?:verts|passés))|\btod[oa]s l[oa]s (?:tests|pruebas) (?:pasan|pasaron)|测试(?:都|全部|已)?通过|テスト(?:は|が)?(?:すべて|全て)?(?:通り|成功|パス)|все тесты (?:проходят|прошли)|\btests?:? ?(?:✅|✓|✔)|(?:✅|✓|✔) ?(?:all )?(?:\w+ )?tests?\b/i,
  ],
  [
    'build',
    /\b(?:build|project|code(?:base)?|everything|it) (?:now )?(?:builds?|compiles?|type-?checks?) (?:cleanly|successfully|fine|correctly|without (?:any )?errors?)\b|\bbuild (?:now )?(?:pass(?:es|ed)|succeed(?:s|ed)|is (?:green|clean|successful))\b|\b(?:no|zero|0) (?:type|compil\w+|build|typescript) errors\b|\btype-?check(?:s|ing)? (?:now )?(?:pass(?:es|ed)?|is clean)\b/i,
  ],
  [
    'lint',
    /\blint(?:er|ing|s)? (?:now )?(?:pass(?:es|ed)?|is clean|clean)\b|\b(?:no|zero|0) lint(?:er|ing)? (?:errors|warnings|issues)\b/i,
  ],
  [
    'done',
    /\b(?:(?:is|are|has been|have been|been|now|all|successfully|i(?:'ve| have)?) (?:now |all |successfully |fully |also )?(?:fixed|resolved|completed?|finished|implemented|done|working)|works (?:now|correctly|as expected)|ready (?:to (?:merge|use|ship|commit)|for (?:review|use|production)))\b|^(?:done|fixed|completed?|finished)[.!\s]/im,
  ],
];
/** Not a claim: a wish, a condition, a plan, the opposite. */
const NO_CLAIM =
  /\b(?:not|n't|cannot|fail\w*|except|should|would|will|'ll|once|if|when|until|unless|after|before|expect\w*|unable|could|might|may|can|to (?:make|ensure|see|verify|check|confirm)|ensure|make sure|verify that|check that|whether|haven't|isn't|aren't|didn't|don't|doesn't|without running|pre-?existing|unrelated|some|most|only|(?:one|two|three|four|five|half|part|many|several) of|previously|earlier|remaining|step|todo|next)\b|\?$/i;
const CLAIM_EDGE = 1_500;
const MOST_CLAIMS = 4;

const sentencesOf = (text: string): string[] => text.split(/(?<=[.!?])\s+|\n+/);

/** The claims of a message, each once, with their sentences. */
export function claimsIn(text: string): { about: Claim['about']; sentence: string }[] {
  const seen =
    text.length > CLAIM_EDGE * 2 ? `${text.slice(0, CLAIM_EDGE)}\n${text.slice(-CLAIM_EDGE)}` : text;
  if (!MAY_CLAIM.test(seen)) return [];
  const found: { about: Claim['about']; sentence: string }[] = [];
  for (const sentence of sentencesOf(seen.replaceAll('\u2019', "'"))) {
    if (sentence.length > 300 || !MAY_CLAIM.test(sentence) || NO_CLAIM.test(sentence)) continue;
    for (const [about, claims] of CLAIMS)
      if (!found.some((one) => one.about === about) && claims.test(sentence))
        found.push({ about, sentence: sentence.trim() });
    if (found.length >= MOST_CLAIMS) break;
  }
  return found;
}

// Last messages that leave necessary work to the user: "please run the migration yourself".

/** `work`: a part of the work itself; `check`: verify the result, which does not count once it was checked. */
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
/** Optional extras, ways to see the result, and later steps: nothing depends on them. */
const OPTIONAL =
  /\b(?:if you|feel free|optional(?:ly)?|you (?:can|could|may|might)|whenever|when you(?:'re| are)? ready|to see|takes? effect|picks? (?:it |them |this )?up|next time|in (?:the )?future|(?:before|after|when|once) (?:you )?(?:commit|merg|push|deploy|releas|ship|publish|review|upgrad)\w*|in production)\b/i;

const HANDOVER_TAIL = 900;
const LONGEST = 400;

export function handsOver(text: string): HandsOver | undefined {
  const plain = (text.length > HANDOVER_TAIL ? text.slice(-HANDOVER_TAIL) : text)
    .replaceAll('\u2019', "'")
    .replace(/```[\s\S]*?(?:```|$)/g, ' x ')
    .replace(/`[^`\n]{0,200}`/g, 'x');
  const asked = plain
    .split(/(?<=[.!?;])\s+|\n+/)
    .filter((one) => one.length <= LONGEST && !one.trimEnd().endsWith('?') && !OPTIONAL.test(one));
  if (asked.some((one) => LEAVES.test(one) || (ASKS.test(one) && BY_HAND.test(one)))) return 'work';
  return asked.some((one) => ASKS.test(one)) ? 'check' : undefined;
}

const TAKES_OVER =
  /\b(?:i(?:'ll| will|'m going to| am going to| want to)(?: \w+){0,2} (?:run|test|try|verify|check|deploy|apply|execute|do)\b|(?:don't|do not|without|no need to|never) (?:run|execut|test|deploy|appl|verify|try)\w*|let me (?:run|test|try|check|verify)\b)/i;

/** The user wants to do it, or does not want it done, so the agent leaves nothing to them. */
export function userTakesOver(text: string): boolean {
  return TAKES_OVER.test((text.length > 4_000 ? text.slice(0, 4_000) : text).replaceAll('\u2019', "'"));
}

/** Filler that any agent could say to anybody: it answers nothing. "Yes", "sure" and "done" alone are answers. */
const MAX_FILLER = 400;

type Kind = 'promise' | 'yes' | 'courtesy';

/**
 * Sentences that are only filler, by their first words. `promise` announces what the agent will do next: a message with
 * nothing else did nothing. A yes is an answer, but means nothing next to other words.
 */
const RULES: readonly (readonly [Kind, words: string, pattern: string])[] = [
  [
    'promise',
    "i i'll i'm let let's allow",
    "(?:i(?:'ll| will| am going to|'m going to)|let me|allow me to|let's)(?: (?:now|first|just|quickly|go ahead and|go and|start by|begin by|try to))* (?:start|begin|get|take|have|look|check|dig|dive|investigat|explor|examin|search|review|read|inspect|analy[sz]|think|find out|figure|work|do|fix|handle|see what|pull up|run|gather|prepare|put together)(?:e|ing|ning|ting)?\\b(?! your\\b)\\D{0,90}",
  ],
  [
    'promise',
    "i i'm",
    "i(?:'m| am) (?:on it|working|looking|checking|thinking|getting|starting|reviewing)\\b\\D{0,60}",
  ],
  [
    'promise',
    "please one just hold on working looking bear give and i i'll get be come circle",
    "(?:please )?one (?:moment|second|sec)(?: please)?|just a (?:moment|second|minute|sec)(?: please)?|hold on|on it|working on it|looking into (?:it|that|this)|please (?:wait|hold on|stand by|bear with me)|bear with me|give me a (?:moment|second|minute|few \\w+)|(?:and )?(?:i(?:'ll| will) )?(?:get|be|come|circle) (?:right )?back\\b\\D{0,60}",
  ],
  [
    'promise',
    'einen ich un je 请稍等 少々お待ちください',
    "einen moment(?: bitte)?|ich (?:schaue|sehe|kümmere mich|prüfe)\\b\\D{0,60}|un (?:instant|moment)(?: s'il vous plaît)?|je (?:regarde|vérifie)\\b\\D{0,60}|un momento(?: por favor)?|请稍等|少々お待ちください",
  ],
  [
    'yes',
    'sure ok okay certainly of absolutely definitely',
    'sure(?: thing)?|ok(?:ay)?|certainly|of course|absolutely|definitely',
  ],
  [
    'courtesy',
    'got understood noted alright sounds no great hello hi hey good welcome h oh ah well wow interesting fascinating please',
    'got it|understood|noted|alright|sounds good|no problem|great|hello|hi|hey|hi there|hello there|good (?:morning|afternoon|evening)|welcome|hm+|oh|ah|well|wow|interesting|fascinating|please',
  ],
  [
    'courtesy',
    "wow oh that that's what a an really very truly such so great good interesting excellent wonderful fascinating important fantastic",
    "(?:(?:wow |oh )?(?:that(?:'s| is| sounds like)|what) (?:an? )?)?(?:(?:really|very|truly|such an?|so) )*(?:great|good|interesting|excellent|wonderful|fascinating|important|fantastic)(?: and (?:\\w+ ){0,2}(?:important|interesting|complex))? (?:question|topic|point|one|request|idea|subject)(?: (?:to ask|you raise|indeed))?(?: and (?:i(?:'m| am) )?(?:so |very |really )?(?:glad|happy) (?:that )?you asked)?",
  ],
  [
    'courtesy',
    "thank thanks you're youre my happy glad delighted pleased i i'm so very really",
    "thanks?(?: you)?(?: (?:so much|very much|again))?(?: for \\w+(?: \\w+){0,7} ?)?|you'?re (?:very |most )?welcome|my pleasure|(?:happy|glad|delighted|pleased) to (?:help|assist)\\D{0,90}|(?:i(?:'m| am) )?(?:so |very |really )?(?:glad|happy) (?:that )?you asked\\D{0,30}",
  ],
  [
    'courtesy',
    "i i'd i'll",
    "i(?:'d| would|'ll| will| can)(?: (?:certainly|definitely|absolutely|surely|gladly|of course))?(?: be)?(?: (?:more than )?(?:happy|glad|delighted|pleased) to)? (?:(?:help|assist)\\D{0,90}|do (?:that|this|it))",
  ],
  [
    'courtesy',
    "i i'm as",
    "i(?:'m| am) (?:here|happy|glad|ready)(?: (?:to (?:help|assist|answer|support|work|get|start)\\b\\D{0,70}|whenever you are|for you|if you need\\D{0,40}))?|as an? (?:ai|large|helpful)\\b\\D{0,40}(?:model|assistant)",
  ],
  [
    'courtesy',
    'just and we',
    'just (?:say the word|let me know|ask)\\D{0,60}|(?:and )?we (?:will|can)(?: get)? start(?:ed)?\\D{0,30}',
  ],
  [
    'courtesy',
    "please let feel don't is if need have how what i hope",
    "(?:please )?let me know (?:if|how|what|when|whether) .{0,90}|(?:please )?feel free to .{0,70}|don't hesitate to .{0,70}|is there anything else .{0,50}|(?:if you )?(?:need|have) any(?:thing else|(?: other| more)? questions?).{0,70}|how (?:can|may) i (?:help|assist)(?: you)?(?: today)?|what can i do for you(?: today)?|have a (?:nice|great|good|wonderful) \\w+|(?:i )?hope (?:this|that|it) (?:helps|gives|answers|was|is|makes|clarifies)\\D{0,70}",
  ],
  [
    'courtesy',
    "and it it's all always really very there there's important",
    "(?:and )?it (?:all |really |very much )?depends(?: on (?:many|several|various|a (?:variety|number|lot|range) of|lots of|a few|different) (?:\\w+ )?(?:things|factors|aspects|circumstances|variables))?|there(?:'s| is| are) (?:so )?(?:many|several|various|lots of|a (?:lot|number|variety) of|a lot) (?:\\w+ )?(?:(?:things|factors|aspects|ways|angles|perspectives|considerations) )?(?:to (?:consider|think about|look at|unpack|explore)\\D{0,30}|(?:involved|at play|here))|(?:it(?:'s| is) )?(?:always )?important to (?:think|consider|be|keep|remember)\\b(?: (?:carefully|mindful|things|all|everything|it|this|that|these|about|of|in|mind|the|various|different|many|factors|aspects))*",
  ],
  [
    'courtesy',
    "klar gerne natürlich verstanden gute bien d'accord avec bonne claro por con buena certo certamente конечно понятно 好的 没问题 はい 承知しました わかりました かしこまりました",
    "klar|gerne|natürlich|verstanden|gute frage|bien sûr|d'accord|avec plaisir|bonne question|claro|por supuesto|con gusto|buena pregunta|certo|certamente|claro que sim|конечно|понятно|好的|没问题|はい|承知しました|わかりました|かしこまりました",
  ],
];

type Rule = { readonly kind: Kind; readonly pattern: string; compiled?: RegExp };
const BY_WORD = new Map<string, Rule[]>();
for (const [kind, words, pattern] of RULES) {
  const rule: Rule = { kind, pattern };
  for (const word of words.split(' ')) BY_WORD.set(word, [...(BY_WORD.get(word) ?? []), rule]);
}

/**
 * The kind of rule that the whole sentence matches. Patterns are compiled when a sentence first starts with their
 * words.
 */
function fits(sentence: string, kind?: Kind): boolean {
  const first = firstWord(sentence);
  const rules = BY_WORD.get(/^hm+$/.test(first) ? 'h' : first);
  return (
    rules?.some((rule) => {
      if (kind !== undefined && rule.kind !== kind) return false;
      rule.compiled ??= new RegExp(`^(?:${rule.pattern})$`, 'i');
      return rule.compiled.test(sentence);
    }) === true
  );
}

function firstWord(sentence: string): string {
  const space = sentence.indexOf(' ');
  return (space < 0 ? sentence : sentence.slice(0, space)).toLowerCase();
}

/** A sentence made only of these words mentions nothing from the request. Possible answers are not among them. */
const EMPTY_WORDS = new Set(
  `a about absolutely additional again ahead along also always am an and any anything appreciate appreciated are as asked asking answer
  assist assistance at away awesome back be bear been begin best by can care carefully certainly check chance clearly closer
  come coming consider could course dear deeper definitely delighted details dig dive do drop easily else enjoy ensure everything
  excellent excited exciting explore exploring fantastic figure fine for forward from further get getting give gladly glad go
  going good great had handle happy have having hear help helpful here hey hi hello hold hope i i'd i'll i'm i've if immediately
  in inquiry interesting into is issue it it's its just keep kind kindly know let let's like look looking lot love made make matter
  may me message might mind moment momentarily more much my need needs nice note noted now of okay on once opportunity
  or our out over patience perfect plan please pleased pleasure prepare proceed process processing provide query question questions
  quick quickly reach reaching ready really received request review right run see share shortly should soon something sound sounds
  start started starting super support sure take taking task team thank thanks that that's the then there thing things think this
  thought through time to together topic touch towards try turn understand understood up us very wait want was way we we'll we're well
  still doing hope important interest journey mean some thrilled how what will wish with wonderful work working worry worth would you you'd you'll you're your`.split(
    /\s+/,
  ),
);
/** One of these words makes it a courtesy or an intention. */
const MARK =
  /\b(?:i'll|i will|i'd|i'm|i am|we'll|let me|let's|let us|going to|will (?:get|be|do|look|take|start)|thanks?|thank you|appreciate\w*|happy|glad|delighted|pleased|pleasure|excited|love|perfect|excellent|awesome|fantastic|wonderful|great|sure|certainly|understand|understood|received|moment|shortly|soon|patience|worth (?:exploring|looking)|sounds? (?:good|great|like)|good (?:point|question)|thrilled|important to us|hope)\b/i;
const INTENTION =
  /\b(?:i'll|i will|we'll|let me(?! know)|going to|will (?:get|be|do|look|take|start)|starting|processing|working|shortly|soon|moment)\b/i;
/** "I think so" is an answer. */
const ANSWER =
  /\b(?:think (?:so|not)|(?:would|'d) (?:like|want|need) (?:to )?(?:see|have|know)|need (?:you|your|more|to)|i (?:have|had|was|see|can) (?!received|taken|noted))\b/i;

/** Whether the text is only filler. */
export function isFiller(text: string): boolean {
  if (text.length > MAX_FILLER) return false;
  let isYes = true;
  let says = false;
  for (const part of partsOf(text)) {
    const sentence = plain(part);
    if (sentence === '') continue;
    // Nearly always the first sentence has content, and its first letters show it.
    if (!fits(sentence) && !isEmptyTalk(sentence)) return false;
    isYes &&= fits(sentence, 'yes');
    says = true;
  }
  // "…" is not an answer; a symbol that stands for a word may be one.
  return says ? !isYes : /\S/.test(text) && /^[\s\p{P}]*$/u.test(text);
}

/** Whether it only announces what it will do, or asks to wait. */
export function isPromise(text: string, filler = isFiller(text)): boolean {
  return filler && [...partsOf(text)].map(plain).some(isIntention);
}

/** "I'll be here", "I'll keep that in mind": no work is left to do. */
const NO_DEED = /\b(?:be (?:here|around|available|there|happy|glad|delighted|pleased)|keep|remember|wait)\b/i;

function isIntention(sentence: string): boolean {
  if (NO_DEED.test(sentence)) return false;
  return fits(sentence, 'promise') || (INTENTION.test(sentence) && isEmptyTalk(sentence));
}

function isEmptyTalk(sentence: string): boolean {
  if (!EMPTY_WORDS.has(firstWord(sentence))) return false;
  const words = sentence.toLowerCase();
  return (
    words.split(' ').every((word) => EMPTY_WORDS.has(word)) && MARK.test(sentence) && !ANSWER.test(sentence)
  );
}

const BETWEEN = /[.!?…\n。！？、,:;—–]+|\s-\s|\sand\s(?=(?:it|i|i'm|there)\b)/gi;

/** A generator: for most texts only the first sentence is needed. */
function* partsOf(text: string): Generator<string> {
  const plainQuotes = text.replaceAll('\u2019', "'");
  let from = 0;
  for (const { 0: mark, index } of plainQuotes.matchAll(BETWEEN)) {
    yield plainQuotes.slice(from, index);
    from = index + mark.length;
  }
  yield plainQuotes.slice(from);
}

function plain(part: string): string {
  return part
    .replace(/[^\p{L}\p{N}' ]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
