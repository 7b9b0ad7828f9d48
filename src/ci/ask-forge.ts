/** Asking the API of a forge: its limits are waited for, its faults tried again, and a token never goes anywhere else. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { AssayError } from '../errors.ts';
import { type ForgeAnswer, ForgeRefused } from './forge.ts';

const TRIES = 5;
const LONGEST_WAIT_MS = 60_000;
const ANSWER_MS = 30_000;

export type Asking = {
  readonly headers: Readonly<Record<string, string>>;
  readonly now: () => Date;
  readonly signal?: AbortSignal | undefined;
};

type Call = { readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT'; readonly body?: object };

async function askForge(url: URL, { method, body }: Call, asking: Asking): Promise<Response> {
  for (let tried = 1; ; tried += 1) {
    const answer = await fetch(url, {
      method,
      headers: { ...asking.headers, 'content-type': 'application/json', 'user-agent': 'assay' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.any([AbortSignal.timeout(ANSWER_MS), ...(asking.signal ? [asking.signal] : [])]),
    }).catch((cause: unknown) => cause);
    const waits = answer instanceof Response ? waitOf(answer, asking.now()) : 1000 * tried;
    if (answer instanceof Response && waits === undefined) return answer;
    if (answer instanceof Response) await answer.body?.cancel();
    if (tried === TRIES)
      throw new AssayError('FORGE_UNREACHABLE', `${url.origin} did not answer after ${TRIES} tries`, {
        ...(answer instanceof Response ? {} : { cause: answer }),
      });
    await sleep(Math.min(waits ?? 0, LONGEST_WAIT_MS), undefined, { signal: asking.signal });
  }
}

/** Milliseconds; undefined: the answer counts. */
function waitOf({ status, headers }: Response, now: Date): number | undefined {
  const after = headers.get('retry-after');
  const isLimited =
    status === 429 || (status === 403 && (after !== null || headers.get('x-ratelimit-remaining') === '0'));
  if (!isLimited && status < 500) return undefined;
  if (after !== null && /^\d+$/.test(after)) return Number(after) * 1000;
  const reset = Number(headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset') ?? Number.NaN);
  return Number.isFinite(reset) ? Math.max(0, reset * 1000 - now.getTime()) : 1000;
}

const REFUSALS = [401, 403, 404];

/** Pages as `Link` names them; an address of another server is not followed. */
export async function* pagesOf<Page extends z.ZodType>(
  first: URL,
  page: Page,
  asking: Asking,
): AsyncGenerator<z.output<Page>> {
  for (let url: URL | undefined = first; url !== undefined; ) {
    const answer: Response = await askForge(url, { method: 'GET' }, asking);
    if (REFUSALS.includes(answer.status)) throw new ForgeRefused();
    if (!answer.ok) throw failed(url, answer);
    const { data } = page.safeParse(await answer.json().catch(() => undefined));
    if (data === undefined)
      throw new AssayError('FORGE_UNREACHABLE', `${url.origin} answered with what is no list of comments`);
    yield data;
    const [, next] = /<([^<>]+)>;\s*rel="next"/.exec(answer.headers.get('link') ?? '') ?? [];
    const following: URL | undefined = next === undefined ? undefined : new URL(next, url);
    url = following?.origin === first.origin ? following : undefined;
  }
}

export async function change(url: URL, call: Call, asking: Asking): Promise<ForgeAnswer> {
  const answer = await askForge(url, call, asking);
  await answer.body?.cancel();
  if (REFUSALS.includes(answer.status)) return { state: 'refused', status: answer.status };
  if (!answer.ok) throw failed(url, answer);
  return { state: 'done' };
}

function failed(url: URL, { status }: Response): AssayError {
  return new AssayError('FORGE_UNREACHABLE', `${url.origin} answered with ${status}`);
}
