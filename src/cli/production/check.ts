import { encode } from '../../api/wire.ts';
import { productionCheckView } from '../../decomposition/views/production-check-view.ts';
import { checkAndNotify } from '../../operations/alerts/check-and-notify.ts';
import { defineCommand, STORE_OPTIONS, TABLE_FORMAT_OPTION } from '../command.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { readSettings } from '../settings.ts';

export const command = defineCommand({
  name: 'production check',
  summary: 'Evaluate the production alert rules once, fire and resolve alerts, and send notifications',
  options: {
    format: TABLE_FORMAT_OPTION,
    ...STORE_OPTIONS,
  },
  examples: ['assay production check', 'assay production check --format json'],
  notes: [
    'assay serve does this every minute. Without a server, run it from cron, for example.',
    'Exit codes: 0 no rule fires, 1 a rule fires, 2 too few requests to tell, 3 could not run.',
  ],
  run: async (args, terminal) => {
    const { config } = await readSettings(args, terminal);
    const onFailure = ({ target, why }: { target: string; why: string }) =>
      terminal.note(`Could not notify ${target}; the next check retries: ${why}\n`);
    const request = { settings: config.alerts, environment: terminal.env, onFailure };
    const checked = await withPorts(args, terminal, (ports) => checkAndNotify(request, ports), 'project');
    await printResult(args, terminal, {
      document: () => productionCheckView(checked, args.given),
      json: async () => encode((await import('../../api/schema/production.ts')).productionCheck, checked),
    });
    const states = checked.findings.map(({ state }) => state);
    if (states.includes('firing')) return 1;
    return states.every((state) => state === 'too few to tell') ? 2 : 0;
  },
});
