/** Traits of a request, without the request: enough to tell task types apart later. */
import type { RequestTrait } from '../evidence.ts';

const MAX_LOOK = 4_000;
const SHORT = 80;
const LONG = 1_200;
/** Later words of a request are about details. */
const OPENING = 600;

const QUESTION =
  /[?？]|^\s*(?:what|why|how|when|where|who|which|is|are|does|do (?=(?:i|you|we|they|he|she|it|any|these|those|all|people)\b)|did|can|could|should|would|was|were|wie|was|warum|wann|wer|welche|comment|pourquoi|quand|qué|cómo|por qué|cuándo|como|quando|come|perché|как|почему|что|когда)\b/iu;
/** Asks for a deed, and only politely in the form of a question. */
const POLITE =
  /\b(?:can|could|would|will) (?:you|we) (?:(?:please|also|just|now|then|maybe|first|at least) )*(?:create|add|fix|change|remove|delete|update|move|rename|write|make|set|implement|refactor|replace|build|install|convert|merge|commit|push|patch|extend|bump|upgrade|put)\b/i;
/**
 * Words that belong to one kind of work. Those that people use in all of them (class, build, branch, order, status,
 * idea) are left out, or stand with the word that makes them plain.
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

/** Where a sentence begins to ask for something. */
const ASKING =
  "(?:^\\s{0,8}|[.!?;:\\n]\\s{0,4}|\\b(?:please|pls|kindly|then|and|now|just|also|first|(?:can|could|would|will) you|you to|(?:need|have|want|like) (?:you )?to|your (?:task|job) is to|help me|let's)\\s+)(?:[-*\\d.)\\s]{0,6})";
/** Done to code and hardly to anything else; and what is done to everything, which needs its object. */
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
/** `getUser`, `parse()`, `--dry-run`: names as only code has them. Products are called iPhone and macOS. */
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

export function traitsOf(text: string): RequestTrait[] {
  const seen = text.length > MAX_LOOK ? text.slice(0, MAX_LOOK) : text;
  const traits: RequestTrait[] = [];
  const opening = seen.slice(0, OPENING);
  if (QUESTION.test(opening) && !POLITE.test(opening)) traits.push('question');
  const withoutUrls = seen.replace(/https?:\/\/\S+/g, ' ');
  // Names of machines and files are no words: `mail.example.test` is not about a test.
  const words = withoutUrls.replace(DOTTED, keepHeartbeatFile);
  for (const [trait, found] of WORDS) if (found.test(words)) traits.push(trait);
  if (isCodeRequest(words, withoutUrls, traits)) traits.push('code-request');
  if (EXPLAIN.test(words.slice(0, OPENING))) traits.push('explain-request');
  if (PLAN.test(words.slice(0, OPENING))) traits.push('plan-request');
  if (FILE_PATH.test(withoutUrls)) traits.push('file-path');
  if (seen.includes('```')) traits.push('code-block');
  if (withoutUrls !== seen) traits.push('url');
  const { length } = text.trim();
  // Nothing is not short: the words were not recorded.
  if (length > 0 && length <= SHORT) traits.push('short');
  if (length >= LONG) traits.push('long');
  return traits;
}

/** An explicit wish for code to be written or mended, that names code or a file of it. */
function isCodeRequest(words: string, text: string, traits: readonly RequestTrait[]): boolean {
  if (MEND_CODE.test(words) || NEED_PATCH.test(words))
    return traits.includes('code-words') || text.includes('`') || CODE_FILE.test(text);
  return WRITE_CODE.test(words) || (CHANGE.test(words) && CODE_NAME.test(text));
}
