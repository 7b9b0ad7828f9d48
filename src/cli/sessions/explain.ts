import { AssayError } from '../../errors.ts';
import type { Block, Document } from '../../report/document.ts';
import { formatScore, formatUsd } from '../../report/number.ts';
import { type Moment, scoreByMessage } from '../../session/ingest/replay/score-by-message.ts';
import type { ScoredRun } from '../../session/score.ts';
import { type SessionOptions, scoreSession } from '../../session/score-session.ts';
import { CATEGORIES, SIGNALS } from '../../session/signals/catalog.ts';
import { CONFIG_OPTION, type Command, STORE_OPTION } from '../command.ts';
import { DOCUMENT_FORMAT_OPTION, printDocument } from '../print-report.ts';
import { findSession } from './find-session.ts';
import { detailsOf, loadSessions, type Scored } from './load.ts';
import { SCORING_OPTIONS } from './options.ts';
import { BLIND_SPOT } from './overview.ts';

export const command: Command = {
  name: 'sessions explain',
  summary: 'Why a session scored as it did: each signal, what it cost, and the lines behind it',
  positionals: { usage: 'ID [PATH…]', max: Number.POSITIVE_INFINITY },
  options: {
    format: DOCUMENT_FORMAT_OPTION,
    'per-message': { type: 'boolean', doc: 'Show how the score came about along the session' },
    'every-run': { type: 'boolean', doc: 'Show the signals of every run, not only of the lowest' },
    ...SCORING_OPTIONS,
    ...STORE_OPTION,
    ...CONFIG_OPTION,
  },
  examples: ['assay sessions explain 7ef1', 'assay sessions explain 7ef1 ~/.codex/sessions --format json'],
  run: async (args, terminal) => {
    const [id, ...paths] = args.positionals;
    if (id === undefined) throw new AssayError('USAGE', 'assay sessions explain needs the id of a session');
    const loaded = await loadSessions({ ...args, positionals: paths }, terminal);
    const found = detailsOf(findSession(loaded.sessions, id), loaded.options);
    const everyRun = args.values['every-run'] === true;
    const moments = args.values['per-message'] === true ? await momentsOf(found, loaded.options) : [];
    // Whoever asks why wants to see all of it.
    const whole = { ...args, values: { ...args.values, all: true } };
    const data = moments.length === 0 ? found.session : { ...found.session, moments };
    await printDocument(whole, terminal, data, () => explainDocument(found, everyRun, moments));
    return 0;
  },
};

function explainDocument(found: Scored, everyRun: boolean, moments: readonly Moment[]): Document {
  const { session, file } = found;
  const scored = session.runs.filter((run) => run.q !== undefined);
  const shown = everyRun ? session.runs : [mainRun(session.runs)].flatMap((run) => run ?? []);
  const q = session.q === undefined ? 'unmeasured' : `${formatScore(session.q)}, ${session.tier}`;
  const cost =
    session.costUsd === undefined ? `cost unknown (${session.costReason})` : formatUsd(session.costUsd);
  return {
    title: `${session.sessionId} · ${session.source}`,
    answer: `Q ${q}; ${session.taskType}: ${session.taskTypeReason}; ${cost}; coverage ${formatScore(session.coverage)}${session.lowConfidence ? ' (low confidence)' : ''}.`,
    blocks: [
      ...(session.runs.length > 1 ? [runsTable(session.runs)] : []),
      ...shown.flatMap((run) => runBlocks(run, session.runs.indexOf(run), session.runs.length)),
      ...momentBlocks(moments),
    ],
    notes: [
      BLIND_SPOT,
      `Lines are those of ${file.path}.`,
      ...(session.runs.length > 1
        ? [
            `Q is the mean of ${scored.length} runs weighted by ${session.weightedBy}${session.runsLeftOut > 0 ? `; ${session.runsLeftOut} heartbeats are left out beside other work` : ''}.`,
          ]
        : []),
    ],
    next:
      everyRun || session.runs.length === 1
        ? ['assay sessions score']
        : ['assay sessions explain ID --every-run'],
  };
}

/** Each message with what the session would have scored had it ended there. */
async function momentsOf({ session, file }: Scored, options: SessionOptions): Promise<Moment[]> {
  return scoreByMessage(file.path, session.sessionId, (facts) => scoreSession(facts, options).q);
}

/** A smaller change than this is not worth a line. */
const VISIBLE = 0.005;

function momentBlocks(moments: readonly Moment[]): Block[] {
  const changes = moments.flatMap((moment, i) => {
    const change = moment.q - (moments[i - 1]?.q ?? moment.q);
    return i === 0 || Math.abs(change) >= VISIBLE
      ? [{ line: moment.line, what: moment.what, q: moment.q, change }]
      : [];
  });
  if (changes.length === 0) return [];
  return [
    {
      kind: 'table',
      title: 'Along the session: Q had it ended here, where it moved',
      columns: [
        { key: 'line', header: 'line', style: 'count' },
        { key: 'what', header: 'message', style: 'text' },
        { key: 'q', header: 'Q', style: 'score' },
        { key: 'change', header: 'change', style: 'score' },
      ],
      rows: changes,
    },
  ];
}

/** The run that lost most, which is what a person wants to see first. */
function mainRun(runs: readonly ScoredRun[]): ScoredRun | undefined {
  return runs.toSorted((a, b) => (a.q ?? 1) - (b.q ?? 1))[0];
}

function runsTable(runs: readonly ScoredRun[]): Block {
  return {
    kind: 'table',
    title: 'Runs',
    limit: 10,
    columns: [
      { key: 'run', header: 'run', style: 'count' },
      { key: 'task', header: 'task', style: 'text' },
      { key: 'q', header: 'Q', style: 'score' },
      { key: 'case', header: 'special case', style: 'text' },
      { key: 'cost', header: 'cost', style: 'usd' },
    ],
    rows: runs.map((run, i) => ({
      run: i + 1,
      task: run.taskType,
      q: run.q,
      case: run.specialCase,
      cost: run.cost.costUsd,
    })),
  };
}

function runBlocks(run: ScoredRun, index: number, count: number): Block[] {
  const name = count > 1 ? `Run ${index + 1}` : 'Signals';
  const special = run.specialCaseReason;
  return [
    ...(special === undefined
      ? []
      : [{ kind: 'list' as const, title: `${name}: special case ${run.specialCase}`, items: [special] }]),
    {
      kind: 'table',
      title: special === undefined ? name : `${name}: what the signals say beside the rule`,
      columns: [
        { key: 'signal', header: 'signal', style: 'text' },
        { key: 'value', header: 'value', style: 'score' },
        { key: 'weight', header: 'weight', style: 'ratio' },
        { key: 'lost', header: 'lost', style: 'score' },
      ],
      rows: CATEGORIES.flatMap((category) => {
        const scored = run.categories[category];
        return [
          {
            signal: category.toUpperCase(),
            value: scored.value,
            weight: scored.weight,
            lost: scored.value === undefined ? undefined : scored.weight - scored.contribution,
          },
          ...scored.signals.map(({ id, reading, weight, cost }) => ({
            signal: `  ${SIGNALS.find((signal) => signal.id === id)?.title ?? id}`,
            value: reading.measured ? reading.value : undefined,
            weight: reading.measured ? weight : undefined,
            lost: reading.measured ? cost : undefined,
          })),
        ];
      }),
    },
    { kind: 'list', title: 'What they saw, dearest first', items: whatWasSeen(run) },
  ];
}

function whatWasSeen(run: ScoredRun): string[] {
  return CATEGORIES.flatMap((category) => run.categories[category].signals)
    .toSorted((a, b) => b.cost - a.cost)
    .map(({ id, reading, cost }) => {
      const title = SIGNALS.find((signal) => signal.id === id)?.title ?? id;
      if (!reading.measured) return `${title}: – (${reading.reason})`;
      const lines = reading.lines.length > 0 ? ` (line ${reading.lines.join(', ')})` : '';
      return `${title}${cost > 0.005 ? ` −${formatScore(cost)}` : ''}: ${reading.because}${lines}`;
    });
}
