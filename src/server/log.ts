import { escapeJson } from '../report/unsafe-text.ts';

/** What the server says of itself: one JSON object a line, never text of a transcript, a query or a secret. */
type LogLevel = 'info' | 'warn' | 'error';

type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

export type Log = (level: LogLevel, event: string, fields?: LogFields) => void;

/** `errors` leaves out what goes as it should. */
export type LogChoice = 'all' | 'errors' | 'none';

export function openLog(choice: LogChoice, write: (line: string) => void, now: () => Date): Log {
  return (level, event, fields = {}) => {
    if (choice === 'none' || (choice === 'errors' && level === 'info')) return;
    // Standard error is often a terminal, and a message may quote a hostile name.
    write(`${escapeJson(JSON.stringify({ at: now().toISOString(), level, event, ...fields }))}\n`);
  };
}
