import { type CiHost, type CiReported, reportRun } from '../../operations/ci/report-run.ts';
import { plain } from '../../report/unsafe-text.ts';
import { defineCommand } from '../command.ts';
import { withPorts } from '../open-ports.ts';

const HOSTS = ['github', 'gitlab', 'none'] as const;

export const command = defineCommand({
  name: 'ci report',
  summary: 'Report a run on a pull or merge request: an updated comment, a summary and annotations',
  positionals: { usage: 'RESULT', min: 1, max: 1 },
  options: {
    on: { type: 'choice', choices: HOSTS, doc: 'The CI system (default: detected from the environment)' },
    golden: {
      type: 'path',
      value: 'DIR',
      default: 'golden',
      doc: 'The golden cases, for annotations on their lines',
    },
    truth: { type: 'path', value: 'FILE', doc: 'The ground truth of a review, for annotations on its lines' },
    name: {
      type: 'text',
      value: 'NAME',
      default: 'assay',
      doc: 'Identifies the report when one request has several',
    },
    comment: { type: 'flag', doc: 'Write the report as a comment, and update it later' },
    sarif: {
      type: 'path',
      value: 'FILE',
      doc: 'Write faults of failed cases for GitHub code scanning',
    },
    junit: { type: 'path', value: 'FILE', doc: 'Write checks and cases as JUnit tests' },
    'code-quality': {
      type: 'path',
      value: 'FILE',
      doc: 'Write faults of failed cases for GitLab',
    },
  },
  examples: [
    'assay ci report assay.json --comment --sarif assay.sarif --junit assay.xml',
    'assay ci report assay.json --on gitlab --comment --code-quality gl-code-quality.json',
  ],
  notes: [
    'RESULT is what decomposition run, decomposition compare, workflow score or workflow compare wrote with --format json --out.',
    'GitHub: GITHUB_TOKEN with pull-requests: write. GitLab: ASSAY_GITLAB_TOKEN, a token of the project with the scope api.',
    'Exit codes: those of the run; 3 when there is no result.',
  ],
  run: async (args, terminal) => {
    const [result = ''] = args.positionals;
    const { on: host = hostOf(terminal.env), golden, truth, name, comment, sarif, junit } = args.values;
    const request = {
      host,
      environment: terminal.env,
      result,
      golden,
      truth,
      name,
      comments: comment,
      sarif,
      junit,
      codeQuality: args.values['code-quality'],
    };
    const reported = await withPorts({ values: {} }, terminal, (ports) => reportRun(request, ports));
    for (const line of reported.annotations) terminal.print(`${line}\n`);
    if (reported.why !== undefined) terminal.note(`assay: ${plain(reported.why)}\n`);
    terminal.note(`assay: ${plain(COMMENT_WORDS[reported.comment])}\n`);
    return reported.exitCode;
  },
});

/** The state of the comment. */
const COMMENT_WORDS: Readonly<Record<CiReported['comment'], string>> = {
  written: 'the comment was added',
  replaced: 'the comment was updated',
  unchanged: 'the comment is already up to date',
  refused:
    'no comment, because the token may not write one; requests from forks get such a token. The report is in the job summary.',
  'no request': 'no comment, because there is no pull or merge request or no token',
  'not asked for': 'no comment, as requested',
};

function hostOf(env: Readonly<Record<string, string | undefined>>): CiHost {
  if (env.GITHUB_ACTIONS === 'true') return 'github';
  return env.GITLAB_CI === 'true' ? 'gitlab' : 'none';
}
