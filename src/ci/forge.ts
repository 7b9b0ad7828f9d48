import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { AssayError } from '../errors.ts';
import { readJson } from '../files.ts';

/** A pull or merge request, and the one comment of ours in it that is updated. */

type Remarked = { readonly id: string; readonly text: string };

export type Forge = {
  readonly list: () => AsyncIterable<Remarked>;
  readonly write: (text: string) => Promise<ForgeAnswer>;
  readonly replace: (id: string, text: string) => Promise<ForgeAnswer>;
};

/** `refused`: the token has no permission. */
type ForgeAnswer = { readonly state: 'done' } | { readonly state: 'refused'; readonly status: number };

export type CommentState = 'written' | 'replaced' | 'unchanged' | 'refused';

/** Nobody sees it; the one of another job, or of another project in the same repository, has another name. */
export function markerOf(name: string): string {
  return `<!-- assay:${name.replaceAll(/[^\w.]+/g, '-')} -->`;
}

/**
 * Somebody else may have written our marker: theirs cannot be replaced, so all that begin with it are tried, the latest first.
 */
export async function writeComment(forge: Forge, marker: string, report: string): Promise<CommentState> {
  const text = `${marker}\n${report}`;
  const ours: Remarked[] = [];
  try {
    for await (const one of forge.list()) if (one.text.startsWith(marker)) ours.unshift(one);
  } catch (error) {
    if (error instanceof ForgeRefused) return 'refused';
    throw error;
  }
  for (const one of ours) {
    if (one.text.trim() === text.trim()) return 'unchanged';
    if ((await forge.replace(one.id, text)).state === 'done') return 'replaced';
  }
  return (await forge.write(text)).state === 'done' ? 'written' : 'refused';
}

/** Reading is refused, too. */
class ForgeRefused extends Error {}

/** Asking the API of a forge: its limits are waited for, its faults tried again, and a token never goes anywhere else. */

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
async function* pagesOf<Page extends z.ZodType>(
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

async function change(url: URL, call: Call, asking: Asking): Promise<ForgeAnswer> {
  const answer = await askForge(url, call, asking);
  await answer.body?.cancel();
  if (REFUSALS.includes(answer.status)) return { state: 'refused', status: answer.status };
  if (!answer.ok) throw failed(url, answer);
  return { state: 'done' };
}

function failed(url: URL, { status }: Response): AssayError {
  return new AssayError('FORGE_UNREACHABLE', `${url.origin} answered with ${status}`);
}

/** Pull requests on GitHub, found by the environment of a workflow step and its event. */

type Environment = Readonly<Record<string, string | undefined>>;

const event = z.looseObject({
  pull_request: z.looseObject({ number: z.int().positive() }).optional(),
});

const comments = z.array(
  z.looseObject({
    id: z.number(),
    body: z.string().nullish(),
    user: z.looseObject({ type: z.string() }).nullish(),
  }),
);

/** So begin tokens of jobs and apps. They may change comments of people, who could change them again. */
const TOKEN_OF_A_BOT = 'ghs_';

/** Undefined: no pull request is meant, or there is no token. */
export function githubForge(env: Environment, asking: Omit<Asking, 'headers'>): Forge | undefined {
  const { GITHUB_API_URL, GITHUB_REPOSITORY = '', GITHUB_EVENT_PATH, GITHUB_TOKEN } = env;
  if (GITHUB_EVENT_PATH === undefined || !GITHUB_TOKEN || !/^[\w.-]+\/[\w.-]+$/.test(GITHUB_REPOSITORY))
    return undefined;
  const number = event.safeParse(readJson(GITHUB_EVENT_PATH)).data?.pull_request?.number;
  if (number === undefined) return undefined;
  const base = `${GITHUB_API_URL ?? 'https://api.github.com'}/repos/${GITHUB_REPOSITORY}/issues`;
  const headers = {
    authorization: `Bearer ${GITHUB_TOKEN}`,
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
  };
  const given = { ...asking, headers };
  return {
    list: async function* () {
      for await (const page of pagesOf(new URL(`${base}/${number}/comments?per_page=100`), comments, given))
        for (const { id, body, user } of page)
          if (user?.type !== 'User' || !GITHUB_TOKEN.startsWith(TOKEN_OF_A_BOT))
            yield { id: String(id), text: body ?? '' };
    },
    write: (body) => change(new URL(`${base}/${number}/comments`), { method: 'POST', body: { body } }, given),
    replace: (id, body) =>
      change(new URL(`${base}/comments/${id}`), { method: 'PATCH', body: { body } }, given),
  };
}

/** Merge requests on GitLab, found by the environment of a pipeline job. */

const notes = z.array(z.looseObject({ id: z.number(), body: z.string().nullish() }));

/** Undefined: no merge request is meant, or there is no token. The token of a job may not write notes. */
export function gitlabForge(env: Environment, asking: Omit<Asking, 'headers'>): Forge | undefined {
  const { CI_API_V4_URL, CI_PROJECT_ID = '', CI_MERGE_REQUEST_IID = '', ASSAY_GITLAB_TOKEN } = env;
  if (!ASSAY_GITLAB_TOKEN || !/^\d+$/.test(CI_PROJECT_ID) || !/^\d+$/.test(CI_MERGE_REQUEST_IID))
    return undefined;
  const api = CI_API_V4_URL ?? 'https://gitlab.com/api/v4';
  const base = `${api}/projects/${CI_PROJECT_ID}/merge_requests/${CI_MERGE_REQUEST_IID}/notes`;
  const given = { ...asking, headers: { 'private-token': ASSAY_GITLAB_TOKEN } };
  return {
    list: async function* () {
      for await (const page of pagesOf(new URL(`${base}?per_page=100&sort=asc`), notes, given))
        for (const { id, body } of page) yield { id: String(id), text: body ?? '' };
    },
    write: (body) => change(new URL(base), { method: 'POST', body: { body } }, given),
    replace: (id, body) => change(new URL(`${base}/${id}`), { method: 'PUT', body: { body } }, given),
  };
}
