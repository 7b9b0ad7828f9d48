import { encode } from '../../api/wire.ts';
import type { GoldenLint } from '../../decomposition/golden/lint-suite.ts';
import type { GoldenRules } from '../../decomposition/golden-rules.ts';
import { lintTable, lintView } from '../../decomposition/views/lint-view.ts';
import { AssayError } from '../../errors.ts';
import { lintFiles, lintGolden } from '../../operations/decomposition/lint-golden.ts';
import { ALL_OPTION, CONFIG_OPTION, defineCommand, FORMAT_OPTION } from '../command.ts';
import { printResult } from '../print-result.ts';
import { readSettings } from '../settings.ts';

export const command = defineCommand({
  name: 'decomposition lint',
  summary: 'Check golden cases: counts, texts, quotes, canaries, contradictions',
  positionals: { usage: '[DIR | FILE…]', max: Number.POSITIVE_INFINITY },
  options: { format: FORMAT_OPTION, all: ALL_OPTION, ...CONFIG_OPTION },
  examples: [
    'assay decomposition lint',
    'assay decomposition lint examples/decomposition/golden --format json',
    'assay decomposition lint golden/urban-heat.gold.json golden/tidal-marsh.gold.json',
  ],
  notes: [
    'With files as arguments, it checks only these files, including conflicts with others in the folder, and not the suite as a whole.',
  ],
  run: async (args, terminal) => {
    const { config } = await readSettings(args, terminal);
    const rules = config.decomposition.golden;
    const lint = lintOf(args.positionals, rules);
    await printResult(args, terminal, {
      document: () => lintView(lint),
      json: async () => encode((await import('../../api/schema/decomposition.ts')).goldenLint, lint),
      jsonl: async () =>
        encode((await import('../../api/schema/decomposition.ts')).goldenLint, lint).findings,
      csv: () => lintTable(lint),
    });
    return lint.isEmpty ? 2 : lint.findings.every(({ warning }) => warning) ? 0 : 1;
  },
});

function lintOf(named: readonly string[], rules: GoldenRules): GoldenLint {
  const [golden = 'golden', another] = named;
  if (named.length > 0 && named.every((path) => path.endsWith('.gold.json'))) return lintFiles(named, rules);
  if (another === undefined) return lintGolden({ golden, rules });
  throw new AssayError(
    'USAGE',
    `name one folder, or files that end in .gold.json, without ${JSON.stringify(another)}`,
  );
}
