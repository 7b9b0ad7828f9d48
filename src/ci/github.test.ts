import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { startStandIn } from '../../test/forge-stand-in.ts';
import { githubForge, markerOf, writeComment } from './forge.ts';

it('never puts the report of a job into the comment of a person, who could change what it says', async () => {
  const marker = markerOf('assay');
  const api = await startStandIn([`${marker}\nplanted`]);
  const environment = {
    GITHUB_API_URL: api.url,
    GITHUB_REPOSITORY: 'team/extractor',
    GITHUB_EVENT_PATH: resolve('test/fixtures/ci/github-pull-request.json'),
    GITHUB_TOKEN: 'ghs_made-up',
  };
  const forge = githubForge(environment, { now: () => new Date(0) });
  if (forge === undefined) throw new Error('no pull request');
  expect(await writeComment(forge, marker, 'first')).toBe('written');
  expect(await writeComment(forge, marker, 'second')).toBe('replaced');
  expect(api.comments.map(({ body }) => body)).toEqual([`${marker}\nplanted`, `${marker}\nsecond`]);
  expect(api.asked.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET', 'PATCH']);
});
