import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { encode } from '../../api/wire.ts';
import { nearestFile } from '../../config-files.ts';
import { AssayError } from '../../errors.ts';
import { verifySessions } from '../../operations/session/verify-sessions.ts';
import { plain } from '../../report/unsafe-text.ts';
import { verificationsTable, verificationsView } from '../../session/views/verifications.ts';
import { isTrustedConfig } from '../../trusted-folders.ts';
import { ALL_OPTION, defineCommand, FORMAT_OPTION, type StoreArguments, type Terminal } from '../command.ts';
import { hasConfig } from '../has-config.ts';
import { listWith, printResult } from '../print-result.ts';
import { ask } from './ask.ts';
import { SCORE_OPTIONS } from './options.ts';
import { sessionsGiven } from './session-request.ts';

const { since, until, timezone, agent, model, project, repo, fresh, store, config } = SCORE_OPTIONS;

export const command = defineCommand({
  name: 'sessions verify',
  summary: "Run the project's own check before and after the commits of sessions: fixed, broken, still green",
  positionals: { usage: '[SESSION…]', max: Number.POSITIVE_INFINITY },
  options: {
    command: {
      type: 'text',
      value: 'COMMAND',
      doc: 'The check, e.g. "npm test" (or session.verify.command)',
    },
    setup: {
      type: 'text',
      value: 'COMMAND',
      doc: 'Run in each checkout before the check, e.g. "npm install"',
    },
    limit: { type: 'duration', value: 'TIME', default: '10m', doc: 'Timeout of each command' },
    runs: {
      type: 'number',
      min: 1,
      max: 100,
      whole: true,
      default: 1,
      doc: 'Checks of each side, to detect flaky ones',
    },
    parallel: {
      type: 'number',
      min: 1,
      max: 64,
      whole: true,
      default: 1,
      doc: 'Number of checkouts in parallel',
    },
    env: {
      type: 'list',
      value: 'NAME',
      doc: 'Variables to pass to the commands in addition to PATH, LANG and the like',
    },
    again: { type: 'flag', doc: 'Ignore cached results' },
    format: FORMAT_OPTION,
    all: ALL_OPTION,
    since,
    until,
    timezone,
    agent,
    model,
    project,
    repo,
    fresh,
    store,
    config,
  },
  examples: [
    'assay sessions verify --command "npm test" --setup "npm install"',
    'assay sessions verify 7ef1 --command "go test ./..." --runs 3',
    'assay sessions verify --since 30d --command "make check" --parallel 4 --format html --out verified.html',
  ],
  notes: [
    'Without sessions and --project, the sessions of the repository of this folder are checked.',
    'The command runs code that was committed. On Linux it can write only to its own temporary checkout; it can read your files and reach the network.',
    'Results are cached by tree and command. Assay never runs a command that you did not name.',
  ],
  audited: ({ values }) => values.command,
  run: async (args, terminal) => {
    const { runs, parallel, again, limit, env = [] } = args.values;
    const chosen = await commandsOf(args, terminal);
    const isNarrowed = args.positionals.length > 0 || args.values.project !== undefined;
    const git = isNarrowed ? undefined : nearestFile(terminal.cwd, ['.git']);
    if (!isNarrowed && git === undefined)
      throw new AssayError('USAGE', 'This folder is not in a git repository', {
        remedy:
          'Run it in the repository whose sessions you want to verify, or name sessions or a --project.',
      });
    const result = await ask({ ...args, positionals: [] }, terminal, (request, ports) =>
      verifySessions(
        {
          ...request,
          ...chosen,
          ids: args.positionals,
          folder: git === undefined ? undefined : dirname(git),
          timeMs: limit,
          runs,
          parallel: Math.min(parallel, 4 * availableParallelism()),
          allowed: env,
          again,
          environment: terminal.env,
        },
        ports,
      ),
    );
    await printResult(args, terminal, {
      ...listWith(
        async () =>
          encode((await import('../../api/schema/session-verifications.ts')).sessionVerifications, result),
        'sessions',
        verificationsTable(result),
      ),
      document: () => verificationsView(result, sessionsGiven({ ...args, positionals: [] })),
    });
    return result.sessions.some((one) => one.result !== 'could not check') ? 0 : 2;
  },
});

type CommandArguments = StoreArguments & {
  readonly values: { readonly command?: string | undefined; readonly setup?: string | undefined };
};

/** A command of an untrusted configuration is never run. */
async function commandsOf(args: CommandArguments, terminal: Terminal) {
  const { command, setup } = args.values;
  if (command !== undefined) return { command, setup };
  if (hasConfig(args, terminal)) {
    const { readSettings } = await import('../settings.ts');
    const { config: settings, path = '', isUsers } = await readSettings(args, terminal);
    const { verify } = settings.session;
    const isTrusted =
      isUsers === true || args.values.config !== undefined || isTrustedConfig(path, terminal.env);
    if (verify.command !== undefined && isTrusted)
      return { command: verify.command, setup: setup ?? verify.setup };
    if (verify.command !== undefined)
      throw new AssayError('USAGE', `${plain(path)} names a command, and you do not trust it yet`, {
        remedy: 'Read its session.verify, then run assay trust, or pass --command.',
      });
  }
  throw new AssayError('USAGE', 'No check is named', {
    remedy: 'Pass the command that checks the project, e.g. --command "npm test".',
  });
}
