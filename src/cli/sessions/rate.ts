import { appendFileSync, existsSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { AssayError } from '../../errors.ts';
import { renderCsv } from '../../report/csv.ts';
import type { Row, TableBlock } from '../../report/document.ts';
import { plain } from '../../report/unsafe-text.ts';
import { readRatings } from '../../session/calibration/labels.ts';
import { DEFAULT_SAMPLE, sampleForRating } from '../../session/calibration/sample-for-rating.ts';
import { excerptOf } from '../../session/ingest/replay/excerpt.ts';
import { isoTime } from '../../session/iso-time.ts';
import { CONFIG_OPTION, type Command, STORE_OPTION, type Terminal } from '../command.ts';
import { detailsOf, loadSessions, type Scored } from './load.ts';
import { PATHS, SCORING_OPTIONS, textOf } from './options.ts';

const COLUMNS = ['session_id', 'rating', 'note', 'author', 'rated_at'].map((key) => ({
  key,
  header: key,
  style: 'text' as const,
}));

export const command: Command = {
  name: 'sessions rate',
  summary: 'Rate a sample of sessions yourself, without seeing their scores',
  positionals: PATHS,
  options: {
    sample: { type: 'string', value: 'N', default: String(DEFAULT_SAMPLE), doc: 'How many sessions to rate' },
    ratings: {
      type: 'string',
      value: 'FILE',
      default: 'ratings.csv',
      doc: 'Where ratings are added; go on there later',
    },
    author: { type: 'string', value: 'NAME', doc: 'Who rates (default: your user name)' },
    list: { type: 'boolean', doc: 'Only print the ids of the sample' },
    ...SCORING_OPTIONS,
    ...STORE_OPTION,
    ...CONFIG_OPTION,
  },
  examples: ['assay sessions rate', 'assay sessions rate --sample 40 --ratings team.csv --author ada'],
  run: async (args, terminal) => {
    const count = Number(textOf(args, 'sample'));
    if (!Number.isInteger(count) || count < 1)
      throw new AssayError('USAGE', '--sample is a whole number from 1 on');
    const { sessions, options } = await loadSessions(args, terminal);
    const byId = new Map(sessions.map((one) => [one.session.sessionId, one]));
    const sample = sampleForRating(
      sessions.map(({ session }) => ({
        sessionId: session.sessionId,
        taskType: session.taskType,
        q: session.q,
      })),
      { n: count },
    ).sessions.flatMap(({ sessionId }) => {
      const one = byId.get(sessionId);
      return one === undefined ? [] : [detailsOf(one, options)];
    });
    if (sample.length === 0) return 2;
    if (args.values.list === true) {
      terminal.print(sample.map(({ session }) => `${session.sessionId}\n`).join(''));
      return 0;
    }
    const file = textOf(args, 'ratings') ?? 'ratings.csv';
    const author = textOf(args, 'author') ?? terminal.env.USER ?? 'me';
    return rateAll(sample, file, author, terminal);
  },
};

async function rateAll(
  sample: readonly Scored[],
  file: string,
  author: string,
  terminal: Terminal,
): Promise<number> {
  if (!process.stdin.isTTY) {
    throw new AssayError('USAGE', 'rating needs a terminal to type in', {
      remedy: `Rate elsewhere: assay sessions rate --list prints the ids; write session_id,rating rows into ${file}.`,
    });
  }
  const done = new Set(
    existsSync(file)
      ? readRatings(file)
          .filter((one) => one.author === author)
          .map((one) => one.sessionId)
      : [],
  );
  const open = sample.filter(({ session }) => !done.has(session.sessionId));
  const input = createInterface({ input: process.stdin, output: process.stderr });
  terminal.note(
    `${open.length} of ${sample.length} sessions to rate. 1 bad … 5 excellent, s to skip, q to stop and go on later.\n`,
  );
  try {
    for (const [i, one] of open.entries()) {
      terminal.note(`\n${i + 1} of ${open.length}\n${await describe(one)}\n`);
      const answer = await ask(input);
      if (answer === 'q') break;
      if (answer === 's') continue;
      const note = await input.question('Note (Enter for none): ');
      // Written at once, so that nothing said is lost.
      add(file, {
        session_id: one.session.sessionId,
        rating: Number(answer),
        note,
        author,
        rated_at: new Date().toISOString(),
      });
    }
  } catch (error) {
    // Ctrl-C at the question is one more way to stop; what was rated is already in the file.
    if (!(error instanceof Error && error.name === 'AbortError')) throw error;
  } finally {
    input.close();
  }
  terminal.note(`\nRatings are in ${file}. Next: assay sessions validate --ratings ${file}\n`);
  return 0;
}

async function ask(input: ReturnType<typeof createInterface>): Promise<string> {
  for (;;) {
    const answer = (await input.question('How well did it go? 1-5, s, q: ')).trim().toLowerCase();
    if (/^[1-5sq]$/.test(answer)) return answer;
  }
}

/** What happened, without any score: where it is, what was asked, what was answered. */
async function describe({ session, facts, file }: Scored): Promise<string> {
  const { first, last } = await excerptOf(file.path, session.sessionId);
  const tools = `${session.toolCalls} tool calls, ${session.toolErrors} failed, ${session.turns} turns`;
  return [
    `${session.sessionId} (${session.source}, ${session.taskType}${isoTime(session.startedAt) ? `, ${isoTime(session.startedAt)}` : ''})`,
    `${file.path}, lines ${facts.runs[0]?.firstLine ?? 1} to ${facts.runs.at(-1)?.lastLine ?? 1}; ${tools}`,
    ...(first === undefined ? [] : [`asked:    ${plain(first)}`]),
    ...(last === undefined ? [] : [`answered: ${plain(last)}`]),
  ].join('\n');
}

function add(file: string, row: Row): void {
  const table: TableBlock = { kind: 'table', title: 'Ratings', columns: COLUMNS, rows: [row] };
  const csv = renderCsv(table);
  appendFileSync(file, existsSync(file) ? csv.slice(csv.indexOf('\n') + 1) : csv);
}
