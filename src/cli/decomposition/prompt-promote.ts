import { encodePromotion } from '../../api/encode/prompts.ts';
import { promotionDocument } from '../../decomposition/documents/prompt-documents.ts';
import { AssayError } from '../../errors.ts';
import { type PromotePromptRequest, promotePrompt } from '../../operations/decomposition/promote-prompt.ts';
import type { Arguments, Command, Terminal } from '../command.ts';
import { DOCUMENT_FORMAT_OPTION } from '../format-options.ts';
import { givenOf } from '../given.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { readSettings } from '../settings.ts';
import { textOf } from '../text-of.ts';
import { strayOf } from './option-values.ts';
import { PROMPTS_OPTION, promptsToWrite } from './prompt-options.ts';
import { RUN_OPTIONS } from './run-options.ts';
import { runRequest } from './run-request.ts';
import { thresholdsOf } from './standard-request.ts';

const OPTIONS = {
  run: { type: 'string', value: 'FILE', doc: 'Its result, as run --format json --out FILE wrote it' },
  previous: {
    type: 'string',
    value: 'FILE',
    doc: 'The result of the version in force (default: the ledger)',
  },
  reason: {
    type: 'string',
    value: 'WHY',
    doc: 'Promote although a metric fell by one to five points or something was hallucinated',
  },
  'across-models': { type: 'boolean', doc: 'Compare although the version before had another model' },
  ...RUN_OPTIONS,
  format: { ...DOCUMENT_FORMAT_OPTION, doc: 'How to print the decision' },
  prompts: PROMPTS_OPTION,
} as const satisfies Command['options'];

export const command: Command = {
  name: 'decomposition prompt promote',
  summary: 'Decide whether a version of a prompt comes into force: promote, hold or reject',
  positionals: { usage: 'NAME', max: 1 },
  options: OPTIONS,
  examples: [
    'assay decomposition prompt promote decompose-concepts-v1.1 --run v1.1.json --previous v1.0.json',
    'assay decomposition prompt promote decompose-concepts-v1.1 --outputs outputs',
  ],
  notes: ['Exit codes: 0 promoted, 1 rejected, 2 held, 3 could not run. The decision is kept in every case.'],
  run: async (args, terminal) => {
    const { config } = await readSettings(args, terminal);
    const [previous, reason] = [textOf(args, 'previous'), textOf(args, 'reason')];
    const request = {
      prompts: promptsToWrite(args, terminal),
      name: args.positionals[0],
      measured: await measuredFrom(args, terminal),
      previous,
      reason,
      acrossModels: args.values['across-models'] === true,
      golden: textOf(args, 'golden') ?? 'golden',
      vocabulary: config.decomposition.golden,
      thresholds: thresholdsOf(args, config),
    };
    const promotion = await withPorts(args, terminal, (ports) => promotePrompt(request, ports));
    await printResult(args, terminal, {
      document: () => promotionDocument(promotion, givenOf(args, OPTIONS)),
      json: () => encodePromotion(promotion),
    });
    return { promote: 0, reject: 1, hold: 2 }[promotion.decision.outcome];
  },
};

/** A result that was written down, or what to measure now. */
async function measuredFrom(args: Arguments, terminal: Terminal): Promise<PromotePromptRequest['measured']> {
  const file = textOf(args, 'run');
  const stray = strayOf(args, ['outputs', 'extractor', 'model', 'command']);
  if (file !== undefined && stray !== undefined) {
    throw new AssayError('USAGE', `--run names a result, so there is nothing for --${stray} to do`);
  }
  if (file !== undefined) return { file };
  const prompt = args.positionals[0]?.replace(/\.md$/, '');
  return { suite: await runRequest({ ...args, values: { ...args.values, prompt } }, terminal) };
}
