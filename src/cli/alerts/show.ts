import { encodeAlertStory } from '../../api/encode/alert-list.ts';
import { readAlert } from '../../operations/alerts/read-alert.ts';
import { alertDocument } from '../../report/alerts-document.ts';
import type { Command } from '../command.ts';
import { givenOf } from '../given.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { ALERT_OPTIONS, alertId } from './options.ts';

export const command: Command = {
  name: 'alerts show',
  summary: 'One alert, and everything that became of it',
  positionals: { usage: 'ID', max: 1 },
  options: ALERT_OPTIONS,
  examples: ['assay alerts show errors-high:production:1'],
  run: async (args, terminal) => {
    const id = alertId(args, 'alerts show');
    const story = await withPorts(args, terminal, (ports) => readAlert({ id }, ports));
    await printResult(args, terminal, {
      document: () => alertDocument(story.alert, story.events, givenOf(args, ALERT_OPTIONS)),
      json: () => encodeAlertStory(story),
    });
    return 0;
  },
};
