import { keysOf, mask } from '../../secrets.ts';
import { DeliveryRejected } from './outbox.ts';

/** What the service says of a body that it will never take. */
const REFUSED: ReadonlySet<number> = new Set([400, 413, 422]);
/** Enough to name the field that is wrong. */
const MOST_SAID = 300;
/** A key that is cut is not found. */
const MOST_READ = 10_000;

/** Posts scores to a scoring service. An error quotes the response without the key, which the service may repeat. */
export async function postScore(
  url: string,
  body: object,
  authorization: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
    body: JSON.stringify(body),
    redirect: 'manual',
    signal,
  });
  if (answer.ok) return void (await answer.body?.cancel());
  if (!REFUSED.has(answer.status)) {
    await answer.body?.cancel();
    throw new Error(sayStatus(answer.status));
  }
  const said = mask(await beginningOf(answer), keysOf(authorization)).slice(0, MOST_SAID);
  throw new DeliveryRejected(`${sayStatus(answer.status)}: ${said}`);
}

function sayStatus(status: number): string {
  const meaning = MEANINGS[status];
  return `the response was ${status}${meaning === undefined ? '' : ` (${meaning})`}`;
}

const MEANINGS: Readonly<Record<number, string>> = {
  401: 'the key is not accepted',
  403: 'the key may not write scores',
  404: 'there is no such service at this address',
  429: 'too many requests',
};

async function beginningOf({ body }: Response): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length > MOST_READ) break;
  }
  return text.slice(0, MOST_READ);
}
