import type { AssayError } from '../errors.ts';
import { harmless, plain } from '../report/unsafe-text.ts';
import type { Terminal } from './command.ts';

const CLEAR_LINE = '\r\x1b[2K';

/** Results go to standard output, everything else to standard error; colour only on a terminal that allows it. */
export function openTerminal(
  host: NodeJS.Process,
  argv: readonly string[],
): Terminal & { readonly failures: readonly AssayError[] } {
  const { stdout, stderr, env } = host;
  // A reader such as `head` that has seen enough is no fault, and the verdict still decides the exit code.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    stderr.write(harmless(`assay: the result could not be written: ${error.message} [OUTPUT_FAILED]\n`));
    host.exit(3);
  });
  // There is nowhere left to say it; the exit code does.
  stderr.on('error', () => {});
  let line = false;
  const colour =
    stdout.isTTY === true && !argv.includes('--no-color') && !env.NO_COLOR && env.TERM !== 'dumb';
  const failures: AssayError[] = [];
  return {
    failures,
    failAtEnd: (error) => void failures.push(error),
    cwd: host.cwd(),
    env,
    width: stdout.columns || 80,
    colour,
    print: (text) => void stdout.write(harmless(text, colour)),
    note: (text) => void stderr.write(harmless(text)),
    progress: (text) => {
      if (stderr.isTTY !== true || (text === '' && !line)) return;
      line = text !== '';
      stderr.write(`${CLEAR_LINE}${plain(text)}`);
    },
  };
}
