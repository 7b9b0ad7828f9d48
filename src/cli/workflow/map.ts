import { encode } from '../../api/wire.ts';
import { suggestMapping } from '../../operations/workflow/suggest-mapping.ts';
import { mappingView } from '../../workflow/views/next-steps.ts';
import { CONFIG_OPTION, DOCUMENT_FORMAT_OPTION, defineCommand } from '../command.ts';
import { printResult } from '../print-result.ts';
import { ARMS_OPTIONS, ARMS_USAGE, inputsWithMatching, typedOf } from './options.ts';

export const command = defineCommand({
  name: 'workflow map',
  summary: 'Suggest a mapping for categories that are not in the ground truth, e.g. rule ids of a linter',
  positionals: { usage: ARMS_USAGE, max: Number.POSITIVE_INFINITY },
  options: {
    ...ARMS_OPTIONS,
    out: { type: 'path', value: 'FILE', doc: 'Write the mapping to this file (YAML), to be corrected' },
    format: DOCUMENT_FORMAT_OPTION,
    ...CONFIG_OPTION,
  },
  examples: [
    'assay workflow map examples/workflow',
    'assay workflow map --truth truth.yaml --runs runs/ --out mapping.yaml',
  ],
  notes: [
    'Never overwrites a file. Findings of an unmapped category are matched as findings without a category.',
  ],
  run: async (args, terminal) => {
    const inputs = await inputsWithMatching(args, terminal, 'workflow map');
    const suggested = suggestMapping({ inputs, out: args.values.out });
    await printResult(args, terminal, {
      json: async () => encode((await import('../../api/schema/workflow.ts')).workflowMapping, suggested),
      document: () => mappingView(suggested, typedOf(args)),
    });
    return 0;
  },
});
