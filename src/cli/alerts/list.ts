import { encode } from '../../api/wire.ts';
import { type ListAlertsRequest, listAlerts } from '../../operations/alerts/read-alerts.ts';
import { alertsView } from '../../report/server-views.ts';
import { defineCommand } from '../command.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { ALERT_OPTIONS } from './change.ts';

export const command = defineCommand({
  name: 'alerts list',
  summary: 'List alerts with their state, newest first',
  options: {
    state: {
      type: 'choice',
      choices: ['open', 'acknowledged', 'silenced', 'resolved'],
      doc: 'Only alerts in this state (default: all)',
    },
    ...ALERT_OPTIONS,
  },
  examples: ['assay alerts list', 'assay alerts list --state open --format json'],
  run: async (args, terminal) => {
    const state = args.values.state;
    const request = state === undefined ? {} : ({ states: [state] } as ListAlertsRequest);
    const alerts = await withPorts(args, terminal, (ports) => listAlerts(request, ports), 'project');
    await printResult(args, terminal, {
      document: () => alertsView(alerts, args.given),
      json: async () =>
        encode((await import('../../api/schema/alert.ts')).alertList, { items: alerts, next: null }),
    });
    return 0;
  },
});
