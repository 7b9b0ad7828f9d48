/**
 * The author of a user message of OpenClaw. Many of them come from the runtime, which also puts notices and facts about
 * the sender before the user's text.
 */
import type { UserEvent } from '../../../event.ts';
import { asObject, asText, contentText, type JsonObject } from '../../json/json-fields.ts';

export type UserOrigin = UserEvent['origin'];

export type UserText = {
  readonly origin: UserOrigin;
  /** Without what the runtime put around it. */
  readonly text: string;
  /** Notices of the runtime: finished commands, reminders. */
  readonly notices: readonly string[];
};

/** In order; the first match decides. Matched at the beginning only: a user may quote any of them. */
const BEGINNINGS: readonly (readonly [RegExp, UserOrigin])[] = [
  [/^\[OpenClaw heartbeat/, 'heartbeat'],
  [/^Read HEARTBEAT\.md/i, 'heartbeat'],
  [/^Follow the heartbeat monitor/i, 'heartbeat'],
  [/^Run the following periodic tasks \(only those due/i, 'heartbeat'],
  [/^\[cron:/, 'cron'],
  [/^\[OpenClaw cron wake\]/, 'cron'],
  [/^A scheduled (?:reminder has been|cron event was) triggered/, 'cron'],
  [/^\[Subagent Context\] Your prior run ended/, 'runtime'],
  [/^\[Subagent Context\]/, 'subagent'],
  [/^\[Subagent Task\]/, 'subagent'],
  [/^\[Inter-session message\][^\n]*sourceTool=subagent_(?:announce|settle)/, 'runtime'],
  [/^\[Inter-session message\]/, 'subagent'],
  [/^SECURITY NOTICE: The following content is from an EXTERNAL/i, 'hook'],
  [/^\[OpenClaw /, 'runtime'],
  [/^\[Internal task completion event\]/, 'runtime'],
  [/^<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>/, 'runtime'],
  [/^OpenClaw runtime context \(internal\):/, 'runtime'],
  [/^\[System Message\]/, 'runtime'],
  [
    /^A (?:subagent task|background task|cron job) "[^\n]{0,400}?" (?:just )?(?:completed|failed|timed out|finished)/,
    'runtime',
  ],
  [/^An async command (?:you ran earlier has completed|completion event was triggered)/, 'runtime'],
  [/^exec (?:completed|failed|finished)\s?[(:]/i, 'runtime'],
  [/^Pre-compaction memory flush/i, 'runtime'],
  [/^A new session was started via/, 'runtime'],
];

/** A custom heartbeat prompt still says what to answer when there is nothing to do. */
const ASKS_FOR_TOKEN = /\b(?:reply|respond|answer|return|say)\b[^.\n]{0,60}\bHEARTBEAT_OK\b/i;

const NOTICE = /^\s*System(?: \(untrusted\))?: /;
const CRON_NOTICE = /\b(?:cron|reminder|scheduled)\b/i;
const STAMP = /^\s*\[[^\]\n]{0,120}\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}[^\]\n]{0,40}\]\s*/;
const ABOUT = /^\s*[A-Z][^\n]{0,80}\(untrusted[^)\n]{0,80}\):[ \t]*\n```json\n/;
const MESSAGE_ID = /\n\[message_id: [^\]\n]{0,200}\]\s*$/;

export function readUserText(message: JsonObject): UserText {
  const { notices, rest } = splitNotices(contentText(message.content));
  const text = withoutWrapping(rest);
  const origin = originOfSource(asObject(message.provenance), text) ?? originOfText(text, notices);
  return { origin, text, notices };
}

/** Newer versions record where a message came from. */
function originOfSource(source: JsonObject | undefined, text: string): UserOrigin | undefined {
  const tool = asText(source?.sourceTool)?.toLowerCase() ?? '';
  switch (source?.kind) {
    case 'external_user':
      return 'user';
    case 'inter_session':
      if (/^\[Subagent (?:Context|Task)\]/.test(text)) return undefined;
      return tool === '' || tool === 'sessions_send' ? 'subagent' : 'runtime';
    case 'internal_system':
      if (tool === 'heartbeat' || tool === 'cron') return tool;
      return /hook/.test(tool) ? 'hook' : 'runtime';
    default:
      return undefined;
  }
}

function originOfText(text: string, notices: readonly string[]): UserOrigin {
  const reminded = notices.some((notice) => CRON_NOTICE.test(notice.slice(0, 160)));
  if (text === '' && notices.length > 0) return reminded ? 'cron' : 'runtime';
  const known = BEGINNINGS.find(([beginning]) => beginning.test(text))?.[1];
  // Older versions deliver a reminder as a notice on top of the next heartbeat.
  if (known === 'heartbeat' && reminded) return 'cron';
  return known ?? (ASKS_FOR_TOKEN.test(text.slice(0, 8_000)) ? 'heartbeat' : 'user');
}

function splitNotices(whole: string): { notices: string[]; rest: string } {
  const notices: string[] = [];
  let rest = whole;
  while (notices.length < 50 && NOTICE.test(rest)) {
    const end = rest.indexOf('\n\n', rest.indexOf('System'));
    const block = end === -1 ? rest : rest.slice(0, end);
    notices.push(block.replace(NOTICE, '').replace(STAMP, ''));
    rest = end === -1 ? '' : rest.slice(end + 2);
  }
  return { notices, rest };
}

function withoutWrapping(wrapped: string): string {
  let text = wrapped;
  for (let round = 0; round < 12; round += 1) {
    const about = ABOUT.exec(text)?.[0];
    if (about === undefined) break;
    const end = text.indexOf('\n```', about.length - 1);
    if (end === -1) break;
    text = text.slice(end + 4);
  }
  return text.replace(STAMP, '').replace(MESSAGE_ID, '').trim();
}
