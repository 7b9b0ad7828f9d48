/**
 * Objects that are spread over lines, as `jq .` writes them one after another → an object per line. The lines that are
 * gone stay as empty ones, so that every line keeps its number.
 */
import { LineSplitter, MAX_LINE_BYTES } from './split-lines.ts';
import { withoutTerminalCodes } from './terminal-codes.ts';
import { withoutTimestamp } from './text-record.ts';

const OPENED = /(?:^|\n)[^\n{]{0,80}\{[ \t\r]*\n/;

/** Whether somewhere in it an object begins whose fields come on the lines below. */
export function hasSpreadObjects(bytes: Buffer): boolean {
  return OPENED.test(withoutTerminalCodes(bytes).toString('latin1'));
}

export async function* joinedObjects(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, void> {
  let ready: string[] = [];
  const joiner = new ObjectJoiner((text) => ready.push(text));
  const splitter = new LineSplitter({
    onLine: (bytes, start, end) => joiner.take(cleaned(bytes.subarray(start, end))),
    onTooLong: () => joiner.take(''),
  });
  for await (const chunk of chunks) {
    splitter.push(chunk);
    if (ready.length > 0) yield Buffer.from(ready.join(''));
    ready = [];
  }
  const { bytes, tooLong } = splitter.rest();
  if (bytes.length > 0 && !tooLong) joiner.take(cleaned(bytes));
  joiner.end();
  yield Buffer.from(ready.join(''));
}

export function withJoinedObjects(text: string): string {
  const ready: string[] = [];
  const joiner = new ObjectJoiner((line) => ready.push(line));
  for (const line of text.split('\n')) joiner.take(cleaned(Buffer.from(line)));
  joiner.end();
  return ready.join('');
}

function cleaned(line: Buffer): string {
  return withoutTimestamp(withoutTerminalCodes(line).toString('utf8').trimEnd());
}

/** Whoever spreads an object over lines indents all of them but its first and its last. */
class ObjectJoiner {
  readonly #emit: (text: string) => void;
  #lines: string[] | undefined;
  #length = 0;

  constructor(emit: (text: string) => void) {
    this.#emit = emit;
  }

  take(line: string): void {
    if (line === '{') {
      this.#finish('\n');
      this.#lines = [];
      this.#length = 0;
    }
    if (this.#lines === undefined) {
      this.#emit(`${line}\n`);
      return;
    }
    this.#length += line.length;
    // Too much for one record: what stood in it is left out, its lines are still counted.
    this.#lines.push(this.#length > MAX_LINE_BYTES ? '' : line);
    if (line === '}') this.#finish('\n');
  }

  /** An object that has no end stays without one. */
  end(): void {
    this.#finish('');
  }

  #finish(end: '\n' | ''): void {
    if (this.#lines === undefined) return;
    this.#emit(this.#lines.join(' ') + end + (end === '' ? '' : '\n'.repeat(this.#lines.length - 1)));
    this.#lines = undefined;
  }
}
