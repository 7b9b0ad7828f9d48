import { encode } from '../../api/wire.ts';
import { startedView } from '../../decomposition/views/prompt-views.ts';
import { startPromptVersion } from '../../operations/decomposition/prompt-versions.ts';
import { DOCUMENT_FORMAT_OPTION, defineCommand } from '../command.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { PROMPTS_OPTION, promptsToWrite } from './prompt-options.ts';

export const command = defineCommand({
  name: 'decomposition prompt new',
  summary: 'Start the next version of a prompt from the one in force, with its CHANGELOG entry',
  positionals: { usage: 'NAME', max: 1 },
  options: {
    major: { type: 'flag', doc: 'v1.1 → v2.0 instead of v1.2' },
    changes: { type: 'text', value: 'TEXT', doc: 'Planned changes for the CHANGELOG, separated by ;' },
    prompts: PROMPTS_OPTION,
    format: DOCUMENT_FORMAT_OPTION,
  },
  examples: [
    'assay decomposition prompt new decompose-concepts --changes "a few-shot example; shorter rules"',
    'assay decomposition prompt new decompose-concepts-v1.0 --major',
  ],
  audited: ({ positionals }) => positionals[0] ?? '',
  run: async (args, terminal) => {
    const request = {
      prompts: promptsToWrite(args, terminal),
      name: args.positionals[0],
      major: args.values.major,
      changes: changesIn(args.values.changes ?? ''),
    };
    const started = await withPorts({ values: {} }, terminal, (ports) => startPromptVersion(request, ports));
    await printResult(args, terminal, {
      document: () => startedView(started, args.given),
      json: async () => encode((await import('../../api/schema/prompts.ts')).promptStarted, started),
    });
    return 0;
  },
});

function changesIn(text: string): string[] {
  return text
    .split(';')
    .map((change) => change.trim())
    .filter((change) => change !== '');
}
