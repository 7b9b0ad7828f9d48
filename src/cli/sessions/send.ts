import { encode } from '../../api/wire.ts';
import { deliveryTargets, TARGETS, type TargetName } from '../../operations/session/delivery-targets.ts';
import { sendScores } from '../../operations/session/send-scores.ts';
import { sentView } from '../../session/views/sent-scores.ts';
import {
  CONFIG_OPTION,
  DOCUMENT_FORMAT_OPTION,
  defineCommand,
  type StoreArguments,
  type Terminal,
} from '../command.ts';
import { openPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { readSettings } from '../settings.ts';
import { OWN_STORE_OPTION, SCORING_OPTIONS } from './options.ts';
import { sendSettings } from './send-settings.ts';
import { filterOf, sessionsGiven } from './session-request.ts';

const { since, until, timezone, agent, model, project, 'task-type': taskType } = SCORING_OPTIONS;

type SendArguments = {
  readonly values: StoreArguments['values'] & { readonly to?: readonly TargetName[] };
};

export const command = defineCommand({
  name: 'sessions send',
  summary: 'Send scores of stored sessions to Langfuse, Phoenix or an OpenTelemetry collector',
  options: {
    to: {
      type: 'list',
      choices: TARGETS,
      value: 'NAME',
      doc: `Targets: ${TARGETS.join(', ')}, separated by commas (default: langfuse and phoenix, if configured)`,
    },
    again: { type: 'flag', doc: 'Send again what was already sent' },
    ...{ since, until, timezone, agent, model, project, 'task-type': taskType },
    format: DOCUMENT_FORMAT_OPTION,
    ...OWN_STORE_OPTION,
    ...CONFIG_OPTION,
  },
  examples: [
    'assay sessions send --to langfuse --since 7d',
    'assay sessions send --to phoenix --agent otlp --format json',
  ],
  notes: [
    'Assay sends Q, its tier and the outcome, never text. Targets: session.langfuse and session.phoenix of the configuration, or LANGFUSE_BASE_URL and PHOENIX_HOST. Keys: LANGFUSE_PUBLIC_KEY, LANGFUSE_SECRET_KEY, PHOENIX_API_KEY.',
    'Sending twice is safe: a score has the same id, and a later one replaces it.',
    'Exit codes: 0 everything was accepted, 2 there was nothing to send, 3 something was rejected.',
  ],
  run: async (args, terminal) => {
    const targets = await targetsOf(args, terminal);
    const ports = openPorts(args, terminal, 'all');
    try {
      const { again } = args.values;
      const sent = await sendScores({ targets, filter: filterOf(args), again }, ports);
      terminal.progress('');
      await printResult(args, terminal, {
        json: async () => encode((await import('../../api/schema/session-lists.ts')).sessionSent, sent),
        document: () => sentView(sent, sessionsGiven(args)),
      });
      if (sent.sessions === sent.unmeasured) return 2;
      return sent.targets.some(({ refused, waiting }) => refused + waiting > 0) ? 3 : 0;
    } finally {
      await ports.close();
    }
  },
});

async function targetsOf(args: SendArguments, terminal: Terminal) {
  const { config } = await readSettings(args, terminal);
  return deliveryTargets(sendSettings(config.session, args.values.to, terminal.env), terminal.env);
}
