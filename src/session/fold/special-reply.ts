/** What a reply amounts to when it is not simply text: an all-clear, silence, a refusal. */
import type { FinalReply } from '../evidence.ts';
import { isNothingToReport } from './nothing-to-report.ts';

/** As much as a heartbeat acknowledgement may say besides its token. */
const ACK_CHARS = 300;
const SHORT_CHARS = 400;

const NO_REPLY = /^\s*NO_REPLY\s*$/i;
const TOKEN = 'HEARTBEAT_OK';
const REFUSAL =
  /^\W{0,4}(?:(?:i(?:'m| am) (?:really |very |so )?sorry|sorry|unfortunately|i apologi[sz]e|i understand[^.!?\n]{0,120})[,.]? ?(?:but )?)?(?:i (?:can't|cannot|can not|won't|will not|am unable to|am not able to|must decline|have to decline|do not feel comfortable|don't feel comfortable)|i'm (?:unable to|not able to|not comfortable)) (?:help|assist|do|fulfil|fulfill|comply|provide|process|cancel|change|modify|continue|complete|proceed|create|write|share|offer|make|issue|support|perform|accommodate|engage|with|that|this|request)/i;

/** @param scheduled Nobody asked: then a report of any length may amount to nothing. */
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

/** Two records of one message: what they amount to together. */
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
