import type { UnplacedEvent } from '../../../event.ts';

export type DroidSend = (event: UnplacedEvent) => void;

/** The program puts reminders before what was typed. */
export function sayUser(text: string, send: DroidSend): void {
  const typed = text.replace(/<system-reminder>[\s\S]*?(?:<\/system-reminder>|$)/g, '').trim();
  if (typed !== '') send({ kind: 'user', origin: 'user', text: typed });
  else if (text !== '') send({ kind: 'user', origin: 'runtime', text });
}
