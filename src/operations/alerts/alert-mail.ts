import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { AlertEventWire } from '../../api/schema/alert.ts';
import { mask } from '../../secrets.ts';
import { alertHeadline } from './slack-message.ts';

export type MailChoices = {
  readonly to: readonly string[];
  readonly from: string;
  /** `smtp://name:password@host:port`, or `smtps:`. */
  readonly server: string;
};

const TIME_MS = 10_000;

/** Resolves when the mail server accepted the mail for every recipient. A repeated mail has the same id. */
export async function sendAlertMail(
  event: AlertEventWire,
  { to, from, server }: MailChoices,
  signal: AbortSignal,
): Promise<void> {
  // Loaded on demand: a server without mail does not pay for it.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url: server,
    connectionTimeout: TIME_MS,
    greetingTimeout: TIME_MS,
    socketTimeout: TIME_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const fired = idOf(`${event.alert.id} fired`);
  const isEnd = event.type === 'alert.resolved';
  const sent = transport.sendMail({
    from,
    to: [...to],
    subject: oneLine(alertHeadline(event)),
    text: mailText(event),
    messageId: isEnd ? idOf(event.event_id) : fired,
    date: new Date(event.at),
    // A mail program shows the end below the beginning.
    ...(isEnd && { inReplyTo: fired, references: fired }),
    headers: { 'Auto-Submitted': 'auto-generated' },
  });
  const aborted = once(signal, 'abort').then(() => {
    throw new Error('it timed out');
  });
  try {
    const { rejected } = await Promise.race([sent, aborted]);
    if (rejected.length > 0) throw new Error(`${rejected.length} of ${to.length} addresses were refused`);
  } catch (error) {
    throw new Error(withoutPassword(error instanceof Error ? error.message : String(error), server));
  } finally {
    sent.catch(() => {});
    aborted.catch(() => {});
    transport.close();
  }
}

function mailText({ alert, at, who, why, type }: AlertEventWire): string {
  const lines = [
    alert.message,
    '',
    `Severity  ${alert.severity}`,
    `Rule      ${alert.rule}`,
    `About     ${alert.subject}`,
    `Since     ${alert.at}`,
    ...(type === 'alert.resolved' ? [`Resolved  ${at} by ${who}${why === null ? '' : `: ${why}`}`] : []),
    `Alert     ${alert.id}`,
  ];
  return `${lines.join('\n')}\n`;
}

function idOf(name: string): string {
  return `<${createHash('sha256').update(name).digest('hex').slice(0, 32)}@assay.invalid>`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 200);
}

/** A mail server may repeat what it was sent. */
function withoutPassword(message: string, server: string): string {
  const { username, password } = new URL(server);
  const [name, key] = [decodeURIComponent(username), decodeURIComponent(password)];
  if (key === '') return message;
  // However short: nobody else chose it.
  return mask(message, [key, `\0${name}\0${key}`]).replaceAll(key, '…');
}
