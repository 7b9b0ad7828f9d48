/** Traits of a request, without its text: enough to distinguish task types later. */
import type { RequestScope, RequestTrait } from '../evidence.ts';
import { hashText } from './hash.ts';

const MAX_LOOK = 4_000;
/** Shorter requests ("go on") are equal by chance. */
const LEAST_TASK = 24;
const SHORT = 80;
const LONG = 1_200;
/** Later words of a request are about details. */
const OPENING = 600;

const QUESTION =
  /[?？]|^\s*(?:what|why|how|when|where|who|which|is|are|does|do (?=(?:i|you|we|they|he|she|it|any|these|those|all|people)\b)|did|can|could|should|would|was|were|wie|was|warum|wann|wer|welche|comment|pourquoi|quand|qué|cómo|por qué|cuándo|como|quando|come|perché|как|почему|что|когда)\b/iu;
/** A request for work that is phrased as a question only out of politeness. */
const POLITE =
  /\b(?:can|could|would|will) (?:you|we) (?:(?:please|also|just|now|then|maybe|first|at least) )*(?:create|add|fix|change|remove|delete|update|move|rename|write|make|set|implement|refactor|replace|build|install|convert|merge|commit|push|patch|extend|bump|upgrade|put)\b/i;
/**
 * Words that belong to one kind of work. Ambiguous words (class, build, branch, order, status, idea) are omitted, or
 * need another word that makes them clear.
 */
const WORDS: readonly (readonly [RequestTrait, RegExp])[] = [
  [
    'code-words',
    /\b(?:code|codebase|coding|function|bugs?|bugfix|refactor\w*|implement\w*|compil(?:e|er|ation)|unit tests?|integration tests?|(?:the|add|write|run|failing|some|more|table|all|new|our|a) tests?|lint\w*|type ?errors?|stack ?trace|repo(?:sitory)?|git|commit\w*|merge (?:conflict|main|from|with|in)\w*|rebase|pull request|PRs?|feature branch|diff|api|endpoint|sdk|cli|npm|pip|dockerfile|dependency|dependencies|typescript|javascript|python|golang|sql|regex|css|html|frontend|backend|fehler beheben|implementiere\w*|corrige\w*|implémente\w*|implementa\w*)\b|修复|代码|函数|实现|バグ|実装|コード|исправ\w*|код\b/i,
  ],
  [
    'research-words',
    /\b(?:research|investigate|analy[sz]e|analysis|compare|comparison|summari[sz]e|summary|literature|sources?|survey|study|studies|papers?|report on|find out|look into|look up|evidence|benchmark\w*|trends?|market|statistics|findings|pros and cons|recherchier\w*|analysier\w*|untersuch\w*|vergleich\w*|recherche|analyse|investiga\w*|analiza\w*|pesquis\w*|ricerca)\b|研究|分析|调研|调查|比较|調査|比較|исследуй|проанализируй|сравни/i,
  ],
  [
    'creative-words',
    /\b(?:brainstorm\w*|ideas for|(?:name|some|fresh|new|more|crazy|\w+ty|ten|five|three|few) ideas?|new idea|come up with|invent (?:a|an|the|some|me)|mood ?boards?|concept art|product concepts?|mock-?ups?|logo|slogans?|taglines?|lyrics|poems?|haikus?|limericks?|short story|bedtime story|fiction|novel|fairy tale|screenplay|jingle|(?:write|tell|draft|make up) (?:me )?(?:a|an|the|some)(?: \w+){0,3} (?:story|stories|song|post|article|essay|speech|script|proposal|pitch)|(?:one-page|short|project|business) (?:proposal|pitch)|proposal for|gedicht\w*|liedtext\w*|kurzgeschichte\w*|ideen (?:für|zu)|poèmes?|chanson|idées (?:de|pour)|nouvelle histoire|poemas?|cuentos?|canción|ideas para|poesia)\b|创意|写.{0,6}(?:故事|诗|歌)|アイデア|物語を|идеи для|стих(?:и|отворение)?(?![а-я])|рассказ(?![а-я])/i,
  ],
  [
    'operations-words',
    /\b(?:deploy(?:s|ed|ing|ment)?|roll ?back|rollout|re-?start(?:s|ed|ing)?|reboot\w*|shut ?down|monitor\w*|health ?checks?|back ?ups?|cron(?:tab| ?jobs?)?|schedule|uptime|outage|downtime|incident|alert (?:firing|is|from)|alerts|on-?call|provision\w*|load balancer|cluster|kubernetes|k8s|nginx|systemd|firewall|dns|vpn|ttl|certificates?|(?:web|mail|print|database|db|test|build|staging|production|prod) (?:server|machine|host|box)s?|the servers?|disk (?:space|usage|is full)|the disk|memory (?:above|usage|on)|free (?:up )?(?:some |disk )?space|rotate|inbox|mailbox|calendar|appointments?|reminders?|remind me|accounts for|sync|clean ?up (?:the|old|all)|neu ?starten|dienst|redémarr\w*|surveill\w*|reinicia\w*|servidor)\b|überwach|部署|重启|监控|デプロイ|再起動|監視|перезапусти|разверни/i,
  ],
  [
    'advice-words',
    /\b(?:should i|what do you think|advice|advise|recommend\w*|suggest(?:ion|ions)?|opinion|help me (?:decide|choose|understand)|explain|which (?:one|is better)|best way|is it (?:ok|okay|better|worth|safe|possible)|would you|how (?:do|should|can) i|empfiehl\w*|empfehl\w*|soll(?:te)? ich|erklär\w*|conseil\w*|devrais-je|explique\w*|consejo|recomiend\w*|debería|explica\w*|consigli\w*)\b|建议|推荐|应该|解释|おすすめ|アドバイス|教えて|посоветуй|объясни|стоит ли/i,
  ],
  [
    'heartbeat-words',
    /\bHEARTBEAT(?:\.md|_OK)\b|^\W{0,3}heartbeat\b|\bheartbeat (?:poll|tick|prompt|wake|run)\b/i,
  ],
];
const EXPLAIN =
  /\b(?:why|how come|what (?:caused|causes|is causing|went wrong)|what's causing|root cause|explain|investigate|diagnose|(?:find|identify|determine|work out|pin down|track down) (?:the |its |their |what's |a )?(?:\w+ )?(?:cause|reason|culprit|source of)|(?:figure|find) out|trace (?:where|why|how|the|this)|track down|get to the bottom of|reproduce (?:the|this|that|these|a) (?:\w+ )?(?:bug|issue|problem|crash|failure|error)|walk me through|(?:help me |like to |want to )understand|tell me (?:if|whether|what|how|why|which|where|who)|look into|show me (?:how|why|what|where)|check (?:if|whether|who|what|why)|estimate|count (?:the|all|how|every|each)|(?:report|return|give me|send back) (?:only |just )?(?:the|its|their|all) (?:\w+ )?(?:numbers?|counts?|totals?|names?|paths?|versions?|output|results?|list)|how (?:does|do|did|is|are|much|many|long)|warum|wieso|weshalb|erklär\w*|pourquoi|por qué|perché|почему|зачем|объясни)\b|为什么|解释|なぜ|どうして|説明/iu;
const PLAN =
  /(?<!\S)\/[\w:-]{0,40}(?:review|plan|explain|audit)\b|\b(?:plan (?:for|how|out|to|of|the|a|an|on)\b|(?:implementation|migration|refactoring|project|detailed|rough) plan\b|(?:provide|give|make|write|draft|create|sketch|show)(?: me| us)?(?: with)? (?:a|an|the|your) (?:\w+ )?(?:plan|proposal|outline|roadmap)\b|propose\b|how would (?:you|we|i|it|that|this|the)\b|what would (?:you|it|that) (?:do|take|look)\b|(?:^\s{0,8}(?:please |pls )?(?:code[- ])?|\b(?:can|could|would) you )(?:review|audit|critique)\b|(?:review|assess|audit|critique|evaluate) (?:the|this|that|my|our|these|all|both|it)\b|what (?:do|did) you think\b|(?:do not|don't|without) (?:chang|modify|edit|touch|writ|implement|do)\w* (?:anything|any|code|the code|files?|yet|it yet)\b|before (?:doing|changing|you (?:do|change|start)) any\w*|is it safe to\b|entwirf\b|erstelle einen plan|propose[rz]?|diseña un plan)/i;
const FILE_PATH =
  /(?:^|[\s"'`(@])(?:~|\.{1,2})?\/?(?:[\w.-]{1,64}\/){1,12}[\w.-]{1,64}|\b[\w-]{1,64}\.(?:ts|tsx|js|jsx|mjs|py|go|rs|java|rb|c|cc|cpp|h|cs|php|swift|kt|sh|sql|md|json|ya?ml|toml|html|css|csv|txt|pdf|ipynb|lock|cfg|ini)\b/;

/** Where a sentence starts to ask for something. */
const ASKING =
  "(?:^\\s{0,8}|[.!?;:\\n]\\s{0,4}|\\b(?:please|pls|kindly|then|and|now|just|also|first|(?:can|could|would|will) you|you to|(?:need|have|want|like) (?:you )?to|your (?:task|job) is to|help me|let's)\\s+)(?:[-*\\d.)\\s]{0,6})";
/** Verbs used for code and hardly anything else, and general verbs that need a code object. */
const MEND_CODE = new RegExp(
  `${ASKING}(?:(?:re-?)?implement|refactor|fix|debug|patch|rewrite|port|implementiere|implémente|implementa)\\b`,
  'i',
);
const WRITE_CODE = new RegExp(
  `${ASKING}(?:write|add|create|build|make|change|update|extend|remove|rename|delete|optimi[sz]e)\\b(?: [^\\s.!?;]{1,40}){0,6}? (?:code|functions?|methods?|class(?:es)?|modules?|scripts?|programs?|tests?|endpoints?|components?|parsers?|decorators?|unit tests?|api|cli)\\b`,
  'i',
);
const NEED_PATCH = new RegExp(
  `(?:${ASKING}|\\b(?:need|needs|want|wants)\\s+)(?:(?:a|an|the|some|another|little|small|quick|tiny|simple)\\s+){1,3}(?:patch|fix|bugfix|hotfix|workaround|feature)\\b`,
  'i',
);
/** `getUser`, `parse()`, `--dry-run`: names typical for code. Products are called iPhone and macOS. */
const CODE_NAME = /\b(?!(?:i|e|mac)[A-Z])[a-z]{1,40}[A-Z]\w{0,60}\b|\b\w{1,60}\(\)|(?<!\S)--[a-z][\w-]{1,60}/;
const CHANGE = new RegExp(
  `${ASKING}(?:write|add|create|build|make|change|update|extend|remove|rename|delete|extract|inline|move|replace|split)\\b`,
  'i',
);
const CODE_FILE =
  /\b[\w-]{1,64}\.(?:ts|tsx|js|jsx|mjs|cjs|py|go|rs|java|rb|c|cc|cpp|h|hpp|cs|php|swift|kt|scala|sh|sql|html|css|vue|svelte|ipynb)\b/;

/** `web-02.example.test`, `src/setup.go`, `anna@example.test`. */
const DOTTED = /[\w@-]{1,64}(?:\.[\w-]{1,64})+/g;

function keepHeartbeatFile(name: string): string {
  return /^heartbeat\.md$/i.test(name) ? name : ' ';
}

/** The same for a request that recurs with other dates and numbers. */
export function taskHash(text: string): number | undefined {
  const words = text.slice(0, MAX_LOOK).toLowerCase().replace(/\d+/g, '0').replace(/\s+/g, ' ').trim();
  return words.length < LEAST_TASK ? undefined : hashText(words);
}

export function traitsOf(text: string): RequestTrait[] {
  const seen = text.length > MAX_LOOK ? text.slice(0, MAX_LOOK) : text;
  const traits: RequestTrait[] = [];
  const opening = seen.slice(0, OPENING);
  if (QUESTION.test(opening) && !POLITE.test(opening)) traits.push('question');
  const withoutUrls = seen.replace(/https?:\/\/\S+/g, ' ');
  // Host and file names are not words: `mail.example.test` is not about a test.
  const words = withoutUrls.replace(DOTTED, keepHeartbeatFile);
  for (const [trait, found] of WORDS) if (found.test(words)) traits.push(trait);
  if (isCodeRequest(words, withoutUrls, traits)) traits.push('code-request');
  if (EXPLAIN.test(words.slice(0, OPENING))) traits.push('explain-request');
  if (PLAN.test(words.slice(0, OPENING))) traits.push('plan-request');
  if (FILE_PATH.test(withoutUrls)) traits.push('file-path');
  if (seen.includes('```')) traits.push('code-block');
  if (withoutUrls !== seen) traits.push('url');
  const { length } = text.trim();
  // Length 0 is not short: the text was not recorded.
  if (length > 0 && length <= SHORT) traits.push('short');
  if (length >= LONG) traits.push('long');
  return traits;
}

/** An explicit request to write or fix code that names code or a code file. */
function isCodeRequest(words: string, text: string, traits: readonly RequestTrait[]): boolean {
  if (MEND_CODE.test(words) || NEED_PATCH.test(words))
    return traits.includes('code-words') || text.includes('`') || CODE_FILE.test(text);
  return WRITE_CODE.test(words) || (CHANGE.test(words) && CODE_NAME.test(text));
}

// How much a request asks for, by what it names, never by what was then spent on it. Counts only, no words.

const MOST = 50;

const FILES =
  /(?:^|[\s"'`(@])(?:(?:~|\.{1,2})?\/?(?:[\w.@-]{1,64}\/){1,12}[\w.@-]{1,64}|[\w-]{1,64}\.(?:tsx?|mts|jsx?|mjs|cjs|py|go|rs|java|kt|rb|c|cc|cpp|h|hpp|cs|php|swift|scala|sh|sql|md|json|ya?ml|toml|html|css|scss|vue|svelte|ipynb|tf|proto))\b/g;
const SYSTEMS =
  /\b(?:databases?|postgres(?:ql)?|mysql|sqlite|mongo(?:db)?|redis|kafka|rabbitmq|elasticsearch|s3|aws|gcp|azure|docker|kubernetes|k8s|terraform|helm|github|gitlab|jira|linear|slack|stripe|salesforce|oauth|sso|nginx|ci|front-?end|back-?end|api|cli|mobile app|ios|android|web app|server|client|worker|queue|scheduler|cache|auth(?:entication)?|billing|payments?|telemetry|graphql|grpc|websockets?|goreleaser|homebrew|npm|pypi)\b/gi;
const HOSTS = /https?:\/\/([\w.-]{1,100})/g;
const PARTS = /(?:^|\n)[ \t]{0,8}(?:[-*•]|\d{1,2}[.)])[ \t]+\S/g;
const WIDE =
  /\b(?:across (?:the|all|every|our)|throughout|everywhere|all (?:of )?(?:the |our )?(?:files|services|modules|packages|tests|callers|usages|endpoints|components|places|strategies|agents)|every (?:file|service|module|package|endpoint|component|caller|place)|(?:whole|entire) (?:code ?base|project|app|repo\w*|system|thing)|code ?base|migrat(?:e|ion|ing)\b|re-?architect\w*|redesign|from scratch|end[- ]to[- ]end|new (?:feature|service|module|system|subsystem|strategy))\b/i;
const NARROW =
  /\b(?:typos?|rename (?:this|the|it)|one[- ]?liner?|(?:single|one) (?:line|word|file|function)|simplest|tiny|trivial|quick(?:ly)?|bump (?:the|to|version)|version bump|nothing exotic|small (?:change|fix|tweak|test))\b/i;

export function scopeOf(text: string): RequestScope {
  const seen = text.length > MAX_LOOK ? text.slice(0, MAX_LOOK) : text;
  const plain = seen.replace(HOSTS, ' ');
  return {
    files: distinct(plain, FILES),
    systems: distinct(plain, SYSTEMS) + distinct(seen, HOSTS),
    parts: Math.min(MOST, [...seen.matchAll(PARTS)].length),
    wide: WIDE.test(seen),
    narrow: NARROW.test(seen),
  };
}

function distinct(text: string, pattern: RegExp): number {
  const found = new Set<string>();
  for (const [match] of text.matchAll(pattern)) {
    found.add(match.trim().toLowerCase());
    if (found.size >= MOST) break;
  }
  return found.size;
}

/** Of several requests, the largest decides. */
export function widerScope(a: RequestScope | undefined, b: RequestScope): RequestScope {
  if (a === undefined) return b;
  return {
    files: Math.max(a.files, b.files),
    systems: Math.max(a.systems, b.systems),
    parts: Math.max(a.parts, b.parts),
    wide: a.wide || b.wide,
    narrow: a.narrow && b.narrow,
  };
}

/**
 * A bounded sketch of a request's words, to detect a repeated request without storing its text: the smallest hashes of
 * its distinct words. Up to `SIZE` words the comparison is exact, above that an estimate.
 */
const SIZE = 32;
const MAX_SKETCHED = 2_000;
/** Fewer distinct words are too few, unless they are identical and in the same order (`wordsOf`). */
const FEWEST = 5;
const SAME = 0.85;
/** In an immediate repetition, words may be added or removed but not replaced: another word makes another request. */
const LEAST_SHARED = 0.95;
const LEFT = 0.6;
/** A longer request is a repetition when most of its words recur. */
const MANY = 8;
const LEAST_SHARED_OF_MANY = 0.75;
/** This many words are enough when all are equal. */
const FEWEST_EQUAL = 4;

const PLAIN = new Set(
  'the a an and or of to in on at is it this that for with can could would will you i we my our me please do be are as from by if just only really still now want need all'
    .split(' ')
    .map((word) => hashesOf(word)[0] ?? 0),
);

export function sketchOf(text: string): number[] {
  const hashes = hashesOf(text).sort((a, b) => a - b);
  const sketch: number[] = [];
  for (const hash of hashes) {
    if (hash === sketch[sketch.length - 1] || PLAIN.has(hash)) continue;
    sketch.push(hash);
    if (sketch.length === SIZE) break;
  }
  return sketch;
}

/** Fewer words in an immediate repetition are an answer rather than a request. */
const FEWEST_VERBATIM = 3;
/** About two characters make a word in scripts without spaces. */
const FEWEST_CHARACTERS = 6;
const WITHOUT_SPACES = /[\u2e80-\uffff]/;

/** One hash of all words in their order, whatever their case; 0 when they are too few to tell a request. */
export function wordsOf(text: string): number {
  const hashes = hashesOf(text);
  const fewest = WITHOUT_SPACES.test(text.slice(0, MAX_SKETCHED)) ? FEWEST_CHARACTERS : FEWEST_VERBATIM;
  if (hashes.length < fewest) return 0;
  return hashes.reduce((all, hash) => Math.imul(all ^ hash, 0x9e3779b1) ^ (all >>> 13), hashes.length) >>> 0;
}

/** One hash per word, whatever its case. Scripts without spaces give one per character. */
function hashesOf(text: string): number[] {
  const hashes: number[] = [];
  const end = Math.min(text.length, MAX_SKETCHED);
  let hash = 0;
  for (let i = 0; i <= end; i += 1) {
    const code = i < end ? lowered(text.charCodeAt(i)) : 0;
    if (code > 0 && code < 0x2e80) {
      hash = Math.imul((hash === 0 ? 0x2545f491 : hash) ^ code, 0x9e3779b1);
      hash ^= hash >>> 15;
      continue;
    }
    if (hash !== 0) hashes.push(hash >>> 0);
    if (code !== 0) hashes.push(Math.imul(code, 0x9e3779b1) >>> 0);
    hash = 0;
  }
  return hashes;
}

/** Lower-case letter, digit or letter beyond ASCII; 0 for what separates words. */
function lowered(code: number): number {
  if (code >= 65 && code <= 90) return code + 32;
  if ((code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 95) return code;
  if (code >= 0x410 && code <= 0x42f) return code + 32;
  return code > 0xbf && (code < 0x2000 || code > 0x206f) && (code < 0x3000 || code > 0x3004) ? code : 0;
}

/** Whether two sketches are of the same request. */
export function isSameRequest(a: readonly number[], b: readonly number[]): boolean {
  const [fewer, more] = a.length < b.length ? [a.length, b.length] : [b.length, a.length];
  if (fewer < FEWEST || fewer < more * SAME) return false;
  const { both, union } = overlap(a, b);
  return both / union >= SAME;
}

/**
 * The same of two messages with only the agent's answer between them. `exact`: work was delivered in between, so that the same
 * sentence about something else is the next task.
 */
export function isSameRequestAtOnce(a: readonly number[], b: readonly number[], exact: boolean): boolean {
  const [fewer, more] = a.length < b.length ? [a, b] : [b, a];
  const fewest = fewer.length === more.length ? FEWEST_EQUAL : FEWEST;
  if (fewer.length < fewest || more.length === SIZE || fewer.length < more.length * LEFT) return false;
  const known = new Set(more);
  const least = fewer.length >= MANY && !exact ? LEAST_SHARED_OF_MANY : LEAST_SHARED;
  return fewer.filter((word) => known.has(word)).length >= fewer.length * least;
}

function overlap(a: readonly number[], b: readonly number[]): { both: number; union: number } {
  let both = 0;
  let union = 0;
  for (let i = 0, j = 0; (i < a.length || j < b.length) && union < SIZE; union += 1) {
    const left = a[i] ?? Number.POSITIVE_INFINITY;
    const right = b[j] ?? Number.POSITIVE_INFINITY;
    if (left === right) both += 1;
    if (left <= right) i += 1;
    if (right <= left) j += 1;
  }
  return { both, union };
}
