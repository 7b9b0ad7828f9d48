/** Answers that rest on the stores alone, kept until something is written: many who look ask the same. */
import type { Services } from './services.ts';

const MOST = 64;
const LONGEST = 512 * 1024;
const MINUTE_MS = 60_000;

type Known = { readonly stamp: string; readonly text: Promise<string> };

export class KnownAnswers {
  readonly #services: Pick<Services, 'sessions' | 'project'>;
  readonly #known = new Map<string, Known>();
  readonly #names = new WeakMap<object, number>();
  #stores = 0;

  constructor(services: Pick<Services, 'sessions' | 'project'>) {
    this.#services = services;
  }

  /** Whoever asks while it is being worked out waits for the same answer. */
  async get(question: string, make: () => Promise<string>): Promise<string> {
    const stamp = await this.#stamp();
    const known = this.#known.get(question);
    if (known?.stamp === stamp) return known.text;
    const text = make();
    this.#keep(question, { stamp, text });
    // What failed, or is too long, is worked out again.
    text.then(
      ({ length }) => length > LONGEST && this.#known.delete(question),
      () => this.#known.delete(question),
    );
    return text;
  }

  #keep(question: string, known: Known): void {
    this.#known.delete(question);
    this.#known.set(question, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST && oldest !== undefined) this.#known.delete(oldest);
  }

  /** Which stores they are, whether anything was written, and the minute: a week ends now. */
  async #stamp(): Promise<string> {
    const { sessions, project } = this.#services;
    const parts: (string | number)[] = [Math.ceil(project.now().getTime() / MINUTE_MS)];
    for (const ports of [sessions, project]) {
      const store = await ports.store('looking');
      const { own, others } = await store.changes();
      if (!this.#names.has(store)) this.#names.set(store, ++this.#stores);
      parts.push(this.#names.get(store) ?? 0, own, others);
    }
    return parts.join(' ');
  }
}
