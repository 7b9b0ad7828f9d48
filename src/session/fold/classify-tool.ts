/** Tool name and input → kind of tool, its target, and what it changes on success. */
import type { ToolKind } from '../evidence.ts';
import { type Fields, type FileChange, fieldsOf, readWrites, textIn, touches } from './file-changes.ts';
import { hashText, hashValue } from './hash.ts';
import { readShell } from './shell-command.ts';
import type { Effect } from './state.ts';

type ToolUse = {
  readonly kind: ToolKind;
  readonly effects: Effect[];
  /** Hash of the target: a path, an address, an id, a command. */
  readonly target: number;
  readonly poll: boolean;
  readonly ending: boolean;
};

type Named = {
  readonly name: string;
  readonly kind: ToolKind;
  readonly poll: boolean;
  readonly ending: boolean;
};

/** Cache of tool names. Sessions use few tools often, but names are hostile input, so it is bounded. */
const MEMORY = new Map<string, Named>();
const MAX_MEMORY = 1_000;

export function classifyTool(tool: string, input: unknown): ToolUse {
  const { name, kind: byName, poll, ending } = named(tool);
  const fields = fieldsOf(input);
  const command = byName === 'shell' ? commandOf(input, fields) : undefined;
  if (command !== undefined) {
    const { effects, target } = readShell(command);
    if (EXPECTS_FAILURE.test((textIn(fields, ['description']) ?? '').slice(0, 300)))
      effects.push({ does: 'answer' });
    return { kind: 'shell', effects: poll ? [] : effects, target, poll, ending };
  }
  const kind = kindWithInput(byName, name, fields);
  const effects = poll ? [] : effectsOf(kind, name, fields, input);
  return { kind, effects, target: targetOf(input, fields), poll, ending };
}

/** The agent says in advance that the command is meant to fail. */
const EXPECTS_FAILURE =
  /\b(?:verify|confirm|ensure|check|see|show|demonstrate|prove|reproduce|test|should|expect\w*)\b[^.]{0,80}\b(?:fails?|failure|errors? (?:out|on|when|for|with)|crash(?:es)?|is rejected|rejects?|refuses?|exits? (?:with|non)|non-?zero|(?:invalid|bad|wrong|missing|unknown|malformed) \w+)\b/i;

/** What a call writes into files when it succeeds. */
export function writesOf(kind: ToolKind, tool: string, input: unknown): FileChange[] {
  const command = kind === 'shell' ? commandOf(input, fieldsOf(input)) : undefined;
  return readWrites(kind, named(tool).name, input, command);
}

function named(tool: string): Named {
  const known = MEMORY.get(tool);
  if (known !== undefined) return known;
  const name = plainToolName(tool);
  const result = { name, kind: kindOfName(name), poll: isPoll(name), ending: isEnding(name) };
  if (MEMORY.size >= MAX_MEMORY) MEMORY.clear();
  if (tool.length <= 128) MEMORY.set(tool, result);
  return result;
}

function commandOf(input: unknown, fields: Fields | undefined): string | undefined {
  if (typeof input === 'string') return input;
  const text = textIn(fields, ['command', 'cmd', 'script', 'code', 'input', 'action']);
  if (text !== undefined) return text;
  const list = fields?.command ?? fields?.cmd ?? input;
  if (!Array.isArray(list)) return undefined;
  const words = list.slice(0, 40).filter((word) => typeof word === 'string') as string[];
  const [program = '', flag = ''] = words;
  if (/(?:^|\/)(?:ba|z)?sh$/.test(program) && /^-\w*c$/.test(flag)) return words[2];
  return words.join(' ');
}

/** Agents store the plans they show in a folder of their own, outside the work. */
const PLAN_FILE = /(?:^|[\\/])\.[\w-]{1,40}[\\/](?:[^\\/]{1,128}[\\/]){0,4}plans?[\\/][^\\/]{1,200}\.md$/;

/** Some tools only read, depending on their arguments. A written file may be just a plan. */
function kindWithInput(kind: ToolKind, name: string, fields: Fields | undefined): ToolKind {
  if (kind === 'write' && textIn(fields, ['command', 'action']) === 'view') return 'read';
  if (kind === 'write' && PLAN_FILE.test(textIn(fields, TARGETS) ?? '')) return 'plan';
  if (kind === 'cron' && (name === 'cron_list' || isLooking(fields))) return 'read';
  if (kind === 'message' && isLooking(fields)) return 'read';
  return kind;
}

function isLooking(fields: Fields | undefined): boolean {
  const action = textIn(fields, ['action', 'command', 'operation']);
  return action !== undefined && /^(?:list|status|read|get|search|runs|show|view|poll)/i.test(action);
}

function effectsOf(kind: ToolKind, name: string, fields: Fields | undefined, input: unknown): Effect[] {
  if (kind === 'write') return [{ does: 'make', artifact: 'file' }, ...touches(fields, input)];
  if (kind === 'spawn') return [{ does: 'check', kind: 'report' }];
  if (kind === 'message') return [{ does: 'make', artifact: 'message' }];
  if (kind === 'cron') {
    const removes = /delete|remove|cancel/.test(`${name} ${textIn(fields, ['action']) ?? ''}`);
    return removes ? [{ does: 'change' }] : [{ does: 'make', artifact: 'cron' }];
  }
  return kind === 'record' ? recordEffects(name, fields) : [];
}

/** Trackers and forges have names more specific than "a record changed". */
function recordEffects(name: string, fields: Fields | undefined): Effect[] {
  if (/pull_request|merge_request/.test(name)) {
    if (name.startsWith('merge_'))
      return [{ does: 'change' }, { does: 'state', what: 'pull request merged', final: true }];
    if (name.startsWith('create_')) {
      return [
        { does: 'make', artifact: 'pull-request' },
        { does: 'state', what: 'pull request opened', final: false },
      ];
    }
  }
  if (/(?:^|_)(?:issue|ticket)$/.test(name)) {
    const status = textIn(fields, ['state', 'status', 'stateName']) ?? '';
    const closed = name.startsWith('close_') || /^(?:closed?|done|completed|resolved)$/i.test(status);
    return closed
      ? [
          { does: 'make', artifact: 'issue' },
          { does: 'state', what: 'issue closed', final: true },
        ]
      : [{ does: 'make', artifact: 'issue' }];
  }
  return [{ does: 'make', artifact: 'record' }];
}

/** Input fields that name the target. */
export const NAMING_FIELDS = [
  'file_path',
  'path',
  'filePath',
  'notebook_path',
  'filename',
  'target_file',
  'absolute_path',
  'dir_path',
  'url',
] as const;

const TARGETS = [...NAMING_FIELDS, 'query', 'pattern', 'id'] as const;

function targetOf(input: unknown, fields: Fields | undefined): number {
  const text = textIn(fields, TARGETS);
  if (text !== undefined) return hashText(text);
  let seen = 0;
  for (const key in fields) {
    seen += 1;
    if (seen > 20) break;
    const value = fields[key];
    if (key.endsWith('_id') && (typeof value === 'string' || typeof value === 'number'))
      return hashText(String(value));
  }
  return hashValue(input);
}

// Tool names as agents use them, in lower case without separators, and their kind.

const NAMES: Readonly<Record<Exclude<ToolKind, 'record' | 'other'>, string>> = {
  read: `read readfile readmanyfiles view viewimage cat open ls list listdir listdirectory listfiles glob grep grepfiles
    find findfile findfilebyname search searchdir searchfile searchfiles searchfilecontent codebasesearch filesearch
    filereader goto scrollup scrolldown image memorysearch memoryget sessionstatus sessionslist sessionshistory agentslist
    notebookread readmcpresource listmcpresources listmcpresourcestool readmcpresourcetool getdiagnostics toolsearch
    toolsearchcall calculate calculator query resolvelibraryid querydocs readlints fileread recall`,
  write: `write writefile edit editfile multiedit notebookedit applypatch patch replace create createfile insert
    strreplace strreplaceeditor strreplacebasededittool editor texteditor searchreplace searchandreplace writetofile
    applydiff deletefile filewrite fileeditor undoedit append editnotebook stringreplace createorupdatefile pushfiles
    replaceinfile strreplacefile replacefilecontent multireplacefilecontent insertcontent editexistingfile createnewfile`,
  shell: `bash shell sh exec execcommand execute executecommand executebash runbash localshell localshellcall shellcommand
    runshellcommand runcommand runterminalcmd runinterminal terminal bashoutput killshell killbash process writestdin run
    runipython executeipythoncell ipython python runpython jupyter codeinterpreter powershell userbash bashexecution
    command unifiedexec`,
  web: `webfetch websearch websearchcall webfetchcall googlewebsearch browser browse browserinteractive browseinteractive
    fetch fetchurl urlfetch httprequest navigate visit visitpage goback screenshot playwright computer tavilysearch exa`,
  message: `message sendmessage sendemail sendmail sendsms sendtext sessionssend postmessage replymessage replyemail
    gmailsend slacksend telegramsend discordsend whatsappsend pushnotification notify notifyuser sendnotification
    sendusermessage createcomment addcomment addissuecomment postcomment chatpostmessage slackpostmessage`,
  cron: 'cron croncreate crondelete cronadd cronlist schedule schedulewakeup createcron createreminder',
  spawn: `task agent subagent sessionsspawn spawnagent spawnsubagent dispatchagent delegate delegatetask agentdelegate
    delegatetoagent codebaseinvestigator newtask runsubagent`,
  plan: `todowrite todoread updateplan taskcreate taskupdate tasklist taskget exitplanmode enterplanmode think thinking
    writetodos todo todolist taskoutput taskstop plan askuserquestion askuser skill sequentialthinking exitplan`,
  handoff: `transfertohuman transfertohumanagent transfertohumanagents handofftohuman handoff escalate escalatetohuman
    requesthuman humanhandoff connecttoagent transfertoagent`,
};

const KINDS = new Map<string, ToolKind>();
for (const [kind, names] of Object.entries(NAMES)) {
  for (const name of names.split(/\s+/)) KINDS.set(name, kind as ToolKind);
}

const READS =
  /^(get|find|list|check|search|lookup|look_up|query|fetch|read|view|show|describe|count|can|is|has|run_speed|calculate|compare|preview|validate|verify)_/;
const CHANGES =
  /^(create|update|cancel|book|rebook|modify|exchange|return|send|set|add|delete|remove|toggle|enable|disable|resume|suspend|refuel|reset|reboot|reseat|grant|revoke|make|pay|refund|submit|assign|close|reopen|move|rename|archive|post|put|patch|insert|upsert|approve|reject|schedule|place|purchase|order|disconnect|connect|apply|save|upload|register|change|merge|publish|deploy|start|stop|restart|activate|deactivate|redeem|issue|process|write|edit|transfer)_/;
const MESSAGES = /(^|_)(slack|telegram|discord|whatsapp|signal|imessage|sms|email|mail|gmail)(_|$)/;
const WEB = /^(browser|web|playwright|puppeteer|chrome)_/;

/** `mcp__linear-server__create_issue`, `functions.exec`, `createIssue` → `create_issue`, `exec`, `create_issue`. */
function plainToolName(tool: string): string {
  const cut = tool.length > 128 ? tool.slice(0, 128) : tool;
  const after = Math.max(
    cut.lastIndexOf('__') + 1,
    cut.lastIndexOf('.'),
    cut.lastIndexOf('/'),
    cut.lastIndexOf(':'),
  );
  const name = after > 0 && after < cut.length - 1 ? cut.slice(after + 1) : cut;
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[\s-]+/g, '_')
    .toLowerCase();
}

/** Kind of a tool by its normalised name alone. */
function kindOfName(name: string): ToolKind {
  const known = KINDS.get(name.replaceAll('_', ''));
  if (known !== undefined) return known;
  if (/^transfer_to_/.test(name)) return 'handoff';
  if (MESSAGES.test(name))
    return READS.test(name) || /_(search|list|read|get)/.test(name) ? 'read' : 'message';
  if (READS.test(name)) return 'read';
  if (WEB.test(name)) return 'web';
  if (CHANGES.test(name)) return 'record';
  return 'other';
}

const POLLS = new Set(
  'process taskoutput bashoutput writestdin wait sessionsyield poll sleep getstatus'.split(' '),
);
/** Polling tools: repeated calls are not a loop. */
const isPoll = (name: string): boolean => POLLS.has(name.replaceAll('_', ''));

const ENDINGS = new Set(
  'finish submit done complete completetask attemptcompletion finalanswer exit stop'.split(' '),
);
/** Tools with which an agent reports that it is finished. */
const isEnding = (name: string): boolean => ENDINGS.has(name.replaceAll('_', ''));
