/** Names of tools as agents use them, in lower case without separators, and what kind of work each is. */
import type { ToolKind } from '../evidence.ts';

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
export function plainToolName(tool: string): string {
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

/** Kind of a tool by its plain name alone. */
export function kindOfName(name: string): ToolKind {
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
/** Asking again is how these work, so that repeating them is no loop. */
export const isPoll = (name: string): boolean => POLLS.has(name.replaceAll('_', ''));

const ENDINGS = new Set(
  'finish submit done complete completetask attemptcompletion finalanswer exit stop'.split(' '),
);
/** Tools by which an agent says that it is finished. */
export const isEnding = (name: string): boolean => ENDINGS.has(name.replaceAll('_', ''));
