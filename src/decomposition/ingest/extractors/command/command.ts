import { performance } from 'node:perf_hooks';
import { AssayError } from '../../../../errors.ts';
import { mask, maskLine, secretsIn } from '../../../../secrets.ts';
import type { Extractor } from '../../extractor.ts';
import { parseOutput } from '../../output.ts';
import { runProgram } from './run-program.ts';
import { splitCommand } from './split-command.ts';

const DEFAULT_TIMEOUT_MS = 120_000;
const MAX_OUTPUT_BYTES = 32 * 1024 * 1024;

export type CommandOptions = {
  /** A line that is split into words without a shell, or the words. */
  readonly command: string | readonly string[];
  readonly timeoutMs?: number;
  readonly maxOutputBytes?: number;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
};

/**
 * Any program that reads the text on standard input and prints the output JSON. It finds the case in ASSAY_CASE_ID and
 * the number of the repeat in ASSAY_TRIAL.
 */
export function commandExtractor(options: CommandOptions): Extractor {
  const argv = typeof options.command === 'string' ? splitCommand(options.command) : options.command;
  const [program] = argv;
  if (program === undefined || program === '') throw new AssayError('USAGE', 'the command is empty');
  // The name is kept in histories and reports, and a program may repeat what it was given.
  const secrets = secretsIn(argv, options.env ?? process.env);
  return {
    name: `command ${maskLine(argv.join(' '), secrets)}`,
    extract: async (task, signal) => {
      const startedAt = performance.now();
      const printed = await runProgram(argv, {
        input: task.text,
        env: {
          ...(options.env ?? process.env),
          // The environment cannot hold it.
          ASSAY_CASE_ID: task.id.replaceAll('\0', ''),
          ASSAY_TRIAL: String(task.trial),
        },
        ...(options.cwd !== undefined && { cwd: options.cwd }),
        timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
        maxOutputBytes: options.maxOutputBytes ?? MAX_OUTPUT_BYTES,
        signal,
      }).catch((thrown: unknown) => {
        throw thrown instanceof AssayError ? withoutSecrets(thrown, secrets) : thrown;
      });
      const latencyMs = Math.round(performance.now() - startedAt);
      const output = parseOutput(parsePrinted(mask(printed, secrets), program), `output of ${program}`);
      return { ...output, latencyMs: output.latencyMs ?? latencyMs };
    },
  };
}

function withoutSecrets({ code, message, remedy }: AssayError, secrets: readonly string[]): AssayError {
  return new AssayError(code, maskLine(message, secrets), { remedy });
}

function parsePrinted(printed: string, program: string): unknown {
  if (printed.trim() === '') throw new AssayError('INPUT_INVALID', `${program} printed nothing`);
  try {
    return JSON.parse(printed);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AssayError('INPUT_INVALID', `output of ${program} is not JSON: ${why}`, { cause });
  }
}
