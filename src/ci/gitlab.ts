/** Merge requests on GitLab, as a job of a pipeline for one knows them. */
import { z } from 'zod';
import { type Asking, change, pagesOf } from './ask-forge.ts';
import type { Forge } from './forge.ts';

type Environment = Readonly<Record<string, string | undefined>>;

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
