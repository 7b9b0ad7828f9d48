import { createHmac } from 'node:crypto';

/** Throws where it was not taken. The address is not named: it may be the secret itself. */
export async function postJson(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
    redirect: 'manual',
    signal,
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`the response was ${answer.status}`);
}

/** The receiver can verify with the secret who sent it, which event it is, and when it was sent. */
export function signed(
  id: string,
  now: Date,
  body: string,
  secret: string,
): Readonly<Record<string, string>> {
  const seconds = String(Math.floor(now.getTime() / 1000));
  const sum = createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${sum}` };
}
