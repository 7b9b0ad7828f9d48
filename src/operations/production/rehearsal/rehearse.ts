/**
 * An hour of a service in production in a minute: requests that are answered, watched and recorded for real, a service that
 * becomes slow and then invents concepts, and the look at the alert rules that a server makes every minute.
 */
import { fileURLToPath } from 'node:url';
import { readGoldenSet } from '../../../decomposition/ingest/golden-case.ts';
import { type Monitored, monitor } from '../../../monitor/monitor.ts';
import { random } from '../../../stats/random.ts';
import type { Alert, TrackedAlert } from '../../../store/store.ts';
import type { AlertSettings } from '../../alerts/alert-targets.ts';
import { type CheckedAlerts, checkAlerts } from '../../alerts/check-alerts.ts';
import type { Ports } from '../../ports.ts';
import { DecompositionService, type ServiceFault } from './service.ts';

const SUITE = fileURLToPath(new URL('../../../../golden/', import.meta.url));
const MINUTES = 60;
const PER_MINUTE = 20;

/** What is done to the service, and when. */
const FAULTS: readonly { readonly minute: number; readonly fault: ServiceFault }[] = [
  { minute: 0, fault: 'none' },
  { minute: 15, fault: 'slow' },
  { minute: 30, fault: 'none' },
  { minute: 38, fault: 'inventing' },
  { minute: 50, fault: 'none' },
];

export type RehearsalStep =
  | { readonly kind: 'fault'; readonly at: string; readonly fault: ServiceFault }
  | { readonly kind: 'fired' | 'resolved'; readonly at: string; readonly alert: Alert };

export type RehearseRequest = {
  /** Where an Assay server is that records. */
  readonly url: string;
  readonly rules: AlertSettings['rules'];
  readonly clock: RehearsalClock;
  readonly signal: AbortSignal;
  readonly onStep: (step: RehearsalStep) => void;
};

const REAL_MINUTE_MS = 60_000;
/** How long a slow answer takes on a clock whose minute takes a second: longer than the line of the alert. */
const SLOW_MS = 5600;
const USUAL_MINUTE_MS = 1000;

/** A clock on which an hour passes in a minute, and waits for whoever is late. */
export class RehearsalClock {
  readonly minuteMs: number;
  readonly #from: number;
  #minute = 0;
  #began = performance.now();

  /** When it ends, and how long a minute takes. */
  constructor(end: Date, minuteMs: number) {
    this.#from = end.getTime() - MINUTES * REAL_MINUTE_MS;
    this.minuteMs = minuteMs;
  }

  /** Milliseconds since 1970. */
  readonly now = (): number => {
    const passed = ((performance.now() - this.#began) / this.minuteMs) * REAL_MINUTE_MS;
    return this.#from + this.#minute * REAL_MINUTE_MS + Math.min(REAL_MINUTE_MS - 1, passed);
  };

  /** How much faster it goes than the one whose minute takes a second. */
  get haste(): number {
    return USUAL_MINUTE_MS / this.minuteMs;
  }

  begin(minute: number): void {
    this.#minute = minute;
    this.#began = performance.now();
  }
}

export type Rehearsal = {
  readonly requests: number;
  /** Oldest first, with what became of them. */
  readonly alerts: readonly TrackedAlert[];
  readonly last: CheckedAlerts | undefined;
};

type AskedText = { readonly topic: string; readonly text: string };

type Decompose = (text: string, topic: string) => Promise<unknown>;

export async function rehearseProduction(request: RehearseRequest, ports: Ports): Promise<Rehearsal> {
  const { url, clock, signal } = request;
  const service = new DecompositionService(SLOW_MS / clock.haste);
  const address = await service.start();
  const texts = readGoldenSet(SUITE).cases.map(({ topic, sourceText: text }) => ({ topic, text }));
  // A service that has only just started is slow, which is not the fault to be shown.
  await service.learn(texts.map(({ text }) => text));
  const decompose = monitor<[string, string], Promise<unknown>>((text) => ask(address, text), {
    url,
    now: clock.now,
    model: 'local',
    promptVersion: 'example',
    sampleRate: 1,
    keepText: true,
    spill: false,
    describe: ({ args: [text, topic], latencyMs }) => ({
      text,
      topic,
      costUsd: 0.012,
      // Where an hour is shorter, so is everything that happens in it.
      latencyMs: latencyMs * clock.haste,
    }),
  });
  const play = new Play(request, service, decompose, texts, ports);
  try {
    for (let minute = 0; minute < MINUTES && !signal.aborted; minute += 1) await play.minute(minute);
    return await play.end();
  } finally {
    await decompose.close();
    await service.stop();
  }
}

class Play {
  readonly #request: RehearseRequest;
  readonly #service: DecompositionService;
  readonly #decompose: Monitored<Decompose>;
  readonly #ports: Ports;
  readonly #texts: readonly AskedText[];
  readonly #numbers = random(7);
  readonly #open = new Set<Promise<unknown>>();
  readonly #told = new Set<string>();
  #requests = 0;
  #last: CheckedAlerts | undefined;

  constructor(
    request: RehearseRequest,
    service: DecompositionService,
    decompose: Monitored<Decompose>,
    texts: readonly AskedText[],
    ports: Ports,
  ) {
    this.#texts = texts;
    this.#request = request;
    this.#service = service;
    this.#decompose = decompose;
    this.#ports = ports;
  }

  async minute(minute: number): Promise<void> {
    const { clock, onStep, signal } = this.#request;
    clock.begin(minute);
    const begins = FAULTS.find((one) => one.minute === minute);
    if (begins !== undefined) {
      this.#service.fault = begins.fault;
      onStep({ kind: 'fault', at: this.#at(), fault: begins.fault });
    }
    for (let i = 0; i < PER_MINUTE && !signal.aborted; i += 1) {
      this.#send();
      await new Promise((resolve) => setTimeout(resolve, clock.minuteMs / PER_MINUTE));
    }
    await this.#check();
  }

  async end(): Promise<Rehearsal> {
    await Promise.all(this.#open);
    await this.#check();
    return { requests: this.#requests, alerts: await this.#alerts(), last: this.#last };
  }

  #send(): void {
    const { text, topic } = this.#texts[this.#numbers.below(this.#texts.length)] ?? { text: '', topic: '' };
    this.#requests += 1;
    const call = this.#decompose(text, topic).catch(() => undefined);
    this.#open.add(call);
    call.finally(() => this.#open.delete(call));
  }

  async #check(): Promise<void> {
    await this.#decompose.flush();
    this.#last = await checkAlerts({ rules: this.#request.rules }, this.#ports);
    // The server looks as well, and whoever looks first writes it.
    for (const alert of await this.#alerts()) {
      if (this.#isNew(`fired ${alert.alertId}`)) this.#request.onStep({ kind: 'fired', at: alert.at, alert });
      if (alert.state === 'resolved' && this.#isNew(`resolved ${alert.alertId}`))
        this.#request.onStep({ kind: 'resolved', at: alert.event?.at ?? this.#at(), alert });
    }
  }

  async #alerts(): Promise<readonly TrackedAlert[]> {
    const store = await this.#ports.store('looking');
    return store.trackAlerts({ now: this.#at() });
  }

  #isNew(told: string): boolean {
    const isNew = !this.#told.has(told);
    this.#told.add(told);
    return isNew;
  }

  #at(): string {
    return new Date(this.#request.clock.now()).toISOString();
  }
}

async function ask(address: string, text: string): Promise<unknown> {
  const answer = await fetch(`${address}/decompose`, { method: 'POST', body: text });
  if (!answer.ok) throw new Error(`the service answered ${answer.status}`);
  return answer.json();
}
