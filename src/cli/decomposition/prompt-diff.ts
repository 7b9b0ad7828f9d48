import { encode } from '../../api/wire.ts';
import { promptDiffText } from '../../decomposition/views/prompt-views.ts';
import { diffPrompts } from '../../operations/decomposition/prompt-versions.ts';
import { escapeJson } from '../../report/unsafe-text.ts';
import { defineCommand, TABLE_FORMAT_OPTION } from '../command.ts';
import { PROMPTS_OPTION, promptsToRead } from './prompt-options.ts';

export const command = defineCommand({
  name: 'decomposition prompt diff',
  summary: 'What changed between two versions of a prompt',
  positionals: { usage: '[BEFORE] AFTER', max: 2 },
  options: {
    prompts: PROMPTS_OPTION,
    format: TABLE_FORMAT_OPTION,
  },
  examples: [
    'assay decomposition prompt diff decompose-concepts-v1.1',
    'assay decomposition prompt diff decompose-concepts-v1.0 decompose-concepts-v2.0',
  ],
  run: async (args, terminal) => {
    const [first, second] = args.positionals;
    const diff = diffPrompts({
      ...promptsToRead(args, terminal),
      ...(second !== undefined && first !== undefined && { before: first }),
      after: second ?? first,
    });
    terminal.print(
      args.values.format === 'json'
        ? `${escapeJson(JSON.stringify(encode((await import('../../api/schema/prompts.ts')).promptDiff, diff), null, 2))}\n`
        : promptDiffText(diff),
    );
    return 0;
  },
});
