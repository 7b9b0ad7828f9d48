/**
 * Whether a message reports a fault in what was delivered. Each sentence is read by itself. A statement that something
 * is wrong reports a fault; a request, a question and a hypothetical case do not.
 */

const MOST_SENTENCES = 8;
const LONGEST = 240;
/** Filler words before the actual point. */
const LEAD =
  /^(?:(?:ok(?:ay)?|but|and|so|well|hm+|uh+|ugh|oh|ah|argh|wait|hey|dude|man|sorry|now|also|then|actually|actually now|however|unfortunately|sadly|nope|no|nah|yes|yeah|wtf|omg|great|thanks|thank you|nice|cool|perfect|i think|i guess|i believe|it (?:looks|seems) like|looks like|seems like|apparently)[\s,.!:;\u2014\u2013-]+){1,4}/i;
/** Verbs with which users ask for work. A fault may precede verbs of fixing; the others ask for something else. */
const MENDS =
  'fix|correct|repair|revert|undo|restore|check|look|find|figure|investigate|debug|solve|resolve|try|see|change|make|put|use|move|remove|delete|drop|keep|update|rename|replace|read|stop|go|do|redo|tell';
const MAKES =
  'add|allow|apply|build|commit|compare|continue|convert|copy|create|deploy|describe|document|draft|edit|ensure|explain|export|extend|extract|finish|format|generate|give|handle|hide|implement|improve|include|increase|insert|install|introduce|let|list|log|merge|open|optimi[sz]e|parse|plan|print|provide|push|raise|reduce|refactor|release|report|return|review|rewrite|run|save|search|send|set|show|simplify|skip|split|start|store|summari[sz]e|support|switch|take|test|throw|translate|turn|upgrade|validate|verify|wire|work|wrap|write';
const ASKS = new RegExp(
  `^(?:please |pls |kindly |just |also |then |next,? |now |instead,? |(?:can|could|would|will) (?:you|we)(?: (?:please|also|now|just|maybe)){0,2} |let's |let us |(?:i|we)(?:'d| would| will|'ll)? (?:also )?(?:like|want|need)(?: (?:you|us))? to |you (?:should|can|could|may|need to|have to) |make sure |feel free ){1,4}(?:[a-z]|$)|^(?:${MENDS}|${MAKES}|don't|do not|never)\\b(?! (?:fails?|crash|hang|break|work))`,
  'i',
);
const MAKES_NEW = new RegExp(
  `^(?:please |pls |just |also |then |next,? |now |(?:can|could|would|will) (?:you|we)(?: (?:please|also|now|just)){0,2} |let's |(?:i|we)(?:'d| would)? (?:like|want|need)(?: (?:you|us))? to ){0,3}(?:${MAKES})\\b`,
  'i',
);
const QUESTION =
  /\?\s*$|^(?:who|what|when|where|why|how|which|whose|is|are|was|were|do|does|did|has|have|can|could|should|shall|will|would|am|(?:is|are|was|were|do|does|did|wo|would|should|ca|have|has)n't (?:i|you|we|it|they|he|she|this|that|these|those|the|there))\b(?! not\b)/i;
/** Before the fault in its sentence: a condition, a wish, or a statement of someone else. */
const IN_CASE =
  /\b(?:if|when|whenever|in case|unless|would|could|might|may|so that|used to|to make sure|ensure|suppose|imagine|for example|e\.g\.|until|before|because|since(?! your)|that way|should|must|in order to)\b[^.?!\n]{0,100}$/i;
const OF_OTHERS =
  /\b(?:customers?|users?|clients?|people|reviewers?|colleagues?|bugbot|sonar\w*|copilot|the (?:issue|ticket|review|comment|report|feedback|spec|article|post))\b[^.?!\n]{0,30}\b(?:says?|said|reports?|reported|complains?|complained|mentions?|sees?|asks?|gets?|writes?|wrote|claims?)\b|^(?:new |another |next )?(?:issue|task|ticket|bug|review|feedback|comment)\b[^.?!\n]{0,40}:/i;

/** What is wrong with a thing. */
const BAD =
  '(?:wrong|broken|off|missing|blank|empty|truncated|cut off|garbled|incomplete|incorrect|inaccurate|invalid|inconsistent|misleading|misaligned|mislabell?ed|outdated|obsolete|deprecated|removed in|an? (?:outdated|old|wrong|different)|over(?:ly)? \\w+|unhappy|stale|worse|red|stuck|gone|lost|unreadable|unusable|illegible|invisible|overkill|over-?engineered|over-?complicated|convoluted|unnecessary|redundant|pointless|useless|nonsense|horrible|terrible|awful|bad|ugly|weird|janky|buggy|flaky|messed up|screwed up|fucked up|a mess|backwards|reversed|inverted|swapped|upside down|unstyled|duplicated|twice|unused|false|untrue|hallucinated|made up|invented|fabricated|bogus|the (?:old|wrong|opposite|other way|same (?:error|problem|issue|result|thing|as before))|too \\w+|way too|(?:only )?half|not)';
const FAULTS = new RegExp(
  [
    `\\b(?:is|are|was|were|looks?|seems?|feels?|sounds?|reads?|went|goes|comes? (?:out|up)|came (?:out|up)|stays?|remains?|ends? up|shows? up|appears?|still|got|gets)(?: (?:still|all|now|just|completely|totally|entirely|also|again|really|very|quite|a bit|a little|kind of|somewhat|much|even|being|been|both|to be|like|it|in|at|on|like it's)){0,3} ${BAD}\\b`,
    `(?:\\b(?:it|that|this|there|what|everything)|\\w)'s (?:(?:still|all|now|just|completely|totally|also|again|really|a bit|even|in|at) ){0,2}${BAD}\\b`,
    `'re (?:(?:still|all|now|just|completely|totally|also|both|in|at) ){0,2}${BAD}\\b`,
    // A negated statement about it.
    "\\b(?:is|are|was|were|do|does|did|has|have|had|will|can|wo|ca|should)(?:n't| ?not)\\b(?! (?:sure|yet|necessary|necessarily|need|matter|mind|worry|urgent|important|want|care|know|think|believe|remember|required|a problem|an issue|a big|a deal|have to|only|just|forget|commit|push|merge|start|touch|be (?:necessary|needed|a problem)))",
    '\\b(?:never|no longer|nowhere) (?:\\w+ )?(?:\\w+s|\\w+ed|works?|gets?|set|read|run|sent|shown|written|called|built|made)\\b',
    '\\b(?:nothing|nobody|no one|none of (?:it|them|these|those|the \\w+)|no (?:code|caller|file|test|button|output|rows?|data)) (?:\\w+ ){0,2}(?:calls?|uses?|imports?|invokes?|reads?|references|triggers?|fires?|happens?|happened|changes?|changed|shows?|appears?|loads?|works?|worked|exists?|is|are|was|were|matches|comes?|gets?)\\b',
    "\\b(?:i|we) (?:(?:still|also|just|really|even) )*(?:don't|do not|can't|cannot|could not|couldn't|didn't|am not able to|are not able to) (?:\\w+ ){0,2}(?:see|find|get|reach|open|click|log|use|run|start|build|load|edit|select|scroll|type|access|connect|tell|reproduce)\\b",
    '\\bthere (?:is|are|was|were)(?: still| now| actually)? (?:no(?: such)?|nothing|none|two|duplicate|a (?:bug|problem|mistake|typo|regression|crash|leak|race|gap))\\b',
    "\\bthere(?:'s| is) no such\\b|\\bbefore your (?:last |latest )?(?:change|edit|fix|commit)|\\bsince your (?:last |latest )?(?:change|edit|fix|commit)|\\b(?:build|ci|pipeline|deploy) broke\\b|\\b(?:has|have|had|with) no effect\\b|\\bdoes nothing\\b|\\bdo nothing\\b|\\bno (?:change|difference|effect|luck|improvement)\\b",
    '\\b(?:the )?same (?:old )?(?:error|problem|issue|result|thing|message|failure|bug|behaviou?r|output|outcome|crash|story|mistake)\\b|\\bsame as before\\b',
    // What it does wrong.
    '\\b(?:fails|failed|is failing|are failing|crash(?:es|ed)|hangs|hung|freezes|froze|breaks|broke|explod(?:es|ed)|dies|died|errors(?: out)?|times out|timed out|loops forever|leaks|flickers|overlaps?|disappear(?:s|ed)|vanish(?:es|ed)|lags|throws|doubles?|duplicates)\\b',
    '^(?:still|again)\\b[^.?!\\n]{0,60}$|\\bstill (?:\\w+ing|broken|wrong|missing|empty|blank|red|there|not|no|an?|the|in|on|has|have|shows?|gives?|says?|gets?|uses?|fails?|crash\\w*|too)\\b',
    '\\b(?:i|we) (?:(?:now|still|just|also|only|always|keep|kept) )*(?:get|got|getting|see|seeing|hit|have) (?:\\w+ ){0,4}(?:errors?|exceptions?|crash\\w*|fail\\w*|warnings?|traceback|stack ?trace|redirected|logged out|stuck|lost|nothing|nan|null|undefined|none|[45]\\d\\d)\\b',
    `^(?:(?:it|that|this) )?(?:(?:just|only|really|has|have) )*(?:made (?:it|things|everything|that) (?:\\w+ )?worse|did not|didn't|does not|doesn't|won't)\\b|^(?!not\\b|off\\b)${BAD}\\b|\\bthis (?:page|file|code|one|layout|version|name|number|value|result) is (?:the|from the) (?:old|wrong)\\b`,
    // What the agent did, or did not do.
    "\\byou(?:'ve| have)? (?:(?:also|just|only|again|now|still|completely|totally|accidentally|already|never|even) )*(?:broke|introduced|removed|deleted|dropped|changed|forgot|missed|ignored|skipped|overlooked|left out|lied|misread|misunderstood|overwrote|duplicated|hard-?coded|invented|made up|hallucinated|fabricated|guessed|imagined|assumed|confused|mixed up|put|did (?:half|not|only|the|it)|renamed|moved|replaced|reverted|undid|messed up|screwed up|fucked|used the|are (?:wrong|mistaken|confus\\w+|missing|contradict\\w+|overcomplicat\\w+|looking (?:at|in) the wrong))\\b|\\byou're (?:wrong|mistaken|confus\\w+|missing|contradict\\w+|overcomplicat\\w+|looking (?:at|in) the wrong)\\b",
    "\\byou (?:still |also |only |just |even )*(?:never|haven't|have not|didn't|did not|don't|do not|aren't|are not|weren't|can't have|couldn't have)\\b(?! (?:need|have) to\\b)",
    '^(?:you|we) (?:claimed|said|promised|told me)\\b|\\bmy question (?:was|is|still)\\b|\\b(?:you|we) (?:claimed|said|promised|told me) [^.?!\\n]{1,80}\\b(?:but|yet|however)\\b|\\bbut (?:you|the \\w+) (?:said|say|says|claimed|told|promised)\\b',
    // What the user wanted.
    '\\b(?:i|we) (?:(?:really|clearly|explicitly|already|just|only|actually) )*(?:asked (?:you|for|to|that)?|said|told you|wanted|meant|expected|was expecting|were expecting|was hoping|had asked|had said|never (?:said|asked|mentioned|wanted))\\b',
    '\\b(?:was|is|were|are) supposed to\\b|\\bshould have (?:been )?\\w+|\\bshould (?:really |actually |only |still )?(?:be|have|go|come|show|say|return|use|read|look)\\b[^.?!\\n]{1,60}\\b(?:not|instead of|rather than)\\b',
    "\\b(?:is|are|'s) the other way (?:a)?round\\b|\\bsays? the opposite\\b|\\b(?:for|is) the (?:second|third|fourth|nth|last|\\d+\\w\\w) time\\b|\\b(?:as|like) i (?:already )?(?:said|mentioned|told|wrote|explained)\\b",
  ].join('|'),
  'i',
);

const FAILS =
  /\b(?:fail(?:s|ed|ing)?|broken?|breaks|crash(?:es|ed|ing)?|explod(?:es|ed|ing)|blew up|hangs?|hanging|errors out|red|(?:do|does|did)(?:n't| not) (?:compile|build|start|run|pass|load|work)|happen(?:s|ed|ing) again|(?:got|getting|get|gets|throws?|gives?|hit|seeing|see)(?: me| us)? (?:\w+ ){0,3}(?:error|crash|exception|failure|stack ?trace)s?)\b/i;

/** A question that implies a fault: the agent left something out, or invented something. */
const ACCUSES = new RegExp(
  [
    "\\bwhere (?:did|do|does|are|is|was|were) [^.?!\\n]{1,60} (?:get|got|come|coming|came|find|take|pull)\\b[^.?!\\n]{0,40}(?:\\bfrom|\\bthat|\\bthis|\\bit)\\b|\\bwhat(?:'s| is) (?:your|the) (?:source|evidence|basis) for\\b",
    "\\b(?:did|are|have) you (?:(?:just|really|actually|even|not|ever) )*(?:mak(?:e|ing) (?:that|this|it|these|\\w+ up)|invent(?:ing|ed)?|hallucinat(?:e|ing)|imagin(?:e|ing)|guess(?:ing)?|ignor(?:e|ing)|forget|break|miss)\\b|\\bdid you (?:even|actually|really)\\b|\\bdidn't (?:i|we|you)\\b|\\bhaven't (?:i|you)\\b",
    "\\bwhy (?:did|are|have|would|do|didn't|don't|aren't|haven't) you (?!think|suggest|recommend|prefer)|\\bwhy (?:is|are|does|do|did|was|were|isn't|aren't|doesn't|don't|didn't)\\b[^.?!\\n]{1,80}\\b(?:still|now|again|twice|two|not|n't|missing|empty|gone|different|wrong|broken|failing|so (?:many|much|slow|long|big)|no longer)\\b|\\bwhy (?:isn't|aren't|doesn't|don't|didn't|can't|won't)\\b",
    '\\b(?:the|an?|that|this) (?:error|bug|problem|regression|mistake|crash|failure) (?:that )?(?:you|your)\\b',
    'who (?:asked|told) you\\b|what (?:the (?:hell|fuck)|are you doing)\\b|are you (?:kidding|serious|blind)\\b',
  ].join('|'),
  'i',
);

/** "Still", "again", "the same error" and "does not work" in other languages. */
const ELSEWHERE =
  /\b(?:immer noch|funktioniert (?:\w+ )?nicht|geht (?:\w+ )?nicht|klappt nicht|fehlt|fehlen|kaputt|derselbe (?:fehler|effekt)|(?:gleiche[rn]?|selbe[rn]?) (?:fehler|problem|ergebnis)|wieder (?:der|das|ein) (?:fehler|problem)|stürzt ab|ist (?:leer|falsch|weg)|marche (?:\w+ )?pas|tu n'as pas|fonctionne (?:\w+ )?pas|même (?:erreur|problème|résultat)|(?:il|elle) manque|s'affiche pas|est (?:vide|faux|fausse|cassée?)|no (?:funciona|hace nada|aparece|carga|sale|se ve|se muestra|sirve)|sigue (?:fallando|igual|sin|dando|saliendo)|(?:el )?mismo (?:error|problema|resultado)|está (?:mal|roto|rota|vacío|vacía)|falta(?:n)? (?:el|la|los|las|o|a|os|as)|não (?:funciona|aparece|carrega|mostra|está)|mesmo (?:erro|problema)|continua (?:\w+ando|igual|com|dando)|non (?:funziona|appare|va|si vede|carica|compare)|stesso (?:errore|problema)|hai (?:cambiato|dimenticato|cancellato|rotto|sbagliato)|manca(?:no)?)\b|(?:还是|還是|仍然|依然|又)(?:不行|不对|不對|没有|沒有|有问题|有問題|报错|報錯|错|錯|一样|一樣|失败|失敗)|没(?:有)?(?:效果|反应|变化|显示|生效)|(?:不|没)(?:工作|起作用|显示|生效)|一样的(?:错误|问题)|同じエラー|(?:まだ|やはり|また)[^。\n]{0,20}(?:ない|ません|エラー|ダメ|だめ)|表示され(?:ない|ません)|(?:動|直|治)(?:かない|きません|いていない|ってない|っていない|りません)|(?:всё|все) (?:равно|ещё|еще) (?:не|ошибк)|(?:так и |опять |снова |до сих пор )(?:не|ошибк)|не (?:работает|отображается|запускается|помогло|появля\w+|видно)|та же (?:ошибка|проблема)|ошибка осталась/iu;

const FILE_NAME = /(?<![\w.@/])(?:[\w.-]{1,60}\/){0,8}([\w-]{1,60}\.[a-z]\w{0,7})\b(?!\.\w|\()/gi;
const ABOUT_BEFORE = /\b(?:still|again|same|you|your|why did|not updated|now)\b/i;

/** File names in a message that is about the files rather than about earlier work. */
export function filesNamed(first: string): string[] {
  return ABOUT_BEFORE.test(first) ? [] : [...first.matchAll(FILE_NAME)].map(([, name = '']) => name);
}

/** A request or a question. */
export function asksForSomething(line: string): boolean {
  const bare = line.slice(0, LONGEST).trimStart().replace(LEAD, '');
  return ASKS.test(bare) || /\?\s*$/.test(bare);
}

/** `first`: the beginning of what the user wrote themselves. */
export function findsFault(first: string): boolean {
  for (const { sentence, kind, asked } of sentencesOf(first)) {
    if (ACCUSES.test(sentence)) return true;
    if (kind !== 'statement' || asked) continue;
    if (OF_OTHERS.test(sentence)) continue;
    const found = FAULTS.exec(sentence) ?? ELSEWHERE.exec(sentence);
    if (found !== null && !IN_CASE.test(sentence.slice(0, found.index))) return true;
  }
  return false;
}

const CHANGES =
  /^(?:please |also |then |now |just |next,? |(?:can|could|would) you (?:please |also )?){0,4}(?:add|change|update|rename|remove|delete|replace|fix|implement|refactor|extend|move|convert|rewrite|write|create)\b/i;

/** It begins with a request for a change. */
export const asksForChange = (text: string): boolean =>
  CHANGES.test(text.slice(0, LONGEST).trimStart().replace(LEAD, ''));

const FORBIDS =
  /^(?:please )?(?:don't|do not|never|no) (?!commit|push|merge|forget|worry|deploy|do |start|stop)\w+/i;

/** Doubts the result, or asks whether something was considered. Other questions only ask for information. */
const DOUBTS =
  /\b(?:is|are|was|were|do|does|did|has|have|would|should|wo|ca|could)n't\b|^why\b|^what about\b|^(?:are|is|was|were|do|does|did|has|have|will|would|should) (?:you (?:sure|certain)|it|this|that|these|those|we|they|the|there|all|any|every\w*)\b|\b(?:really|at all|necessary|correct|right|used)\b[^?]{0,30}\?/i;

/** What should be, rather than what is. */
const WISHES =
  /(?:^|\s)[/@#]\w|\b(?:need|needs|want|wants|should|must|would|could|we can|you can|let's|prefer|maybe|perhaps|plan|next|going to|will|i'll|also|instead|idea|suggest\w*|propose\w*|option|consider)\b/i;

/**
 * A doubt or a statement about the work, without a request. The agent's next actions show whether it reported a fault.
 * `answers`: the agent asked something, so a statement is an answer.
 */
export function questionsWork(first: string, answers: boolean): boolean {
  let [doubts, states] = [false, false];
  for (const { sentence, kind } of sentencesOf(first)) {
    const forbids = kind === 'request' && FORBIDS.test(sentence);
    if (kind === 'request' && !forbids) return false;
    doubts ||= forbids || (kind === 'question' && DOUBTS.test(sentence));
    states ||=
      kind === 'statement' &&
      sentence.length >= SHORTEST &&
      !WISHES.test(sentence) &&
      !OWN_DEED.test(sentence);
  }
  return doubts || (states && !answers && !WISHES.test(first));
}
/** What the user did themselves. */
const OWN_DEED =
  /^(?:i|we)(?:'ve| have| had)? (?:(?:just|also|now|already) )?(?:\w+ed|made|did|put|set|ran|wrote|built|found)\b/i;
/** Shorter messages are names or answers. */
const SHORTEST = 10;

/** Reports a failure in a few words. */
export function tellsFailure(first: string): boolean {
  return [...sentencesOf(first)].some(({ sentence, kind, asked }) => {
    const isOwn = kind === 'statement' && !asked && !OF_OTHERS.test(sentence);
    const found = isOwn ? FAILS.exec(sentence) : null;
    return found !== null && !IN_CASE.test(sentence.slice(0, found.index));
  });
}

type Sentence = {
  readonly sentence: string;
  readonly kind: 'request' | 'question' | 'statement';
  /** The user asked for something new before. */
  readonly asked: boolean;
};

function* sentencesOf(first: string): Generator<Sentence> {
  let [count, asked] = [0, false];
  for (const part of first.split(/(?<=[.?!;。？！])\s+|\n+/)) {
    const whole = part.trim().slice(0, LONGEST);
    if (whole === '') continue;
    count += 1;
    if (count > MOST_SENTENCES) return;
    const bare = whole.replace(LEAD, '');
    const kind = ASKS.test(bare) ? 'request' : QUESTION.test(bare) ? 'question' : 'statement';
    yield { sentence: bare, kind, asked };
    if (kind === 'request' && MAKES_NEW.test(bare)) asked = true;
  }
}
