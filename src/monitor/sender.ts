/** Sends lines to the server in batches; lines that it does not accept wait in memory, then in a file. */

import { mask } from '../secrets.ts';
import { recordsAddress, type SentLine, Spill, type SpillChoices } from './spill-folder.ts';

export type SenderChoices = {
  readonly url: string;
  readonly token?: string | undefined;
  readonly spill: SpillChoices;
  readonly most: number;
  readonly timeoutMs: number;
  readonly note: (text: string) => void;
};

export type SenderCounts = {
  readonly sent: number;
  readonly waiting: number;
  readonly spilled: number;
  readonly dropped: number;
};

const BATCH = 200;
const [FIRST_WAIT_MS, LONGEST_WAIT_MS] = [1000, 60_000];

type Outcome = 'taken' | 'later' | 'refused';

export class Sender {
  readonly #choices: SenderChoices;
  readonly #spill: Spill;
  readonly #waiting: SentLine[] = [];
  #sent = 0;
  #dropped = 0;
  #unreported = 0;
  #whyDropped = '';
  #isClockReported = false;
  #failures = 0;
  #notBefore = 0;
  #sending: Promise<void> | undefined;

  constructor(choices: SenderChoices) {
    this.#choices = choices;
    this.#spill = new Spill(choices.spill, choices);
    this.#spill.adopt();
    this.#reportFolders();
  }

  /** At start-up, before records can be lost. */
  #reportFolders(): void {
    const { note, url } = this.#choices;
    const { unsafe, ofOtherTokens } = this.#spill;
    if (unsafe !== undefined)
      note(
        `${unsafe} belongs to another user, or others may write to it: records are not stored there while ${url} is unreachable. Set "spill" to a folder of your own.`,
      );
    if (ofOtherTokens.length > 0)
      note(
        `unsent records for ${url} from another token are in ${ofOtherTokens.join(' and ')}. They are sent only with that token: run the service with it once, or delete the folder.`,
      );
  }

  get counts(): SenderCounts {
    const [waiting, spilled] = [this.#waiting.length, this.#spill.lines];
    return { sent: this.#sent, waiting, spilled, dropped: this.#dropped };
  }

  add(line: SentLine): void {
    this.#waiting.push(line);
    if (this.#waiting.length > this.#choices.most) this.spillAll();
  }

  /** Everything that waits goes to the file; what does not fit is lost, and said so. Synchronous. */
  spillAll(): void {
    const lines = this.#waiting.splice(0);
    const lost = lines.length - this.#spill.add(lines);
    this.drop(lost, this.#whyUnsafe ?? 'there is no room to store them until the server answers');
  }

  /** Lines in a folder that another user owns now are not sent. */
  #takeSpilled(): readonly SentLine[] {
    const { lines } = this.#spill;
    const taken = this.#spill.take();
    const why = this.#whyUnsafe;
    if (why !== undefined) this.drop(lines - taken.length, why);
    return taken;
  }

  get #whyUnsafe(): string | undefined {
    const { unsafe } = this.#spill;
    return unsafe && `${unsafe} belongs to another user, or others may write to it`;
  }

  drop(count: number, why: string): void {
    if (count <= 0) return;
    this.#dropped += count;
    this.#unreported += count;
    this.#whyDropped = why;
    // The first at once, then each time it has doubled: a service that loses thousands must not log thousands of lines.
    if (this.#unreported * 2 < this.#dropped && this.#dropped > 1) return;
    this.reportDropped();
  }

  reportDropped(): void {
    if (this.#unreported === 0) return;
    this.#unreported = 0;
    const requests = this.#dropped === 1 ? '1 request' : `${this.#dropped} requests`;
    this.#choices.note(`${requests} could not be recorded: ${this.#whyDropped}`);
  }

  /** `now` also when the server did not answer lately. */
  send(now = false): Promise<void> {
    if (!now && performance.now() < this.#notBefore) return Promise.resolve();
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  async #sendAll(): Promise<void> {
    // Probes the server before it reads a whole file.
    if (this.#failures > 0 && !(await this.#isThere())) return this.#wait();
    for (;;) {
      if (this.#waiting.length === 0) for (const line of this.#takeSpilled()) this.#waiting.push(line);
      const batch = this.#waiting.splice(0, BATCH);
      if (batch.length === 0) return;
      const outcome = await this.#post(batch);
      if (outcome === 'taken') {
        this.#sent += batch.length;
        this.#failures = 0;
        this.#notBefore = 0;
      } else if (outcome === 'refused') {
        await this.#oneByOne(batch);
      } else {
        this.#waiting.unshift(...batch);
        this.#wait();
        return;
      }
    }
  }

  /** One that is refused must not take the others with it. */
  async #oneByOne(batch: readonly SentLine[]): Promise<void> {
    let refused = 0;
    for (const [i, line] of batch.entries()) {
      const outcome = batch.length === 1 ? 'refused' : await this.#post([line]);
      if (outcome === 'taken') this.#sent += 1;
      else if (outcome === 'refused') refused += 1;
      else {
        this.#waiting.unshift(...batch.slice(i));
        this.#wait();
        break;
      }
    }
    this.drop(refused, `${this.#choices.url} refuses them${this.#why}`);
  }

  #why = '';

  #wait(): void {
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures);
    if (this.#failures === 0)
      this.#choices.note(
        `${this.#choices.url} does not accept records right now${this.#why}; they are stored and sent later`,
      );
    this.#failures += 1;
    this.#notBefore = performance.now() + wait;
    // Memory is for what comes next.
    this.spillAll();
  }

  async #isThere(): Promise<boolean> {
    try {
      const { url, timeoutMs } = this.#choices;
      const signal = AbortSignal.timeout(timeoutMs);
      return (await fetch(new URL('/healthz', url), { redirect: 'manual', signal })).ok;
    } catch {
      return false;
    }
  }

  /** Once: a clock that is wrong stays so. */
  #reportClock(answer: string): void {
    if (this.#isClockReported || !/"ahead":\s*[1-9]/.test(answer)) return;
    this.#isClockReported = true;
    this.#choices.note(
      `the clock of this machine is ahead of that of ${this.#choices.url}: requests get the time of their arrival`,
    );
  }

  async #post(lines: readonly SentLine[]): Promise<Outcome> {
    const { url, token, timeoutMs } = this.#choices;
    try {
      const answer = await fetch(recordsAddress(url), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        body: `[${lines.join(',')}]`,
        // Texts are for the address that was named, and a page to log in at takes none.
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      const said = await answer.text();
      if (answer.ok) {
        this.#reportClock(said);
        return 'taken';
      }
      this.#why = ` (${answer.status}: ${redirectOf(answer) ?? mask(said, [token ?? '']).slice(0, 300)})`;
      return [400, 409, 413, 422].includes(answer.status) ? 'refused' : 'later';
    } catch (error) {
      this.#why = ` (${error instanceof Error ? causeOf(error) : String(error)})`;
      return 'later';
    }
  }
}

function redirectOf({ status, headers, url }: Response): string | undefined {
  const to = headers.get('location');
  if (status < 300 || status >= 400 || to === null || !URL.canParse(to, url)) return undefined;
  return `it redirects to ${new URL(to, url).origin}; name that address if it is the server`;
}

function causeOf({ message, cause }: Error): string {
  return cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : message;
}
