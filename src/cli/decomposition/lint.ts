import { encodeGoldenLint } from '../../api/encode/golden-lint.ts';
import { lintDocument, lintTable } from '../../decomposition/documents/lint-document.ts';
import { lintGolden } from '../../operations/decomposition/lint-golden.ts';
import { CONFIG_OPTION, type Command } from '../command.ts';
import { ALL_OPTION, FORMAT_OPTION } from '../format-options.ts';
import { printResult } from '../print-result.ts';
import { readSettings } from '../settings.ts';

export const command: Command = {
  name: 'decomposition lint',
  summary: 'Check golden cases: counts, texts, quotes, canaries, contradictions',
  positionals: { usage: '[DIR]', max: 1 },
  options: { format: FORMAT_OPTION, all: ALL_OPTION, ...CONFIG_OPTION },
  examples: [
    'assay decomposition lint',
    'assay decomposition lint examples/decomposition/golden --format json',
  ],
  run: async (args, terminal) => {
    const { config } = await readSettings(args, terminal);
    const rules = config.decomposition.golden;
    const lint = lintGolden({ golden: args.positionals[0] ?? 'golden', rules });
    await printResult(args, terminal, {
      document: () => lintDocument(lint),
      json: () => encodeGoldenLint(lint),
      jsonl: () => encodeGoldenLint(lint).findings,
      csv: () => lintTable(lint),
    });
    return lint.isEmpty ? 2 : lint.findings.length === 0 ? 0 : 1;
  },
};
