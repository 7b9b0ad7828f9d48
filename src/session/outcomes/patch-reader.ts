/** The output of `git log -p`, line by line, also of merges: which lines came into which file, and which went. */

/** `line` from its place `from` on is the line of the file. */
type TakeLine = (path: string, line: string, from: number, came: boolean) => void;

export class PatchReader {
  readonly #take: TakeLine;
  #before = '';
  #path = '';
  /** Parents that a line is compared with; 0 outside of a hunk. */
  #parents = 0;

  constructor(take: TakeLine) {
    this.#take = take;
  }

  take(line: string): void {
    if (line.startsWith('diff ')) this.#parents = 0;
    else if (line.startsWith('@@')) this.#parents = marksOf(line) - 1;
    else if (this.#parents === 0) this.#readHead(line);
    else if (isMarked(line, '+', this.#parents)) this.#take(this.#path, line, this.#parents, true);
    else if (isMarked(line, '-', this.#parents)) this.#take(this.#path, line, this.#parents, false);
  }

  #readHead(line: string): void {
    if (line.startsWith('--- ')) this.#before = nameIn(line);
    else if (line.startsWith('+++ ')) {
      const name = nameIn(line);
      this.#path = name === '' ? this.#before : name;
    }
  }
}

function marksOf(line: string): number {
  let marks = 0;
  while (line[marks] === '@') marks += 1;
  return marks;
}

/** Against every parent: a line that one of them had is not new. */
function isMarked(line: string, mark: string, parents: number): boolean {
  for (let i = 0; i < parents; i += 1) if (line[i] !== mark) return false;
  return true;
}

/** Empty for no file. */
function nameIn(line: string): string {
  const name = line.slice(4).replace(/\t$/, '');
  if (name === '/dev/null') return '';
  return (name.startsWith('"') ? unquoted(name) : name).slice(2);
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '"': '"', '\\': '\\' };

function unquoted(name: string): string {
  return name.slice(1, -1).replace(/\\(.)/g, (whole, char: string) => ESCAPED[char] ?? whole);
}
