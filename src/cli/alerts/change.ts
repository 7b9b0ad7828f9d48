import { encode } from '../../api/wire.ts';
import { type AlertChange, changeAlert } from '../../operations/alerts/change-alert.ts';
import { readAlert } from '../../operations/alerts/read-alerts.ts';
import { alertView } from '../../report/server-views.ts';
import { defineCommand, type Options, STORE_OPTIONS, TABLE_FORMAT_OPTION, type Values } from '../command.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';

export const ALERT_OPTIONS = { format: TABLE_FORMAT_OPTION, ...STORE_OPTIONS } as const satisfies Options;

type Verb<O extends Options> = {
  readonly name: string;
  readonly summary: string;
  readonly examples: readonly string[];
  readonly options?: O;
  readonly change: (values: Values<O>) => AlertChange;
};

/** A command that adds one step to the history of an alert, and shows it. */
export function changeCommand<const O extends Options = Record<never, never>>(verb: Verb<O>) {
  const { name, summary, examples, change } = verb;
  const why = { type: 'text', value: 'TEXT', doc: 'Reason, for the history of the alert' } as const;
  return defineCommand({
    name,
    summary,
    positionals: { usage: 'ID', min: 1, max: 1 },
    options: { ...verb.options, why, ...ALERT_OPTIONS } as Options & typeof ALERT_OPTIONS,
    examples,
    audited: ({ positionals }) => positionals[0] ?? '',
    run: async (args, terminal) => {
      const { values, given } = args;
      const [id = ''] = args.positionals;
      const request = { id, change: change(values as Values<O>), why: values.why as string | undefined };
      const story = await withPorts(
        args,
        terminal,
        async (ports) => {
          await changeAlert(request, ports);
          return readAlert({ id }, ports);
        },
        'project',
      );
      await printResult(args, terminal, {
        document: () => alertView(story.alert, story.events, given),
        json: async () => encode((await import('../../api/schema/alert.ts')).alertStory, story),
      });
      return 0;
    },
  });
}
