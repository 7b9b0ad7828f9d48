/** What a user message says about the work before it: a correction, an acceptance, or nothing. */
import { filesNamed, findsFault, questionsWork, tellsFailure } from './faults.ts';

export type UserRemark = 'correction' | 'acceptance' | 'continue' | 'none';

/**
 * What the agent said last. A "no" may answer a question. Insisting after a refusal is a correction only when the user
 * says that the agent declined something else than they asked for. After the agent delivered files, "that's wrong" may
 * mean those.
 */
export type Before = {
  readonly asked: boolean;
  readonly declined: boolean;
  readonly delivered?: boolean;
  /** It asked to see the output. */
  readonly awaitsReport?: boolean;
  /** Whether it changed a file of this name. */
  readonly changed?: (file: string) => boolean;
};

/** Corrections come first; later sentences of a long message are about something else. */
const OPENING = 200;
const FIRST_SENTENCES = 320;
/** Longer messages usually contain pasted text or a specification. */
const LONG = 1_200;

const THANKS =
  /\b(?:thanks|thank you|thx|ty|cheers|danke|merci|gracias|obrigad[oa]|grazie)\b|谢谢|感谢|ありがとう|спасибо/i;
const PRAISE =
  /\b(?:perfect|excellent|wow|awesome|amazing|brilliant|fantastic|wonderful|beautiful|nice work|good job|great job|well done|great work|love it|lgtm|looks? (?:good|great|perfect)|works? (?:great|perfectly|now|well|fine|like a charm)|it works|that works|works\b|that did it|that fixed it|exactly what i (?:needed|wanted)|perfekt|super gemacht|parfait|perfecto|perfeito|perfetto)\b|完美|很好|太好了|完璧|отлично|идеально/i;
const APPROVAL =
  /^(?:ok(?:ay)?|yes|yeah|yep|great|good|nice|cool|perfect|alright|lgtm)?[\s,.!-]*(?:please |now |then |let's |you can |go ahead and )*(?:commit|(?:merge|ship)(?= (?:it|this|that|the|now|please)|[\s,.!]*$)|push|deploy|release|open (?:a |the )?(?:draft )?pr|create (?:a |the )?(?:draft )?pr|submit)(?: (?:this|it|that|these|them|all|the (?:changes?|pr|branch|code|fix)|changes|and push|now|please|to \w+))*(?:[\s,.!]|$)/i;
/** A doubt or a wish after praise makes it something else. */
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

function isCorrection(own: string, before: Before, length: number): boolean {
  const first = own.slice(0, length > LONG ? OPENING : FIRST_SENTENCES);
  const start = own.slice(0, OPENING);
  if (CHECKS_AGAIN.test(start)) return false;
  if (before.delivered === true && faultsWork(first, before)) return !SELF_CORRECTION.test(first);
  const says = ({ opening, anywhere, refusal }: Phrases) =>
    opening.test(start) || anywhere.test(first) || (refusal.test(start) && !before.asked && !before.declined);
  if (!LATIN.some(says) && !(BEYOND_LATIN.test(first) && OTHER_SCRIPTS.some(says))) return false;
  if (SELF_CORRECTION.test(first)) return false;
  return !before.declined || before.delivered === true || MISHEARD.test(first);
}

const ASKS_FOR_MORE =
  /\b(?:can|could|would) you (?:(?:also|now|please) )*(?:write|add|create|build|implement|make|extend)\b|\balso (?:write|add|create|build|implement)\b/i;

function faultsWork(first: string, { awaitsReport, changed }: Before): boolean {
  if (NEW_MATTER.test(first) || ASKS_FOR_MORE.test(first) || !findsFault(first)) return false;
  const files = changed === undefined ? [] : filesNamed(first);
  return awaitsReport !== true && (files.length === 0 || files.some((file) => changed?.(file) === true));
}

/** A request to check again does not report a fault yet. */
const CHECKS_AGAIN =
  /^(?:(?:ok(?:ay)?|please|hmm+|well|and|so|now)[\s,.]+)*(?:(?:can|could|would|will) you (?:please )?)?(?:(?:double[- ]?check|re-?check|re-?verify)\b|(?:check|verify|look|review|test|try)(?: (?:it|that|this|them|everything|the \w+))?(?: (?:once more|again|one more time|another time))\b)/i;

function isAcceptance(own: string): boolean {
  if (own.length > MAX_ACCEPTANCE) return false;
  if (APPROVAL.test(own)) return true;
  if (RESERVATION.test(own)) return false;
  return PRAISE.test(own) || (THANKS.test(own) && own.length <= 120);
}

/** Whether repeating this message means that the agent did not follow it. */
export function isRequest(text: string): boolean {
  const own = ownWords(text);
  return own !== '' && !NO_REQUEST.test(own.slice(0, 80)) && !CONTINUE.test(own.slice(0, 80));
}

/** Thanks often begin the next request: "Perfect, thanks! Now do the same in the lexer." */
const THANKED =
  /^(?:(?:perfect|great|nice|thanks|thank you|awesome|excellent|cool|good|wonderful|lovely|super|ok(?:ay)?)(?: (?:work|job|so much|a lot|very much))?[\s,.!]+)+(?=\S.{12})/i;

/** Whether the message asks for something new, even after thanks. */
export function asksForMore(text: string): boolean {
  const own = ownWords(text);
  return isRequest(own.replace(THANKED, ''));
}

/**
 * A message after an interruption or a rejected call is an objection, unless it continues the work or the user takes it
 * over.
 */
export function isObjection(text: string): boolean {
  const own = ownWords(text);
  if (CONTINUE.test(own.slice(0, 80)) || AGREES.test(own.slice(0, 80)) || isAcceptance(own)) return false;
  return text.trim() !== '' && !SELF_CORRECTION.test(own.slice(0, FIRST_SENTENCES));
}

/**
 * Phrases with which users correct an agent, by language. Each must be unambiguous: a missed correction costs less than
 * a wrong one. `opening` phrases count only at the start of the message, `anywhere` phrases in its first sentences.
 * `refusal` phrases count only when the agent did not ask a question, because "no" is also an answer.
 */
type Phrases = { readonly opening: RegExp; readonly anywhere: RegExp; readonly refusal: RegExp };

/** Words before the actual point. */
const LEAD =
  "(?:(?:omfg|omg|wtf|fucking hell|fuck|damn|jesus|dude|my dude|h+m+|uh+|um+|oh|ah|argh|wait|hey|hold on|sorry|i'm sorry|i am sorry|ok(?:ay)?|but|and|well|so|actually|nope|no+|nah|sure|right|yeah|yes|stop)[\\s,.!:;\u2014\u2013-]+){0,4}";
const opening = (body: string) => new RegExp(`^${LEAD}(?:${body})`, 'i');

const ENGLISH: Phrases = {
  opening: opening(
    [
      "(?:that|this|it)(?:'s| is| was)(?: still| just| completely| totally)? (?:wrong|incorrect|not (?:right|correct|it|true|the (?:one|right|same|issue|problem|point|case)|what|how|quite))",
      "(?:that|this|it) (?:isn't|wasn't) (?:right|correct|it|true|what|how|the (?:one|right))",
      "(?:that|this|it) (?:did not|didn't|does not|doesn't) (?:really |even |actually )?(?:work|fix|help|solve|compile|build|run|pass|match|look right|look correct|seem|make sense|show|appear|load|start|address|answer|do (?:what|anything|it|that))",
      "(?:that|this|it)(?:'s| is)? still (?:not|does not|doesn't|isn't|is not|won't|fails?|failing|broken|gives|shows|says|happens|happening|wrong|too)",
      "(?:that|this|it) (?:can't|cannot) be (?:right|correct)",
      "(?:these|those|all of (?:these|those)|it looks like (?:these|those|neither|none))\\b[^.?!\\n]{0,60}\\b(?:still|neither|none|aren't|are not)\\b",
      'that [^.?!\\n]{1,30} is still ',
      "(?:just )?to (?:clarify|reiterate|be clear|repeat(?: myself)?)\\b[^?!\\n]{0,200}(?:\\b(?:not|never|had (?:asked|requested|said))\\b|n't\\b)",
      'i think (?:it|that|this|these|those) should(?:n.t| not)? ',
      'i mean, ',
      // "Hmm, I checked …" contradicts the agent. LEAD strips the "hmm" where it means nothing.
      '(?<=^h+m+[\\s,.!-]+(?:but )?)i (?:just |also )?(?:checked|looked|tested|tried|was able|can see)\\b',
      "no,? that's (?:horrible|terrible|awful|bad|stupid|worse|ugly)",
      "(?:the|our|this|that) [^.?!\\n]{1,40} still (?:looks?|fails?|doesn't|does not|isn't|is not|breaks|crashes|wrong)\\b",
      "i (?:don't|do not) (?:think|believe) [^.?!\\n]{1,60}(?: works?| is (?:right|correct)| correctly| right)\\b",
      'are you (?:\\w+ing )?(?:stupid|serious|kidding|blind|dumb)',
      'you (?:\\w+ing )?(?:fucked|screwed|messed) ',
      'i (?:undid|reverted|rolled back) your',
      '(?:\\w+ ){1,4}(?:is|are) (?:still )?(?:failing|broken)(?: now| again)?[\\s.!]*$',
      "still (?:not|fail\\w*|broken|wrong|the same|doesn't|does not|isn't|getting|seeing|no )",
      '(?:wrong|incorrect)(?:[\\s,.!:]|$)',
      '(?:please )?(?:undo|revert|roll back|rollback) (?:that|this|it|your|the last|the change|all|everything)',
      'again[:,] ',
      "i (?:really )?(?:meant|said|asked (?:you|for)|told you|wanted (?:you|the|it|this|that)|didn't (?:ask|say|mean|want|tell|mention)|did not (?:ask|say|mean|want|tell|mention))",
      "i (?:don't|do not) (?:want|need) (?:that|this|it|you to)",
      "(?:you(?:'ve| have)?) (?:forgot|missed|ignored|broke|misread|misunderstood|skipped|removed|deleted|changed|overwrote|got (?:it|that|this) wrong|made (?:it|that|this) up|should(?:n't| not) have|were supposed|still (?:haven't|have not|didn't)|(?:did not|didn't|haven't|have not) \\w+)",
      'why (?:did|are|have|would) you (?!think|suggest|recommend|prefer)',
      '(?:stop|quit) (?:doing|changing|touching|adding|removing|deleting|committing|pushing|using|creating|running|modifying|guessing|assuming|making|asking|repeating) ?',
      "(?:don't|do not) (?:do that|do this|do it|guess|assume|touch) ?",
      'not (?:as|like) (?:a |an |that|this)',
      'not (?:that|this) (?:one|way|file|branch)',
      "(?:i think )?there (?:must be|must have been|has to be|seems to be|might be|may be|appears to be|is|'s|has) (?:still |been )?(?:a |an |some )?(?:mistake|mix-?up|misunderstanding|confusion|mixup)",
      'stop for a (?:second|moment|minute)',
      '(?:please )?(?:re-?do (?:it|this|that|the)|start over|do (?:it|this|that) (?:over|again))\\b',
    ].join('|'),
  ),
  anywhere:
    /^actually,? [^.?!\n]{3,100}, (?:but )?not (?!sure|only|yet)|\bjust to (?:clarify|be clear)[,\s—-]{1,4}i(?:'d| had| was| would| wanted| asked| requested| expected)\b|(?<!what )\bi was expecting\b|\bthere(?:'s| is) no confusion\b|\bi still (?:want|need) to know\b|\b(?:i|i'm) (?:really |only )?(?:want|looking for|asking for|asking about|talking about) [^.?!\n]{1,100}, not (?:just|only|any|for|about)\b|\b(?:i (?:really )?(?:want|wanted|need|needed) [^.?!\n]{1,100}|(?:it|that|this|the \w+(?: \w+)?) should (?:be|have been) [^.?!\n]{1,60}), (?:but )?not (?!sure|only|just|yet|to worry|necessarily|any)|\b(?:make|put|change|set|bring|get) (?:it|that|this|them|those) (?:back\b(?! in\b)|like (?:that|it was|before)|as it was|the way it was)|(?<!\b(?:can|could|would|will) )\byou(?: keep|(?:'re| are) still) \w+ing\b|\b(?:than|what|as) (?:i was|you(?:'d| had)?) (?:told|said|promised|quoted)\b|\bnot what i(?:'m| am|'d| have|'ve)? (?:asked|meant|said|want\w*|need\w*|request\w*|ask\w*|look\w*)|\b(?:is|was) not what i\b|\byou(?:'ve| have)? (?:misunderst\w+|misread|mis-?interpreted|made (?:that|this|it) up)|\bno,? i (?:meant|said|asked)\b|\bi (?:already|just) (?:told|said|gave|asked|answered|explained)\b|\bi(?:'ve| have) already (?:told|said|given|asked|answered|explained|provided|mentioned|shared)\b|\bas i (?:already )?(?:said|mentioned|told you)\b|\bi never (?:said|asked|mentioned|requested|wanted)\b|\bi didn't (?:ask|say|mention|request|mean)\b|\bi think (?:there(?:'s| is| has been|'s been|'s still| is still)|you(?:'ve| have)? (?:mis|got|may|might|confus)) ?(?:been |still )?(?:a |an |some )?(?:mistake|mix-?up|misunderstanding|confusion|confused|wrong|\w*misunder\w*|\w*read)|\bthat(?:'s| is) (?:not correct|incorrect|wrong|not right|not the one|not it)\b|\bwhy do you keep\b|\bkeep (?:asking|repeating|doing|making) (?:me )?(?:for )?the same\b|\bnot you (?:adding|doing|changing|making)\b|\byou(?:'ve| have) (?:attached|added|put|changed|used|removed|deleted|written) (?:it|that|this|them) (?:to|in|on|at|from|with)\b/i,
  refusal: opening(
    "(?:no+|nope|nah)[\\s,.!:;\u2014\u2013-]+(?![\\s,.!:;\u2014\u2013-])(?!problem|worries|thank|need|rush|more|further|other|idea|issue|that's (?:all|it|fine|ok|okay|everything|good)|that is (?:all|it|everything)|that will|it's (?:fine|ok)|i'm (?:good|fine)|nothing|hurry|it is|$).{3}",
  ),
};

const GERMAN: Phrases = {
  opening:
    /^(?:nein,? )?(?:das (?:ist|war) (?:falsch|nicht (?:richtig|das|was|korrekt))|ich meinte|so (?:war das )?nicht|falsch[\s,.!]|stimmt nicht|das stimmt (?:so )?nicht|mach(?:e)? (?:das|es) (?:wieder )?rückgängig|(?:das |es )?(?:geht|funktioniert) (?:immer )?noch(?: immer)? nicht|immer noch (?:nicht|falsch|kaputt)|du hast .{1,40}(?:vergessen|übersehen|falsch)|warum hast du)/i,
  anywhere:
    /nicht (?:das,? )?was ich (?:wollte|gemeint|meinte|gesagt|gefragt|verlangt)|das habe ich nicht (?:gemeint|gesagt|gewollt|verlangt)|du hast mich falsch verstanden/i,
  refusal: /^nein[,.!] (?!danke|das (?:ist|war) alles|passt|alles gut)/i,
};

const FRENCH: Phrases = {
  opening:
    /^(?:non,? )?(?:c'est (?:faux|incorrect|pas (?:ça|bon|correct|ce que))|ce n'est pas (?:ça|correct|bon|ce que)|je voulais dire|annule (?:ça|cela|tes|la dernière)|ça ne (?:marche|fonctionne) (?:toujours )?pas|toujours pas|tu as (?:oublié|supprimé|cassé)|pourquoi as-tu)/i,
  anywhere:
    /pas ce que j'(?:ai|avais) (?:demandé|dit)|pas ce que je (?:voulais|demandais)|tu (?:m'as|n'as pas) (?:mal )?compris/i,
  refusal: /^non[,.!] (?!merci|c'est (?:tout|bon|parfait)|rien)/i,
};

const SPANISH: Phrases = {
  opening:
    /^(?:no,? )?(?:(?:eso|esto) (?:no es|está mal|es incorrecto)|no es (?:lo que|correcto)|está mal|quise decir|me refería|deshaz|sigue sin|todavía no funciona|te (?:olvidaste|has olvidado)|has (?:olvidado|borrado|roto)|¿?por qué (?:has|hiciste|borraste))/i,
  anywhere: /no es lo que (?:te )?(?:pedí|dije|quería|quise)|no (?:te )?pedí eso|me has entendido mal/i,
  refusal: /^no[,.!] (?:quise|quiero decir|me refiero|eso no|usa|así no)/i,
};

const PORTUGUESE: Phrases = {
  opening:
    /^(?:não,? )?(?:(?:isso|isto) (?:não é|está errado|não está)|está errado|(?:eu )?quis dizer|desfaç?a|desfaz|ainda não funciona|continua (?:sem|não|errado)|você (?:esqueceu|apagou|quebrou)|por que você)/i,
  anywhere: /não (?:é|foi) (?:isso )?(?:o )?que (?:eu )?(?:pedi|disse|queria|quis)|eu não pedi/i,
  refusal: /^não[,.!] (?:eu quis|isso não|use|assim não)/i,
};

const ITALIAN: Phrases = {
  opening:
    /^(?:no,? )?(?:(?:questo|quello) (?:non è|è sbagliato)|è sbagliato|non è (?:quello|ciò|corretto|giusto)|intendevo|volevo dire|annulla (?:questo|tutto|le|la)|non funziona ancora|ancora non funziona|hai (?:dimenticato|cancellato|rotto)|perché hai)/i,
  anywhere: /non è (?:quello|ciò) che (?:ho|avevo|volevo|intendevo)|non ti ho chiesto/i,
  refusal: /^no[,.!] (?:intendevo|volevo|non (?:così|quello)|usa)/i,
};

const CHINESE: Phrases = {
  opening:
    /^(?:不对|不是这样|不是这个|错了|你错了|不,我|不，我|我的意思是|我说的是|还是不行|还是不对|还是错|撤销|撤回|恢复原|为什么你)/,
  anywhere: /不是我(?:要|想|说)的|你理解错|你误解|我没(?:有)?(?:让|叫|要)你|不是这个意思/,
  refusal: /^(?:不是|不,|不，)(?!用|需要|客气)/,
};

const JAPANESE: Phrases = {
  opening:
    /^(?:いや、?|いいえ、?)?(?:違います|違う|ちがう|そうじゃな|そうではな|間違って|間違い(?:です|だ)|元に戻して|まだ動(?:かない|きません)|なぜ(?:勝手に|削除|変更))/,
  anywhere: /言った(?:のは|こと)と違|頼んで(?:い)?(?:ない|ません)|意味ではな|という意味じゃ/,
  refusal: /^(?:いや、|いいえ、)(?!大丈夫|結構|ありがとう)/,
};

const RUSSIAN: Phrases = {
  opening:
    /^(?:нет,? )?(?:это (?:не то|неправильно|неверно|не так)|неправильно|неверно|не то(?:[\s,.!]|$)|не так(?:[\s,.!]|$)|я имел[а]? в виду|я (?:же )?(?:просил|сказал)|отмени (?:это|все|всё|последн)|верни (?:как было|обратно|назад)|вс[её] ещ[её] не|опять не|ты (?:забыл|удалил|сломал)|зачем ты|почему ты)/i,
  anywhere: /не то,? что я (?:просил|хотел|имел|сказал)|я (?:этого )?не просил|ты (?:меня )?не так понял/i,
  refusal: /^нет[,.!] (?!спасибо|это вс[её]|ничего)/i,
};

/** Languages written in ASCII or nearly so. */
const LATIN: readonly Phrases[] = [ENGLISH, GERMAN, FRENCH, SPANISH, PORTUGUESE, ITALIAN];
/** Skipped for ASCII messages. */
const OTHER_SCRIPTS: readonly Phrases[] = [CHINESE, JAPANESE, RUSSIAN];

/** The user corrects themselves or changes their mind: not the agent's fault. */
const SELF_CORRECTION =
  /\bmy (?:bad|mistake|fault|apologies|error)\b|\bi (?:misspoke|mistyped|made a (?:mistake|typo)|mixed (?:it |that |them )?up|was wrong|messed up|must(?:'ve| have) m\w+|might(?:'ve| have) m\w+|may have m\w+|changed my mind|got (?:it|that) wrong)|\bsorry for the (?:confusion|mix-?up)|\bi (?:got|gave|typed|entered|had) [^.?!\n]{1,40} wrong\b|\blet me correct\b|\bnow that you mention|\bsorry,? i (?:meant|should|forgot|didn't|misread|was)|\b(?:change|changed) my mind\b|mein fehler|mi error|ma faute|my wrong/i;

/** Users often repeat agreement, and reports of what they did themselves, in the same words. */
const NO_REQUEST =
  /^(?:yes|yeah|yep|sure|ok(?:ay)?|right|correct|thanks|thank you|great|perfect|please proceed|go ahead)\b|^(?:(?:ok(?:ay)?|alright|so|and|well)[\s,]+)?(?:i|i've|i have|we|we've)(?: just| also| now)? (?!need|want)\w+ed\b/i;

/** The agent takes the blame for what the user just mentioned. Regret about a delay or a rule is only polite. */
const ADMITS_FAULT =
  /\b(?:my (?:mistake|bad|error|fault|oversight)\b|i (?:was wrong|was mistaken|made (?:a|an|some|the) (?:mistake|error|wrong|incorrect)|misread|misunderstood|mis-?interpreted|overlooked|forgot|missed (?:that|it|this|the)|should(?:n't| not) have|should have|got (?:that|it|this) wrong|jumped (?:to|ahead)|skipped)\b|i apologi[sz]e for (?:the |my |that |any )?(?:confus|mistake|error|oversight|mis|mix|wrong|incorrect|earlier|previous|not )|(?:apologies|sorry) (?:for|about) (?:the |my |that |any )?(?:confus|mistake|error|oversight|mis|mix|wrong|earlier)|sorry about that\b|that was (?:my|a mistake|wrong|an error|incorrect)\b|(?:good|great|nice|excellent) (?:catch|spot)\b|thanks? (?:you )?for (?:catching|pointing (?:that|this|it)|correcting|the correction)\b)/i;
const AGREES_WITH =
  /\byou(?:'re| are) (?:absolutely |completely |quite |totally |entirely |so )?(?:right|correct)\b/i;
/** The first word of a new instruction. */
const INSTRUCTS =
  /^(?:(?:ok(?:ay)?|and|also|now|then|please|great|thanks|next)[\s,.!]+)*(?:please|also|let's|let us|can you|could you|would you|i(?:'d| would) like|add|delete|remove|rename|move|create|write|make|change|update|use|run|commit|push|implement|put|do|try|go|show|tell|give|merge|open|set|check|look)\b|^(?:(?:ok(?:ay)?|and|so|hm+)[\s,.]+)*(?:i think (?:we|our|you|it|this) [^.?!\n]{0,60}?(?:should|needs?|could)|maybe|perhaps|what (?:about|if)|how about)\b/i;
const ADMISSION = 240;

/** Whether the agent's reply can turn a message into a correction, and how clearly it must admit the mistake. */
export type Admittable = 'no' | 'only fault' | 'yes';

export function admittable(text: string, remark: UserRemark, asked: boolean): Admittable {
  if (remark !== 'none') return 'no';
  const own = ownWords(text);
  if (own === '' || SELF_CORRECTION.test(own.slice(0, FIRST_SENTENCES))) return 'no';
  if (questionsWork(own.slice(0, FIRST_SENTENCES), true)) return 'yes';
  return asked || INSTRUCTS.test(own.slice(0, OPENING)) ? 'only fault' : 'yes';
}

/** Only the agent's next actions show whether it finds a fault. */
export const asksAboutWork = (text: string, answers: boolean): boolean =>
  questionsWork(ownWords(text).slice(0, FIRST_SENTENCES), answers);

/** Whether the start of an answer admits that the user was right to object. */
export function admits(answer: string, how: Exclude<Admittable, 'no'>): boolean {
  const start = answer.slice(0, ADMISSION);
  if (!/right|correct|sorry|apolog|mistake|catch|my bad|fault|oversight|missed|wrong|mis|should/i.test(start))
    return false;
  const plain = start.replaceAll('\u2019', "'");
  return ADMITS_FAULT.test(plain) || (how === 'yes' && AGREES_WITH.test(plain));
}

/** Continuing after an interruption: the user did not object. A plan that is sent again was approved. */
const CONTINUE =
  /^implement the following plan:|^(?:(?:sorry|oops|ok(?:ay)?|yes|no|please|pls|never ?mind|nvm)[\s,.!-]+)*(?:(?:you can|just|let's|now) )*(?:continue|go on|go ahead|proceed|keep going|carry on|resume|try again|retry|weiter|mach weiter|continúa|continua|continue[rz]?|继续|続けて|продолжай)(?: (?:please|pls|now|then|again|from (?:there|here)|(?:from )?where you (?:left off|stopped|were)|with (?:it|that|this|the (?:plan|work|task)|your (?:work|plan|task)|what you were doing)))*[\s.!]*$/i;

/** The whole message is a yes, or says that it does not matter: the user takes the stop back. */
const AGREES =
  /^(?:(?:yes|yeah|yep|y|ok(?:ay)?|k|sure|fine|good|right|please|do it|do that|go|go for it|never ?mind|nvm|forget it|my bad|oops|sorry|ja|doch|oui|vale|s[ií]|sim|да|好的?|可以|はい)[\s,.!]*)+$/i;

/**
 * The user's own words: without code, quotations, pasted logs, diffs and program notices. Words in those, such as
 * "wrong" or "failed", are not the user's.
 */
const MAX_LOOK = 4_000;
const MAX_WORDS = 1_500;

const NOT_OWN_LINE =
  /^\s*(?:>|\||[+-]{3} |@@ |\$ |#+ |❯|at \S+ ?\(|\d{4}[-/]\d\d[-/]\d\d[T ]|\[?\d\d:\d\d:\d\d|\[(?:info|warn|error|debug)|(?:info|warn|warning|error|debug|fatal|traceback|exception|panic|exit code)\b.{0,3}[:(\]]|File "|[\w./-]+:\d+:\d+|\S+(?:Error|Exception):)/i;

function ownWords(text: string): string {
  const head = text.length > MAX_LOOK ? text.slice(0, MAX_LOOK) : text;
  const start = head.trimStart();
  if (start.startsWith('<') || start.startsWith('[') || start.startsWith('{')) return '';
  const bare = head
    .replace(/```[\s\S]*?(?:```|$)/g, ' ')
    .replace(/`[^`\n]{0,200}`/g, ' x ')
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/[\u201c\u201d\u201e\u00ab\u00bb]/g, '"')
    .replace(/"[^"\n]{4,400}"/g, ' x ');
  const own = bare
    .split('\n')
    .filter((line) => !NOT_OWN_LINE.test(line))
    .join('\n')
    .trim();
  return own.length > MAX_WORDS ? own.slice(0, MAX_WORDS) : own;
}

// A failure that the user reports after the agent delivered: pasted, or in a few words.

const MAX_PASTED = 6_000;
const PASTE_OPENING = 240;
/** A longer report describes a task. */
const FEW_WORDS = 500;

const FAILURE_LINE =
  /(?:^|\n)\s{0,12}(?:[\w./\\-]{1,200}[:(]\d+[:,]\d+\)?: |(?:[\w.]{1,60})?(?:Error|Exception)(?: \[\w+\])?: |(?:fatal|panic|error(?:\[\w+\])?|ERROR|FATAL): |npm (?:ERR!|error) |Traceback \(most recent|(?:--- )?FAIL(?:ED)?\b|at \S{1,200} ?\(\S{1,200}:\d+|✗|✘|[^\n]{0,120}\bexit(?:ed with)?(?: code| status)?:? [1-9]\d{0,2}\b)/;

/** About something other than what was delivered. */
const NEW_MATTER =
  /^(?:(?:ok(?:ay)?|alright|great|thanks|cool|nice|good|perfect|also|and|now)[\s,.!]+)*(?:one more|another|next|then (?:we|you|let)|separately|unrelated|different(?:ly)?|new (?:issue|task|topic|bug)|i(?:'m| am) (?:also )?working on|(?:can|could) (?:you|we) (?:also|now))\b/i;

/** Material comes with instructions; a reported failure needs few words. */
const HANDS_OVER_MATERIAL =
  /\b(?:summari[sz]e|translate|explain|review|document|here(?:'s| is| are) (?:the|a|an|my|our|some) (?:spec\w*|doc\w*|article|plan|design|requirements?|issue|ticket|transcript|example|list|text|draft|description|readme|proposal)|implement|write (?:a|an|the)|add (?:a|an|the|support)|create|turn (?:this|it) into|based on (?:this|the))\b/i;

export function bringsFailure(text: string): boolean {
  const own = ownWords(text);
  if (NEW_MATTER.test(own)) return false;
  if (own.length <= FEW_WORDS && tellsFailure(own.slice(0, PASTE_OPENING))) return true;
  return (
    FAILURE_LINE.test(text.slice(0, MAX_PASTED)) && !HANDS_OVER_MATERIAL.test(own.slice(0, FIRST_SENTENCES))
  );
}
