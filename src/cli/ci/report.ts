import { type CiHost, type CiReported, reportRun } from '../../operations/ci/report-run.ts';
import { plain } from '../../report/unsafe-text.ts';
import { defineCommand } from '../command.ts';
import { withPorts } from '../open-ports.ts';

const HOSTS = ['github', 'gitlab', 'none'] as const;

export const command = defineCommand({
  name: 'ci report',
  summary:
    'Tell a pull or merge request what a run came to: a comment kept up to date, a summary, annotations',
  positionals: { usage: 'RESULT', min: 1, max: 1 },
  options: {
    on: { type: 'choice', choices: HOSTS, doc: 'Where it runs (default: what the environment says)' },
    golden: {
      type: 'path',
      value: 'DIR',
      default: 'golden',
      doc: 'The golden cases, whose lines are pointed at',
    },
    truth: { type: 'path', value: 'FILE', doc: 'The ground truth of a review, whose lines are pointed at' },
    name: { type: 'text', value: 'NAME', default: 'assay', doc: 'Tells two reports in one request apart' },
    comment: { type: 'flag', doc: 'Write the report into the request, and later ones in its place' },
    sarif: {
      type: 'path',
      value: 'FILE',
      doc: 'Write what is wrong with failed cases for GitHub code scanning',
    },
    junit: { type: 'path', value: 'FILE', doc: 'Write checks and cases as tests' },
    'code-quality': {
      type: 'path',
      value: 'FILE',
      doc: 'Write what is wrong with failed cases for GitLab',
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
  written: 'the report is in the request',
  replaced: 'the report in the request is up to date',
  unchanged: 'the report in the request says the same already',
  refused:
    'the report is not in the request, because the token may not write there; requests from forks get such a token. The job summary has it.',
  'no request': 'no pull or merge request, or no token: the report is in no request',
  'not asked for': 'the report is in no request, as asked',
};

function hostOf(env: Readonly<Record<string, string | undefined>>): CiHost {
  if (env.GITHUB_ACTIONS === 'true') return 'github';
  return env.GITLAB_CI === 'true' ? 'gitlab' : 'none';
}
