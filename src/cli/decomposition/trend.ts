import { relative, resolve } from 'node:path';
import { encode } from '../../api/wire.ts';
import { trendTable, trendView } from '../../decomposition/views/trend-view.ts';
import { DEFAULT_FILES } from '../../operations/decomposition/defaults.ts';
import { readTrends } from '../../operations/decomposition/read-trends.ts';
import { ALL_OPTION, CONFIG_OPTION, defineCommand, FORMAT_OPTION } from '../command.ts';
import { printResult } from '../print-result.ts';
import { readSettings } from '../settings.ts';
import { HISTORY_OPTION } from './run-options.ts';

export const command = defineCommand({
  name: 'decomposition trend',
  summary: 'Show the trend of metrics by run or week, and what keeps falling',
  options: {
    weekly: { type: 'flag', doc: 'One point per ISO week: the mean of its runs' },
    subject: { type: 'text', value: 'NAME', doc: 'Only runs of this subject (default: the latest)' },
    format: FORMAT_OPTION,
    all: { ...ALL_OPTION, doc: 'Every series and every row' },
    ...HISTORY_OPTION,
    ...CONFIG_OPTION,
  },
  examples: [
    'assay decomposition trend',
    'assay decomposition trend --weekly --format html --out quality.html',
  ],
  notes: [
    'Only runs of the same extractor and prompt against the same golden cases by the same scorer form a',
    'series. Exit codes: 0 there is a history, 2 there is none yet, 3 could not run; an alert changes',
    'nothing.',
  ],
  run: async (args, terminal) => {
    const { config } = await readSettings(args, terminal);
    const subject = args.values.subject;
    const trends = readTrends({
      history: resolve(terminal.cwd, args.values.history ?? DEFAULT_FILES.history),
      subject,
      all: args.values.all,
      weekly: args.values.weekly,
      thresholds: config.decomposition,
    });
    const path = relative(terminal.cwd, trends.history);
    await printResult(args, terminal, {
      document: () => trendView(trends, path, args.given),
      json: async () =>
        encode((await import('../../api/schema/decomposition.ts')).decompositionTrend, trends),
      jsonl: async () => encode((await import('../../api/schema/decomposition.ts')).trendRows, trends),
      csv: () => trendTable(trends),
    });
    return trends.views.length === 0 ? 2 : 0;
  },
});
