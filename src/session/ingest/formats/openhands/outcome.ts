/** How an OpenHands observation tells whether the action worked, and how a state of the agent ends a session. */
import type { EndReason } from '../../../event.ts';
import { asObject, contentText, type JsonObject } from '../../json/json-fields.ts';

export type ToolOutcome = { readonly ok?: boolean; readonly running?: boolean; readonly denied?: boolean };

/** Kinds that only arrive when the action worked: a failure arrives as the kind `error` instead. */
const ARRIVES_WHEN_DONE = new Set(['read', 'write', 'edit', 'task_tracking', 'success', 'file_download']);

export function toolOutcome(observation: JsonObject): ToolOutcome {
  const kind = observation.observation;
  if (kind === 'error') return { ok: false };
  if (kind === 'user_rejected') return { denied: true };
  if (kind === 'run') return commandOutcome(observation);
  const extras = asObject(observation.extras);
  if (kind === 'browse' || kind === 'browse_interactive') return { ok: extras?.error !== true };
  if (typeof kind !== 'string' || !ARRIVES_WHEN_DONE.has(kind)) return {};
  return { ok: !/^\s*ERROR:/.test(contentText(observation.content)) };
}

/** −1 stands for a command that was still going when the runtime stopped waiting. */
function commandOutcome(observation: JsonObject): ToolOutcome {
  const extras = asObject(observation.extras);
  const code = asObject(extras?.metadata)?.exit_code ?? extras?.exit_code;
  if (code === -1) return { running: true };
  if (typeof code === 'number') return { ok: code === 0 };
  return typeof observation.success === 'boolean' ? { ok: observation.success } : {};
}

/** Undefined: the state ends nothing. */
export function endOfState(state: unknown, reason: unknown): EndReason | undefined {
  if (state === 'finished' || state === 'awaiting_user_input' || state === 'rejected') return 'normal';
  if (state === 'stopped') return 'aborted';
  if (state !== 'error') return undefined;
  const why = typeof reason === 'string' ? reason.slice(0, 500) : '';
  return /maximum (?:number of )?iteration|max_iterations|budget|context window/i.test(why)
    ? 'limit'
    : 'error';
}
