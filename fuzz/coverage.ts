/** Which blocks of our own code ran, asked of V8 itself: no instrumentation, and nothing to install. */
import { type Profiler, Session } from 'node:inspector';
import { pathToFileURL } from 'node:url';

const SOURCES = pathToFileURL('src/').href;

export class Coverage {
  readonly #session = new Session();
  readonly #known = new Set<string>();

  constructor() {
    this.#session.connect();
    this.#post('Profiler.enable');
    this.#post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  get blocks(): number {
    return this.#known.size;
  }

  /** The number of blocks that ran for the first time since the last call. */
  take(): number {
    const before = this.#known.size;
    for (const block of this.#ran()) this.#known.add(block);
    return this.#known.size - before;
  }

  /** The same, and they stay unknown. */
  peek(): number {
    return this.#ran().filter((block) => !this.#known.has(block)).length;
  }

  #ran(): readonly string[] {
    const { result } = this.#post('Profiler.takePreciseCoverage') as Profiler.TakePreciseCoverageReturnType;
    return result
      .filter(({ url }) => url.startsWith(SOURCES))
      .flatMap(({ url, functions }) =>
        functions.flatMap(({ ranges }) =>
          ranges
            .filter(({ count }) => count > 0)
            .map(({ startOffset, endOffset }) => `${url.slice(SOURCES.length)}:${startOffset}-${endOffset}`),
        ),
      );
  }

  #post(method: string, parameters: object = {}): unknown {
    let answer: unknown;
    this.#session.post(method, parameters, (error, result) => {
      if (error !== null) throw error;
      answer = result;
    });
    return answer;
  }
}
