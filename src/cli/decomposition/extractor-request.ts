import { AssayError } from '../../errors.ts';
import type { ExtractorRequest } from '../../operations/decomposition/open-extraction.ts';
import type { Arguments, Terminal } from '../command.ts';
import { settingsOf } from './extractor-settings.ts';
import { filledText, strayOf } from './option-values.ts';

type Kind = NonNullable<ExtractorRequest['extractor']>;

/** Options that mean nothing to the other extractors. */
const ONLY_FOR: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  llm: ['model', 'prompt', 'prompts', 'base-url', 'temperature', 'stream', 'max-cost', 'cache', 'no-cache'],
  command: ['command'],
};

const EXAMPLES = {
  llm: ['model', 'a model, e.g. --model openai/gpt-5-mini'],
  command: ['command', 'the program to run, e.g. --command "python extract.py"'],
} as const;

const MODEL_REMEDY =
  'Add --model, e.g. openai/gpt-5-mini (or decomposition.model in the configuration); or what was recorded, e.g. --outputs outputs/, or --extractor command --command "…".';

/** For texts that are only extracted: the extractor is named, and so is what it needs. */
export function namedExtractor(args: Arguments, terminal: Terminal): ExtractorRequest {
  const kind = args.values.extractor as Kind;
  refuseStray(args, kind, []);
  const [option, what] = kind === 'local' ? [] : EXAMPLES[kind];
  if (option !== undefined && filledText(args, option) === undefined) {
    throw new AssayError('USAGE', `--extractor ${kind} needs ${what}`);
  }
  return { ...settingsOf(args, terminal), extractor: kind };
}

/** For a measurement: a prompt asks for a model, of which one may be configured, or names what a program does. */
export function measuredExtractor(args: Arguments, terminal: Terminal, configured: string): ExtractorRequest {
  const prompt = filledText(args, 'prompt');
  const kind =
    (filledText(args, 'extractor') as Kind | undefined) ?? (prompt === undefined ? 'local' : 'llm');
  refuseStray(args, kind, kind === 'local' ? ['prompt'] : ['prompt', 'prompts']);
  const settings = settingsOf(args, terminal);
  const model = settings.model ?? (configured === 'none' ? undefined : configured);
  if (kind === 'llm' && model === undefined) {
    throw new AssayError('USAGE', `measuring ${prompt ?? 'a prompt'} needs a model, and none is configured`, {
      remedy: MODEL_REMEDY,
    });
  }
  return { ...settings, extractor: kind, ...(model !== undefined && { model }) };
}

function refuseStray(args: Arguments, kind: Kind, fitting: readonly string[]): void {
  for (const [owner, names] of Object.entries(ONLY_FOR)) {
    const stray =
      owner === kind
        ? undefined
        : strayOf(
            args,
            names.filter((name) => !fitting.includes(name)),
          );
    if (stray !== undefined) {
      throw new AssayError('USAGE', `--${stray} is for --extractor ${owner}, and this is ${kind}`);
    }
  }
}
