import { AssayError } from '../../errors.ts';
import { type CiHost, reportRun } from '../../operations/ci/report-run.ts';
import { plain } from '../../report/unsafe-text.ts';
import type { Arguments, Command } from '../command.ts';
import { withPorts } from '../open-ports.ts';
import { textOf } from '../text-of.ts';
import { COMMENT_WORDS, hostOf } from './words.ts';

const HOSTS = ['github', 'gitlab', 'none'] as const;

export const command: Command = {
  name: 'ci report',
  summary:
    'Tell a pull or merge request what a run came to: a comment kept up to date, a summary, annotations',
  positionals: { usage: 'RESULT', max: 1 },
  options: {
    on: { type: 'string', choices: HOSTS, doc: 'Where it runs (default: what the environment says)' },
    golden: {
      type: 'string',
      value: 'DIR',
      default: 'golden',
      doc: 'The golden cases, whose lines are pointed at',
    },
    truth: { type: 'string', value: 'FILE', doc: 'The ground truth of a review, whose lines are pointed at' },
    name: { type: 'string', value: 'NAME', default: 'assay', doc: 'Tells two reports in one request apart' },
    comment: { type: 'boolean', doc: 'Write the report into the request, and later ones in its place' },
    sarif: {
      type: 'string',
      value: 'FILE',
      doc: 'Write what is wrong with failed cases for GitHub code scanning',
    },
    junit: { type: 'string', value: 'FILE', doc: 'Write checks and cases as tests' },
    'code-quality': {
      type: 'string',
      value: 'FILE',
      doc: 'Write what is wrong with failed cases for GitLab',
    },
  },
  examples: [
    'assay ci report assay.json --comment --sarif assay.sarif --junit assay.xml',
    'assay ci report assay.json --on gitlab --comment --code-quality gl-code-quality.json',
  ],
  notes: [
    'RESULT is what decomposition run, decomposition compare or workflow score wrote with --format json --out.',
    'GitHub: GITHUB_TOKEN with pull-requests: write. GitLab: ASSAY_GITLAB_TOKEN, a token of the project with the scope api.',
    'Exit codes: those of the run; 3 when there is no result.',
  ],
  run: async (args, terminal) => {
    const [result] = args.positionals;
    if (result === undefined) throw new AssayError('USAGE', 'name the JSON of a run, as in assay.json');
    const host = (textOf(args, 'on') as CiHost | undefined) ?? hostOf(terminal.env);
    const request = {
      host,
      environment: terminal.env,
      result,
      golden: textOf(args, 'golden') ?? 'golden',
      truth: textOf(args, 'truth'),
      name: textOf(args, 'name') ?? 'assay',
      comments: args.values.comment === true,
      ...filesOf(args),
    };
    const reported = await withPorts(args, terminal, (ports) => reportRun(request, ports));
    for (const line of reported.annotations) terminal.print(`${line}\n`);
    if (reported.why !== undefined) terminal.note(`assay: ${plain(reported.why)}\n`);
    terminal.note(`assay: ${plain(COMMENT_WORDS[reported.comment])}\n`);
    return reported.exitCode;
  },
};

function filesOf(args: Arguments) {
  return {
    sarif: textOf(args, 'sarif'),
    junit: textOf(args, 'junit'),
    codeQuality: textOf(args, 'code-quality'),
  };
}
