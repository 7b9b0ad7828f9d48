import { encodeAlertStory } from '../../api/encode/alert-list.ts';
import { type AlertChange, changeAlert } from '../../operations/alerts/change-alert.ts';
import { readAlert } from '../../operations/alerts/read-alert.ts';
import { alertDocument } from '../../report/alerts-document.ts';
import type { Arguments, Command, Options, Terminal } from '../command.ts';
import { givenOf } from '../given.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { textOf } from '../text-of.ts';
import { alertId, CHANGE_OPTIONS } from './options.ts';

type Verb = {
  readonly name: string;
  readonly summary: string;
  readonly examples: readonly string[];
  readonly options?: Options;
  readonly change: (args: Arguments) => AlertChange;
};

/** A command that adds one step to the history of an alert, and shows it. */
export function changeCommand({ name, summary, examples, options = {}, change }: Verb): Command {
  const all = { ...options, ...CHANGE_OPTIONS };
  return {
    name,
    summary,
    positionals: { usage: 'ID', max: 1 },
    options: all,
    examples,
    run: async (args: Arguments, terminal: Terminal) => {
      const id = alertId(args, name);
      const why = textOf(args, 'why');
      const request = { id, change: change(args), why };
      const story = await withPorts(args, terminal, async (ports) => {
        await changeAlert(request, ports);
        return readAlert({ id }, ports);
      });
      await printResult(args, terminal, {
        document: () => alertDocument(story.alert, story.events, givenOf(args, all)),
        json: () => encodeAlertStory(story),
      });
      return 0;
    },
  };
}
