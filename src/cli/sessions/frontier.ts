import type { Block, Document } from '../../report/document.ts';
import { formatScore } from '../../report/number.ts';
import { frontier } from '../../session/pricing/frontier.ts';
import { roiBy } from '../../session/pricing/roi.ts';
import { isWorthIt, type Worth } from '../../session/pricing/worth.ts';
import { TASK_TYPES, type TaskType } from '../../session/profiles/task-type.ts';
import type { SessionScore } from '../../session/session-score.ts';
import { CONFIG_OPTION, type Command, STORE_OPTION } from '../command.ts';
import { DOCUMENT_FORMAT_OPTION, printDocument } from '../print-report.ts';
import { type Loaded, loadSessions } from './load.ts';
import { PATHS, SCORING_OPTIONS } from './options.ts';
import { BLIND_SPOT, frontierCharts } from './overview.ts';

export const command: Command = {
  name: 'sessions frontier',
  summary: 'The cost–quality frontier per task type, and whether the dearer model is worth it',
  positionals: PATHS,
  options: {
    by: { type: 'string', choices: ['model', 'agent'], default: 'model', doc: 'What to compare' },
    format: DOCUMENT_FORMAT_OPTION,
    ...SCORING_OPTIONS,
    ...STORE_OPTION,
    ...CONFIG_OPTION,
  },
  examples: [
    'assay sessions frontier',
    'assay sessions frontier --task-type coding --format html > frontier.html',
  ],
  run: async (args, terminal) => {
    const { sessions } = await loadSessions(args, terminal);
    const keyOf = (session: SessionScore) =>
      args.values.by === 'agent' ? (session.agent ?? session.source) : session.model;
    const types = TASK_TYPES.flatMap((taskType) => frontierOf(sessions, taskType, keyOf) ?? []);
    await printDocument(args, terminal, types, () => frontierDocument(types, sessions));
    return types.length === 0 ? 2 : 0;
  },
};

/** One session of a model says nothing about the model. */
const MIN_SHOWN = 2;

type TypeFrontier = {
  readonly taskType: TaskType;
  readonly points: ReturnType<typeof frontier>;
  readonly comparisons: readonly {
    readonly dearer: string;
    readonly cheaper: string;
    readonly worth: Worth;
  }[];
};

function frontierOf(
  sessions: readonly Loaded[],
  taskType: TaskType,
  keyOf: (session: SessionScore) => string | undefined,
): TypeFrontier | undefined {
  const own = sessions.map(({ session }) => session).filter((session) => session.taskType === taskType);
  const rows = roiBy(own, keyOf).flatMap((row) =>
    row.meanCostUsd === undefined ? [] : [{ ...row, meanCostUsd: row.meanCostUsd }],
  );
  if (rows.length === 0) return undefined;
  const points = frontier(rows);
  // Neighbours by cost: each dearer one against the next cheaper.
  const comparisons = points.slice(1).flatMap((dearer, i) => {
    const cheaper = points[i];
    const pick = (key: string | undefined) => own.filter((session) => keyOf(session) === key);
    const worth = isWorthIt(pick(dearer.key), pick(cheaper?.key));
    return worth === undefined || cheaper === undefined
      ? []
      : [{ dearer: dearer.key, cheaper: cheaper.key, worth }];
  });
  return { taskType, points, comparisons };
}

function frontierDocument(types: readonly TypeFrontier[], sessions: readonly Loaded[]): Document {
  return {
    title: 'Cost–quality frontier',
    answer:
      types.length === 0
        ? 'No session with both a Q and a known cost.'
        : 'On the frontier nothing is better for less. A point is below it only when its interval says so.',
    blocks: [
      ...types.map(
        ({ taskType, points }): Block => ({
          kind: 'table',
          title: `Frontier: ${taskType}`,
          columns: [
            { key: 'key', header: 'model', style: 'name' },
            { key: 'n', header: 'n', style: 'count' },
            { key: 'q', header: 'mean Q', style: 'score' },
            { key: 'interval', header: '95% interval', style: 'text' },
            { key: 'cost', header: 'mean cost', style: 'usd' },
            { key: 'place', header: 'place', style: 'text' },
          ],
          rows: points.map((point) => ({
            key: point.key,
            n: point.n,
            q: point.meanQ,
            interval:
              point.interval && `[${formatScore(point.interval.low)}, ${formatScore(point.interval.high)}]`,
            cost: point.meanCostUsd,
            place:
              point.place === 'frontier'
                ? 'on the frontier'
                : `${point.place}: ${point.beatenBy} costs no more`,
          })),
        }),
      ),
      ...worthList(types),
      ...frontierCharts(sessions).map((chart) => ({ kind: 'chart' as const, chart, repeats: true })),
    ],
    notes: [BLIND_SPOT],
    next: ['assay sessions roi'],
  };
}

function worthList(types: readonly TypeFrontier[]): Block[] {
  const all = types.flatMap(({ taskType, comparisons }) => comparisons.map((one) => ({ ...one, taskType })));
  const told = all.filter(({ worth }) => Math.min(worth.n.dearer, worth.n.cheaper) >= MIN_SHOWN);
  const items = told.map(({ taskType, dearer, cheaper, worth }) => {
    const needed =
      worth.neededPerModel === undefined ? '' : `; about ${worth.neededPerModel} sessions each would tell`;
    return `${taskType}: ${dearer} against ${cheaper}: ${worth.verdict} (${worth.because})${needed}`;
  });
  if (all.length > told.length)
    items.push(`${all.length - told.length} pairs with a single session of one side are not compared`);
  return items.length === 0 ? [] : [{ kind: 'list', title: 'Is the dearer one worth it', items }];
}
