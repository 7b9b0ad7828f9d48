/** Pull requests on GitHub, as a step of a workflow knows them: from its environment and the event that started it. */
import { z } from 'zod';
import { readJson } from '../files.ts';
import { type Asking, change, pagesOf } from './ask-forge.ts';
import type { Forge } from './forge.ts';

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
