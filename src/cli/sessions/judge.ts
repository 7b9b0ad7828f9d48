import { encode } from '../../api/wire.ts';
import { judgeSessions } from '../../operations/session/judge-sessions.ts';
import { userConfigFolder } from '../../own-folder.ts';
import { judgementsView } from '../../session/views/calibration.ts';
import { DOCUMENT_FORMAT_OPTION, defineCommand } from '../command.ts';
import { printResult } from '../print-result.ts';
import { ask } from './ask.ts';
import { consentAt } from './consent.ts';
import { PATHS, SCORING_OPTIONS } from './options.ts';
import { sessionsGiven } from './session-request.ts';

export const command = defineCommand({
  name: 'sessions judge',
  asks: true,
  summary: 'Let a model rate sessions from a short digest, without seeing Q',
  positionals: PATHS,
  options: {
    ...SCORING_OPTIONS,
    model: {
      type: 'text',
      required: true,
      value: 'NAME',
      doc: 'The model: openai/…, anthropic/…, google/… or compatible/…',
    },
    'base-url': { type: 'text', value: 'URL', doc: 'Base URL of the provider' },
    rubric: { type: 'path', value: 'FILE', doc: 'The rubric (default: the bundled one)' },
    sample: {
      type: 'number',
      min: 1,
      whole: true,
      value: 'N',
      doc: 'Maximum number of sessions, sampled over task types and Q',
    },
    'max-cost': {
      type: 'number',
      above: 0,
      value: 'USD',
      doc: 'Maximum cost, below 5% of what the sessions cost',
    },
    'max-output-tokens': {
      type: 'number',
      min: 1,
      whole: true,
      value: 'N',
      doc: 'Maximum tokens of an answer (default 2000)',
    },
    ratings: { type: 'path', value: 'FILE', default: 'judged.csv', doc: 'File to append ratings to' },
    yes: { type: 'flag', doc: 'Send without asking' },
    format: DOCUMENT_FORMAT_OPTION,
  },
  examples: [
    'assay sessions judge --model anthropic/claude-haiku-4-5 --sample 20',
    'assay sessions judge runs/ --model compatible/llama3 --base-url http://localhost:11434/v1 --sample 20',
  ],
  notes: [
    'Nothing is sent before you agree, and Assay never spends more than 5% of what the sessions cost. If the price of the model is unknown (neither published nor in --prices), Assay cannot check that and requires --sample.',
  ],
  audited: () => '',
  run: async (args, terminal) => {
    const { model, ratings: file, rubric, yes } = args.values;
    // Here the option names the judge, and filters nothing.
    const { model: _, ...given } = args.given;
    const about = { ...args, given, values: { ...args.values, model: undefined } };
    const result = await ask(about, terminal, (request, ports) =>
      judgeSessions(
        {
          ...request,
          model,
          file,
          env: terminal.env,
          baseUrl: args.values['base-url'],
          rubric,
          count: args.values.sample,
          maxCostUsd: args.values['max-cost'],
          maxOutputTokens: args.values['max-output-tokens'],
          allow: consentAt(userConfigFolder(terminal.env), terminal, yes),
        },
        ports,
      ),
    );
    await printResult(args, terminal, {
      json: async () => encode((await import('../../api/schema/calibration.ts')).sessionJudgements, result),
      document: () => judgementsView(result, file, sessionsGiven(about)),
    });
    return result.judged.length === 0 ? 2 : 0;
  },
});
