import type { CiHost, CiReported } from '../../operations/ci/report-run.ts';

/** What became of the comment. */
export const COMMENT_WORDS: Readonly<Record<CiReported['comment'], string>> = {
  written: 'the report is in the request',
  replaced: 'the report in the request is up to date',
  unchanged: 'the report in the request says the same already',
  refused:
    'the report is not in the request, because the token may not write there; requests from forks get such a token. The job summary has it.',
  'no request': 'no pull or merge request, or no token: the report is in no request',
  'not asked for': 'the report is in no request, as asked',
};

export function hostOf(env: Readonly<Record<string, string | undefined>>): CiHost {
  if (env.GITHUB_ACTIONS === 'true') return 'github';
  return env.GITLAB_CI === 'true' ? 'gitlab' : 'none';
}
