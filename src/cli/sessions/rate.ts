import { createInterface } from 'node:readline/promises';
import { AssayError } from '../../errors.ts';
import type { Ports } from '../../operations/ports.ts';
import {
  DEFAULT_COUNT,
  type SessionToRate,
  sampleSessions,
} from '../../operations/session/sample-sessions.ts';
import { saveRating } from '../../operations/session/save-rating.ts';
import { commandLine } from '../../report/action.ts';
import { formatAmount } from '../../report/number.ts';
import { plain } from '../../report/unsafe-text.ts';
import { nextStep } from '../../session/views/next-step.ts';
import { agentTitle } from '../../session/views/wording.ts';
import { defineCommand, type Terminal } from '../command.ts';
import { openPorts } from '../open-ports.ts';
import { ask } from './ask.ts';
import { PATHS, SCORING_OPTIONS } from './options.ts';
import { sessionsGiven } from './session-request.ts';

export const command = defineCommand({
  name: 'sessions rate',
  asks: true,
  summary: 'Rate a sample of sessions yourself, without seeing their scores',
  positionals: PATHS,
  options: {
    sample: {
      type: 'number',
      min: 1,
      whole: true,
      value: 'N',
      default: DEFAULT_COUNT,
      doc: 'How many sessions to rate',
    },
    ratings: {
      type: 'path',
      value: 'FILE',
      default: 'ratings.csv',
      doc: 'File to append ratings to; continue with it later',
    },
    author: { type: 'text', value: 'NAME', doc: 'Name of the rater (default: your user name)' },
    list: { type: 'flag', doc: 'Only print the ids of the sample' },
    ...SCORING_OPTIONS,
  },
  examples: ['assay sessions rate', 'assay sessions rate --sample 40 --ratings team.csv --author ada'],
  audited: ({ values }) => (values.list ? undefined : ''),
  run: async (args, terminal) => {
    const { sample: count, ratings, author = terminal.env.USER ?? 'me' } = args.values;
    const { sessions } = await ask(args, terminal, (request, ports) =>
      sampleSessions({ ...request, count, ratings, author }, ports),
    );
    if (sessions.length === 0) return 2;
    if (args.values.list) {
      terminal.print(sessions.map(({ sessionId }) => `${plain(sessionId)}\n`).join(''));
      return 0;
    }
    const ports = openPorts(args, terminal, 'all');
    try {
      await rateAll(sessions, { ratings, author }, terminal, ports);
    } finally {
      await ports.close();
    }
    const [next] = nextStep('validate', sessionsGiven(args), { options: { ratings } });
    const onward = next === undefined ? '' : ` Next: ${commandLine(next)}`;
    terminal.note(`\nRatings are in ${plain(ratings)} and in the store.${onward}\n`);
    return 0;
  },
});

async function rateAll(
  sample: readonly SessionToRate[],
  { ratings: file, author }: { readonly ratings: string; readonly author: string },
  terminal: Terminal,
  ports: Ports,
): Promise<void> {
  if (!process.stdin.isTTY) {
    throw new AssayError('USAGE', 'rating needs a terminal to type in', {
      remedy: `To rate elsewhere, run assay sessions rate --list for the ids, and write session_id,rating rows into ${file}.`,
    });
  }
  const open = sample.filter(({ isRated }) => !isRated);
  const input = createInterface({ input: process.stdin, output: process.stderr });
  terminal.note(
    `${open.length} of ${sample.length} sessions to rate. 1 bad … 5 excellent, s to skip, q to stop and continue later.\n`,
  );
  try {
    for (const [i, one] of open.entries()) {
      terminal.note(`\n${i + 1} of ${open.length}\n${await describe(one)}\n`);
      const answer = await question(input, terminal);
      if (answer === 'q') break;
      if (answer === 's') continue;
      const said = (await input.question('Note (Enter for none, q to save the rating and stop): ')).trim();
      const isLast = said.toLowerCase() === 'q';
      const { sessionId, sessionKey, project } = one;
      const rated = { sessionId, sessionKey, project, rating: Number(answer), note: isLast ? '' : said };
      // At once, so that nothing said is lost.
      await saveRating({ ...rated, author, file }, ports);
      if (isLast) break;
    }
  } catch (error) {
    // Ctrl-C at the question stops too; ratings so far are stored.
    if (!(error instanceof Error && error.name === 'AbortError')) throw error;
  } finally {
    input.close();
  }
}

async function question(input: ReturnType<typeof createInterface>, terminal: Terminal): Promise<string> {
  for (;;) {
    const answer = (await input.question('How well did it go? 1-5, s, q: ')).trim().toLowerCase();
    if (/^[1-5sq]$/.test(answer)) return answer;
    terminal.note(
      `${answer === '' ? 'Nothing was typed' : `"${plain(answer)}" is no answer`}: a number from 1 (bad) to 5 (excellent), s to skip, q to stop.\n`,
    );
  }
}

/** What happened, without any score: where, the request, the answer. */
async function describe(one: SessionToRate): Promise<string> {
  const { first, last } = await one.excerpt();
  const tools = `${formatAmount(one.toolCalls, 'tool call')}, ${one.toolErrors} failed, ${formatAmount(one.turns, 'turn')}`;
  return [
    `${plain(one.sessionId)} (${agentTitle(one.source)}, ${one.taskType}${one.startedAt === undefined ? '' : `, ${one.startedAt}`})`,
    `${plain(one.path)}, lines ${one.firstLine} to ${one.lastLine}; ${tools}`,
    ...(first === undefined ? [] : [`asked:    ${plain(first)}`]),
    ...(last === undefined ? [] : [`answered: ${plain(last)}`]),
  ].join('\n');
}
