import type { ToolKind } from '../evidence.ts';
import { fieldsOf, textIn } from './file-changes.ts';
import { readShell, readShellWrites } from './shell-command.ts';

/**
 * Whether a report amounts to "nothing", at any length. Its start or end must say so, nearly all sentences must be
 * about looking and finding nothing, and no sentence may name a finding.
 */
const HEAD = 300;
const TAIL = 400;
const MAX_LOOK = 8_000;
const MAX_CLAUSES = 150;
const MAX_CLAUSE = 240;

const NOTHING =
  /\b(?:nothing(?= ?[.!,;:"\n]|$)|nothing (?:else |new )?for (?:you|me|us)\b|nothing (?:\w+ ){0,2}(?:to (?:report|do|flag|share|surface|escalate|add)|(?:that |which )?needs?\b|has changed|changed|requires|found|stands out)|no (?:new|notable|significant|urgent|relevant|unread|open|pending|further|critical|unusual|material|outstanding) (?:\w+ ){0,3}\w+|no (?:actions?|changes?|updates?|issues?|alerts?|activity|problems?|incidents?|anomalies|news) (?:needed|required|found|detected|to report|since|necessary|today)|(?:found|detected|saw|see|there (?:are|were|is|was)) (?:no|nothing|zero)\b|no (?:[\w-]+ ){1,3}(?:is|are|was|were) (?:needed|required|necessary)|no action (?:was )?taken|no (?:[a-z-]+ ){0,2}[a-z-]+(?= ?[.!,;\n]|$)|no (?:movement|progress|sign|reply|response|traffic) (?:on|of|in|from|since)\b|neither (?:of \w+ )?(?:has|have|had|is|was|needs?|shows?)\b|(?:has|have)(?: not|n't) changed\b|none of (?:them|these|it|the \w+) (?:has|have|had|is|are|was|were|needs?|shows?)\b|(?:did|does|do)(?: not|n't) (?:turn up|find|show|reveal|detect|see|surface|contain|need) any\w*|(?:is|are|was|were) (?:all |still )?empty\b|inbox zero|quiet (?:morning|afternoon|evening|day|night|hour|shift|week)|(?:(?<![\d.])0|zero) [a-z]{4,}\b|all (?:clear|quiet|good|systems (?:normal|operational|go|nominal)|unchanged)|everything(?:'s| is| looks| runs)? (?:\w+ )?(?:fine|normally|as (?:expected|usual|before)|ok|okay|normal|good|quiet|up to date|unchanged)|nichts (?:neues|zu (?:berichten|melden|tun))|keine (?:neuen|neuigkeiten)|rien (?:de nouveau|à signaler)|sin novedades|nada (?:nuevo|que reportar)|nulla da segnalare|没有新|特になし|異常なし|ничего нового)/i;

/** A finding that the user wants to know about, or an action taken on it. */
const FINDING =
  /\b(?:found|detected|discovered|noticed|spotted|fail(?:s|ed|ing|ures?)?|errors?|warnings?|alerts?|critical|urgent|anomal(?:y|ies|ous)|degraded|outage|overdue|expir(?:ed|es|ing)|breach\w*|exceed(?:s|ed|ing)|spik(?:e|es|ed|ing)|dropped|rose|fell|jumped|climbed|doubled|went (?:from|up|down)|conflicts?|overlap(?:s|ping)?|missing|missed|delayed|stuck|crash(?:ed|es)|died|(?:has|have)(?: not|n't) (?:run|started|finished|completed|answered|responded|synced|been (?:paid|sent|run|updated|renewed))|(?:did|does|do|would|could)(?: not|n't) (?:run|start|finish|complete|answer|respond|sync|arrive|come (?:in|through|back)|go through|work|load|connect|reach)|vulnerabilit(?:y|ies)|needs? (?:your |human |some )?(?:attention|action|review)|requires? (?:your |human )?(?:attention|action)|\d+x (?:the|as|more)|(?:one|two|three|four|five|[1-9]\d*) (?:\w+ ){0,2}(?:messages?|e?mails?|tickets?|requests?|mentions?)|new (?:\w+ ){0,2}(?:messages?|e?mails?|issues?|prs?|pull requests?|tickets?|requests?|comments?|commits?|releases?|leads?|orders?|mentions?|events?|tasks?)|unread|fixed|created|sent|updated|opened|merged|restarted|replied|drafted|posted|wrote|escalated|recommend\w*)\b/gi;
/** Before the finding in its clause: it is denied, or not current. */
const DENIED =
  /\b(?:no|not|none|nothing|nobody|no one|never|zero|0|without|neither|nor|any|\w+n't|free of|if|when|once|would|will|should|since|last|previous(?:ly)?|already|yesterday|earlier|for|keine?|kein|aucun|ningún|нет)\b[^,;:]{0,60}$/i;
/** After it: "errors: none". */
const NONE_OF_IT =
  /^\w{0,12}(?: \w{1,12}){0,2}\W{0,6}(?:0|none|no|nil|zero|ok|clear|empty|keine|unchanged|untouched|normal|healthy|stable|flat|within|quiet|silent|green)\b/i;
/** Before it: the name of the place that was checked. */
const LOOKED_AT =
  /\b(?:check\w*|look\w*|review\w*|scann?\w*|went through|compar\w+|read|inspect\w*|monitor\w*|quer\w+|poll\w*)\b.{0,160}\b(?:the|our|your|all) $/i;
const PLACE = /^(?:alerts|warnings|errors)$/i;
/** A named exception is not routine: "all ran except the backup". */
const EXCEPTION =
  /\b(?:except|apart from|other than|aside from|save for|with the exception of)\b[ ,]*(?:for |that )?(.{0,160})/i;
/** A contrast to the preceding "nothing", unless more of the same follows: "but I will look again". */
const CONTRAST = /\b(?:but|however|though|although)\b[ ,]*(.{0,160})/i;

/** Looking, and finding everything as it should be. */
const ROUTINE =
  /\b(?:check\w*|look\w*|review\w*|scann?\w*|monitor\w*|verif\w+|inspect\w*|read|ran|run|quer\w+|poll\w*|went through|compar\w+|confirm\w*|wait\w*|watch\w*|next|summary|report|status|time|date|nothing|none|no|not|0|zero|ok|okay|healthy|normal|green|clean|clear|stable|same|unchanged|up to date|expected|within|usual|idle|quiet|empty|fine|good|operational|pass\w*|up and running|online|available|inbox|calendar|nichts|keine?|alles)\b|✅|✓|👍/i;
/** A heading or a name carries no information here. */
const HEADING = 18;
const MOST_OTHER = 1 / 3;

export function isNothingToReport(text: string): boolean {
  const seen = (
    text.length > MAX_LOOK ? `${text.slice(0, MAX_LOOK / 2)}\n${text.slice(-MAX_LOOK / 2)}` : text
  )
    .replaceAll('\u2019', "'")
    .trim();
  if (!NOTHING.test(seen.slice(0, HEAD)) && !NOTHING.test(seen.slice(-TAIL))) return false;
  const clauses = seen
    .split(/[\n;]+|(?<![.!?])[.!?]+(?=\s|$)/, MAX_CLAUSES)
    .map((clause) => clause.trim().slice(0, MAX_CLAUSE))
    .filter((clause) => /[\p{L}\d]/u.test(clause));
  if (clauses.some(namesFinding)) return false;
  const other = clauses.filter(
    (clause) => clause.length > HEADING && !ROUTINE.test(clause) && !NOTHING.test(clause),
  );
  return other.length <= clauses.length * MOST_OTHER;
}

function namesFinding(clause: string): boolean {
  const [, named] = EXCEPTION.exec(clause) ?? [];
  if (named !== undefined && /\w{3}/.test(named) && !NOTHING.test(named)) return true;
  const [, rest] = CONTRAST.exec(clause) ?? [];
  if (rest !== undefined && /\w{3}/.test(rest) && !ROUTINE.test(rest) && !NOTHING.test(rest)) return true;
  for (const found of clause.matchAll(FINDING)) {
    const before = clause.slice(0, found.index);
    const after = clause.slice(found.index + found[0].length);
    const isPlace = PLACE.test(found[0]) && LOOKED_AT.test(before);
    if (!isPlace && !DENIED.test(before) && !NONE_OF_IT.test(after)) return true;
  }
  return false;
}

// Calls with which a scheduled run only reports or notes that nothing happened.

const WORDS = ['message', 'text', 'content', 'body'] as const;
const PATHS = ['file_path', 'path', 'filePath', 'filename', 'target_file', 'absolute_path'] as const;
/** Where agents store their own state of a run: the last check, a log. */
const NOTES =
  /(?:^|[\\/])(?:[\w.-]{0,60}(?:state|heartbeat|last[-_]?(?:run|check|seen))[\w.-]{0,60}\.(?:json|md|txt|ya?ml)|[\w.-]{1,100}\.log)$/i;

/** Where they also store important notes: then the words decide. */
const JOURNAL =
  /(?:^|[\\/])(?:(?:memory|logs?|journal)[\\/](?:[\w.-]{1,60}[\\/]){0,4}[\w.-]{1,100}|[\w.-]{0,60}(?:log|journal)[\w.-]{0,60})\.(?:md|txt|jsonl?)$/i;

export function isIdleChange(kind: ToolKind, input: unknown): boolean {
  if (kind === 'message') return isNothingToReport(textOf(input, WORDS));
  if (kind === 'shell') return isIdleCommand(textOf(input, COMMANDS));
  return kind === 'write' && isNote(textOf(input, PATHS), textOf(input, WRITTEN));
}

const COMMANDS = ['command', 'cmd', 'script'] as const;
const WRITTEN = ['content', 'new_string', 'newText', 'new_str', 'text', 'file_text'] as const;

function isNote(path: string, text: string): boolean {
  return NOTES.test(path) || (JOURNAL.test(path) && isNothingToReport(text));
}

const TARGETS = /(?:^|[^0-9&>])>{1,2}\s*["']?([^\s"'&|;<>()]{1,300})/g;
const MAX_COMMAND = 2_000;

/** The command writes notes by redirection, and changes nothing else. */
function isIdleCommand(command: string): boolean {
  if (command.length > MAX_COMMAND) return false;
  const targets = [...command.matchAll(TARGETS)].map(([, path = '']) => path);
  const text = readShellWrites(command)
    .flatMap(({ added }) => added)
    .join('\n');
  if (targets.length === 0 || !targets.every((path) => path === '/dev/null' || isNote(path, text)))
    return false;
  return (
    !CHANGES_FILES.test(command) &&
    readShell(command).effects.every(
      ({ does, ...effect }) => does === 'touch' || ('artifact' in effect && effect.artifact === 'file'),
    )
  );
}

const CHANGES_FILES = /\b(?:sed|perl|tee|touch|cp|mv|patch|rm|git)\b/;

function textOf(input: unknown, names: readonly string[]): string {
  return textIn(fieldsOf(input), names) ?? '';
}
