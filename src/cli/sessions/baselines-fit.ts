import { createHash } from 'node:crypto';
import type { TableBlock } from '../../report/document.ts';
import { fittingRuns } from '../../session/fitting-runs.ts';
import { sayBaselines } from '../../session/profiles/baselines-file.ts';
import { type FittingRun, fitBaselines, MIN_RUNS } from '../../session/profiles/fit-baselines.ts';
import { CONFIG_OPTION, type Command, STORE_OPTION } from '../command.ts';
import { FORMAT_OPTION, printTable } from '../print-report.ts';
import { writeResult } from '../write-result.ts';
import { eachSession } from './load.ts';
import { PATHS, SCORING_OPTIONS, textOf } from './options.ts';

export const command: Command = {
  name: 'sessions baselines fit',
  summary: 'Fit baselines to your own history',
  positionals: PATHS,
  options: {
    out: { type: 'string', value: 'FILE', doc: 'Write the set here, for --baselines' },
    format: FORMAT_OPTION,
    ...SCORING_OPTIONS,
    ...STORE_OPTION,
    ...CONFIG_OPTION,
  },
  examples: ['assay sessions baselines fit --out baselines.json'],
  run: async (args, terminal) => {
    const runs: FittingRun[] = [];
    await eachSession(args, terminal, ({ facts, session }) => {
      runs.push(...fittingRuns([{ facts, scored: session }]));
    });
    const hash = createHash('sha256').update(JSON.stringify(runs)).digest('hex').slice(0, 8);
    const { set, figures } = fitBaselines(runs, `own-${hash}`);
    const table: TableBlock = {
      kind: 'table',
      title: 'Fitted',
      columns: [
        { key: 'task_type', header: 'task', style: 'text' },
        { key: 'figure', header: 'figure', style: 'text' },
        { key: 'value', header: 'median', style: 'text' },
        { key: 'runs', header: 'runs', style: 'count' },
        { key: 'fitted', header: '', style: 'text' },
      ],
      rows: figures.map(({ taskType, figure, n, fitted }) => ({
        task_type: taskType,
        figure,
        value: String(Number(set.perType[taskType][figure].toPrecision(3))),
        runs: n,
        fitted: fitted ? 'fitted' : `kept: fewer than ${MIN_RUNS} runs`,
      })),
    };
    const out = textOf(args, 'out');
    if (out !== undefined) writeResult(out, sayBaselines(set));
    await printTable(args, terminal, table, () => ({
      title: 'Baselines',
      answer:
        out === undefined
          ? `The set ${set.name}; not written anywhere.`
          : `The set ${set.name} is written to ${out}.`,
      blocks: [table],
      notes: ['A set never changes by itself; every row of a score names the set it was made with.'],
      next: [`assay sessions score --baselines ${out ?? 'FILE'}`],
    }));
    return figures.some(({ fitted }) => fitted) ? 0 : 2;
  },
};
