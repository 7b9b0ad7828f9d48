/** What became of a call. Tools answer with JSON; one that ran a command states its exit code. */
import type { ResultEvent } from '../../../event.ts';
import { asObject, asText, parsed } from '../../json/json-fields.ts';

const DENIED = /BLOCKED:[^\n]{0,400}\bdenied\b/i;

export function outcomeOf(text: string, finish: unknown): Pick<ResultEvent, 'ok' | 'denied'> {
  if (DENIED.test(text.slice(0, 2000))) return { denied: true };
  if (finish === 'error') return { ok: false };
  const answer = text.length < 1_000_000 ? asObject(parsed(text)) : undefined;
  if (answer === undefined) return {};
  const code = answer.exit_code ?? answer.returncode;
  if (typeof code === 'number') return { ok: code === 0 };
  if (answer.success === false || asText(answer.error) !== undefined) return { ok: false };
  return { ok: true };
}
