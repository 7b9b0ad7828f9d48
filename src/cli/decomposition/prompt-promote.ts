import { encode } from '../../api/wire.ts';
import { promotionView } from '../../decomposition/views/prompt-views.ts';
import { AssayError } from '../../errors.ts';
import { type PromotePromptRequest, promotePrompt } from '../../operations/decomposition/promote-prompt.ts';
import { DOCUMENT_FORMAT_OPTION, defineCommand, type Terminal } from '../command.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { readSettings } from '../settings.ts';
import { PROMPTS_OPTION, promptsToWrite } from './prompt-options.ts';
import { RUN_OPTIONS, type RunArguments, runRequest, strayOf, thresholdsOf } from './run-options.ts';

export const command = defineCommand({
  name: 'decomposition prompt promote',
  summary: 'Decide whether a version of a prompt comes into force: promote, hold or reject',
  positionals: { usage: 'NAME', max: 1 },
  options: {
    run: {
      type: 'path',
      value: 'FILE',
      doc: 'The result of the candidate, written by run --format json --out FILE',
    },
    previous: {
      type: 'path',
      value: 'FILE',
      doc: 'The result of the version in force (default: the ledger)',
    },
    reason: {
      type: 'text',
      value: 'WHY',
      doc: 'Promote even if a metric fell by one to five points or something was hallucinated',
    },
    'across-models': { type: 'flag', doc: 'Compare even if the previous version used another model' },
    ...RUN_OPTIONS,
    format: { ...DOCUMENT_FORMAT_OPTION, doc: 'How to print the decision' },
    prompts: PROMPTS_OPTION,
  },
  examples: [
    'assay decomposition prompt promote decompose-concepts-v1.1 --run v1.1.json --previous v1.0.json',
    'assay decomposition prompt promote decompose-concepts-v1.1 --outputs outputs',
  ],
  notes: [
    'Exit codes: 0 promoted, 1 rejected, 2 held, 3 could not run. The decision is recorded in every case.',
  ],
  audited: ({ positionals }) => positionals[0] ?? '',
  run: async (args, terminal) => {
    const { config } = await readSettings(args, terminal);
    const { previous, reason, golden, run, 'across-models': acrossModels } = args.values;
    const request = {
      prompts: promptsToWrite(args, terminal),
      name: args.positionals[0],
      measured: await measuredFrom(run, args, terminal),
      previous,
      reason,
      acrossModels,
      golden,
      vocabulary: config.decomposition.golden,
      thresholds: thresholdsOf(args, config),
    };
    const promotion = await withPorts(args, terminal, (ports) => promotePrompt(request, ports));
    await printResult(args, terminal, {
      document: () => promotionView(promotion, args.given),
      json: async () => encode((await import('../../api/schema/prompts.ts')).promptPromotion, promotion),
    });
    return { promote: 0, reject: 1, hold: 2 }[promotion.decision.outcome];
  },
});

/** A result that was written down, or what to measure now. */
async function measuredFrom(
  file: string | undefined,
  args: RunArguments,
  terminal: Terminal,
): Promise<PromotePromptRequest['measured']> {
  const stray = strayOf(args.given, ['outputs', 'extractor', 'model', 'command']);
  if (file !== undefined && stray !== undefined)
    throw new AssayError('USAGE', `--${stray} has no effect with --run`);
  if (file !== undefined) return { file };
  const prompt = args.positionals[0]?.replace(/\.md$/, '');
  return { suite: await runRequest({ ...args, values: { ...args.values, prompt } }, terminal) };
}
