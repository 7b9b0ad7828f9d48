/** What was spent on branches that were left again: counted apart, part of no run. */
import type { Event, Usage } from '../../event.ts';
import { addUsage } from '../../usage.ts';

export type Abandoned = { readonly entries: number; readonly usage: Usage };

const NOTHING: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

export class AbandonedCount {
  #entries = 0;
  #unnamed: Usage = NOTHING;
  /** Several records of one message: the last one counts. */
  readonly #messages = new Map<string, Usage>();

  entry(): void {
    this.#entries += 1;
  }

  take(event: Event): void {
    if (event.kind !== 'reply' || event.usage === undefined) return;
    if (event.messageId === undefined) this.#unnamed = addUsage(this.#unnamed, event.usage);
    else this.#messages.set(event.messageId, event.usage);
  }

  total(): Abandoned {
    return { entries: this.#entries, usage: [...this.#messages.values()].reduce(addUsage, this.#unnamed) };
  }
}
