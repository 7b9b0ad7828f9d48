import { encode } from '../../api/wire.ts';
import { readAlert } from '../../operations/alerts/read-alerts.ts';
import { alertView } from '../../report/server-views.ts';
import { defineCommand } from '../command.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { ALERT_OPTIONS } from './change.ts';

export const command = defineCommand({
  name: 'alerts show',
  summary: 'Show an alert with its history',
  positionals: { usage: 'ID', min: 1, max: 1 },
  options: ALERT_OPTIONS,
  examples: ['assay alerts show errors-high:production:1'],
  run: async (args, terminal) => {
    const [id = ''] = args.positionals;
    const story = await withPorts(args, terminal, (ports) => readAlert({ id }, ports), 'project');
    await printResult(args, terminal, {
      document: () => alertView(story.alert, story.events, args.given),
      json: async () => encode((await import('../../api/schema/alert.ts')).alertStory, story),
    });
    return 0;
  },
});
