import { encodeJudgements } from '../../api/encode/judgement.ts';
import { AssayError } from '../../errors.ts';
import { judgeSessions } from '../../operations/session/judge-sessions.ts';
import { userConfigFolder } from '../../own-folder.ts';
import { judgementsDocument } from '../../session/documents/judgements.ts';
import type { Arguments, Command } from '../command.ts';
import { DOCUMENT_FORMAT_OPTION } from '../format-options.ts';
import { printResult } from '../print-result.ts';
import { textOf } from '../text-of.ts';
import { ask } from './ask.ts';
import { consentAt } from './consent.ts';
import { PATHS, SCORING_OPTIONS } from './options.ts';
import { positive } from './positive.ts';
import { sessionsGiven } from './session-request.ts';

export const command: Command = {
  name: 'sessions judge',
  asks: true,
  summary: 'Let a model rate sessions from a short digest, blind to Q and beside it',
  positionals: PATHS,
  options: {
    ...SCORING_OPTIONS,
    model: {
      type: 'string',
      value: 'NAME',
      doc: 'Who judges: openai/…, anthropic/…, google/… or compatible/…',
    },
    'base-url': { type: 'string', value: 'URL', doc: 'Another address of the provider' },
    rubric: { type: 'string', value: 'FILE', doc: 'What it judges by (default: the rubric of the package)' },
    sample: { type: 'string', value: 'N', doc: 'At most so many sessions, drawn over task types and Q' },
    'max-cost': { type: 'string', value: 'USD', doc: 'Lower than 5% of what the sessions cost' },
    'max-output-tokens': { type: 'string', value: 'N', doc: 'The longest answer (default 2000)' },
    ratings: { type: 'string', value: 'FILE', default: 'judged.csv', doc: 'Where ratings are added' },
    yes: { type: 'boolean', doc: 'Send without asking' },
    format: DOCUMENT_FORMAT_OPTION,
  },
  examples: [
    'assay sessions judge --model anthropic/claude-haiku-4-5 --sample 20',
    'assay sessions judge runs/ --model compatible/llama3 --base-url http://localhost:11434/v1 --sample 20',
  ],
  notes: [
    'Nothing is sent before you agree, and never more than 5% of what the sessions cost is spent. Where the price of the model is not known (neither published nor in --prices) that cannot be checked, and --sample is needed.',
  ],
  run: async (args, terminal) => {
    const model = textOf(args, 'model');
    if (model === undefined) throw new AssayError('USAGE', 'who judges? Name it with --model');
    // Here the option names the judge, and filters nothing.
    const about: Arguments = { ...args, values: { ...args.values, model: undefined } };
    const file = textOf(args, 'ratings') ?? 'judged.csv';
    const result = await ask(about, terminal, (request, ports) =>
      judgeSessions(
        {
          ...request,
          model,
          file,
          env: terminal.env,
          baseUrl: textOf(args, 'base-url'),
          rubric: textOf(args, 'rubric'),
          count: positive(args, 'sample'),
          maxCostUsd: positive(args, 'max-cost'),
          maxOutputTokens: positive(args, 'max-output-tokens'),
          allow: consentAt(userConfigFolder(terminal.env), terminal, args.values.yes === true),
        },
        ports,
      ),
    );
    await printResult(args, terminal, {
      json: () => encodeJudgements(result),
      document: () => judgementsDocument(result, file, sessionsGiven(about, command.options)),
    });
    return result.judged.length === 0 ? 2 : 0;
  },
};
