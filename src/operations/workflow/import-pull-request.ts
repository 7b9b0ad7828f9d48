/** Imports the comments of a pull request as a run file. The user's own `gh` fetches them, so Assay stores no token. */
import { spawnSync } from 'node:child_process';
import { AssayError } from '../../errors.ts';
import { importRuns } from '../../workflow/ingest/import-file.ts';
import { pagesOf } from '../../workflow/other-programs.ts';
import type { ImportedPullRequest } from '../../workflow/review.ts';
import { writeNewFile } from '../write-new-file.ts';

const MAX_BYTES = 64 * 1024 * 1024;

export function importPullRequest({
  pullRequest,
  path,
  environment,
}: {
  readonly pullRequest: string;
  readonly path: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}): ImportedPullRequest {
  const [, owner, name, number] = /^([\w.-]{1,100})\/([\w.-]{1,100})#(\d{1,9})$/.exec(pullRequest) ?? [];
  if (number === undefined)
    throw new AssayError('USAGE', `"${pullRequest}" names no pull request`, { remedy: 'E.g. octo/shop#12.' });
  const lists = ['comments', 'reviews'].flatMap((what) =>
    listOf(`repos/${owner}/${name}/pulls/${number}/${what}?per_page=100`, environment),
  );
  if (lists.length === 0)
    throw new AssayError('INPUT_INVALID', `${pullRequest} has no review and no comment`);
  writeNewFile(path, `${JSON.stringify(lists, null, 1)}\n`);
  const { runs } = importRuns(path, { unnamed: pullRequest });
  return {
    path,
    task: pullRequest,
    runs: runs.map(({ workflow, findings }) => ({ workflow, findings: findings.length })),
  };
}

function listOf(address: string, environment: Readonly<Record<string, string | undefined>>): unknown[] {
  const { status, stdout, stderr, error } = spawnSync('gh', pagesOf(address), {
    env: { ...environment, GH_PROMPT_DISABLED: '1' },
    encoding: 'utf8',
    maxBuffer: MAX_BYTES,
    timeout: 120_000,
  });
  if (error !== undefined)
    throw new AssayError('INPUT_INVALID', `gh could not be started: ${error.message}`, {
      remedy: 'Install the GitHub command line and log in: gh auth login.',
    });
  if (status !== 0)
    throw new AssayError('INPUT_INVALID', `gh could not read ${address}: ${stderr.trim().slice(0, 500)}`, {
      remedy: 'Check the name, and that gh may read it: gh auth status.',
    });
  const pages: unknown = JSON.parse(stdout);
  return Array.isArray(pages) ? pages.flat() : [];
}
