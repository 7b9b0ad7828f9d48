/** Words that any agent could say to anybody: they answer nothing. "Yes", "sure" and "done" alone answer something. */
const MAX_FILLER = 400;

type Kind = 'promise' | 'yes' | 'courtesy';

/**
 * Sentences that are nothing but such words, by the words that they begin with: `promise` says what they would do next, of a
 * message that is nothing else nothing was done. A yes answers what it was said to, and says nothing beside other words.
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

/** What kind of rule the whole sentence fits; patterns are compiled when a sentence begins as theirs do. */
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

/** A sentence of nothing but these names no thing that was asked about. Words that may be an answer are not among them. */
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
/** One of them makes it a courtesy or an intention. */
const MARK =
  /\b(?:i'll|i will|i'd|i'm|i am|we'll|let me|let's|let us|going to|will (?:get|be|do|look|take|start)|thanks?|thank you|appreciate\w*|happy|glad|delighted|pleased|pleasure|excited|love|perfect|excellent|awesome|fantastic|wonderful|great|sure|certainly|understand|understood|received|moment|shortly|soon|patience|worth (?:exploring|looking)|sounds? (?:good|great|like)|good (?:point|question)|thrilled|important to us|hope)\b/i;
const INTENTION =
  /\b(?:i'll|i will|we'll|let me(?! know)|going to|will (?:get|be|do|look|take|start)|starting|processing|working|shortly|soon|moment)\b/i;
/** "I think so" is an answer. */
const ANSWER =
  /\b(?:think (?:so|not)|(?:would|'d) (?:like|want|need) (?:to )?(?:see|have|know)|need (?:you|your|more|to)|i (?:have|had|was|see|can) (?!received|taken|noted))\b/i;

/** Whether nothing but such words is said. */
export function isFiller(text: string): boolean {
  if (text.length > MAX_FILLER) return false;
  let isYes = true;
  let says = false;
  for (const part of partsOf(text)) {
    const sentence = plain(part);
    if (sentence === '') continue;
    // Nearly always the first one says something, and its first letters show it.
    if (!fits(sentence) && !isEmptyTalk(sentence)) return false;
    isYes &&= fits(sentence, 'yes');
    says = true;
  }
  // "…" is no answer; a sign that stands for a word may be one.
  return says ? !isYes : /\S/.test(text) && /^[\s\p{P}]*$/u.test(text);
}

/** Whether it only says what it would do, or to wait. */
export function isPromise(text: string, filler = isFiller(text)): boolean {
  return filler && [...partsOf(text)].map(plain).some(isIntention);
}

/** "I'll be here", "I'll keep that in mind": nothing is left to be done. */
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

/** One at a time: of most texts only the first is looked at. */
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
