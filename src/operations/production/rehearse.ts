/**
 * An hour of a service in production in a minute: requests that are answered, watched and recorded for real, a service that
 * becomes slow and then invents concepts, and the look at the alert rules that a server makes every minute.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { localExtractor } from '../../decomposition/ingest/extractors/local/local.ts';
import { readGoldenSet } from '../../decomposition/ingest/golden-case.ts';
import type { ExtractionOutput } from '../../decomposition/ingest/output.ts';
import { type Monitored, monitor } from '../../monitor/monitor.ts';
import { random } from '../../stats/random.ts';
import type { Alert, TrackedAlert } from '../../store/store.ts';
import type { AlertSettings } from '../alerts/alert-targets.ts';
import { type CheckedAlerts, checkAlerts } from '../alerts/check-alerts.ts';
import type { Ports } from '../ports.ts';

const SUITE = fileURLToPath(new URL('../../../golden/', import.meta.url));
const MINUTES = 60;
const PER_MINUTE = 20;

const FAULTS: readonly { readonly minute: number; readonly fault: ServiceFault }[] = [
  { minute: 0, fault: 'none' },
  { minute: 15, fault: 'slow' },
  { minute: 30, fault: 'none' },
  { minute: 38, fault: 'inventing' },
  { minute: 50, fault: 'none' },
];

type RehearsalStep =
  | { readonly kind: 'fault'; readonly at: string; readonly fault: ServiceFault }
  | { readonly kind: 'fired' | 'resolved'; readonly at: string; readonly alert: Alert };

export type RehearseRequest = {
  readonly url: string;
  readonly rules: AlertSettings['rules'];
  readonly clock: RehearsalClock;
  readonly signal: AbortSignal;
  readonly onStep: (step: RehearsalStep) => void;
};

const REAL_MINUTE_MS = 60_000;
/** How long a slow response takes on the fast clock: longer than the line of the alert. */
const SLOW_MS = 5600;
const USUAL_MINUTE_MS = 1000;

/** A clock on which an hour passes in a minute, and which waits for late callers. */
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

  /** How much faster it runs than the clock whose minute takes a second. */
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
  /** Oldest first, with their events. */
  readonly alerts: readonly TrackedAlert[];
  readonly last: CheckedAlerts | undefined;
};

type AskedText = { readonly topic: string; readonly text: string };

type Decompose = (text: string, topic: string) => Promise<unknown>;

export async function rehearseProduction(request: RehearseRequest, ports: Ports): Promise<Rehearsal> {
  const { url, clock, signal } = request;
  const service = new DecompositionService(SLOW_MS / clock.haste);
  const texts = readGoldenSet(SUITE).cases.map(({ topic, sourceText: text }) => ({ topic, text }));
  // A service that has only just started is slow, which is not the fault to be shown.
  for (const { text } of texts) await service.decompose(text);
  const decompose = monitor<[string, string], Promise<unknown>>((text) => service.decompose(text), {
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
  }
}

class Play {
  readonly #request: RehearseRequest;
  readonly #service: DecompositionService;
  readonly #decompose: Monitored<Decompose>;
  readonly #texts: readonly AskedText[];
  readonly #ports: Ports;
  readonly #numbers = random(7);
  readonly #open = new Set<Promise<unknown>>();
  readonly #reported = new Set<string>();
  #requests = 0;
  #last: CheckedAlerts | undefined;

  constructor(
    request: RehearseRequest,
    service: DecompositionService,
    decompose: Monitored<Decompose>,
    texts: readonly AskedText[],
    ports: Ports,
  ) {
    this.#request = request;
    this.#service = service;
    this.#decompose = decompose;
    this.#texts = texts;
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
      await sleep(clock.minuteMs / PER_MINUTE);
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
    // The server checks as well; the first to check stores the alert.
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

  #isNew(step: string): boolean {
    const isNew = !this.#reported.has(step);
    this.#reported.add(step);
    return isNew;
  }

  #at(): string {
    return new Date(this.#request.clock.now()).toISOString();
  }
}

type ServiceFault = 'none' | 'slow' | 'inventing';

/** What no text of the suite speaks of. */
const INVENTED = ['Quantum Harmonisation', 'Lunar Tide Index', 'Recursive Moss Theory', 'Fifth Ledger'];

class DecompositionService {
  fault: ServiceFault = 'none';
  readonly #slowMs: number;
  readonly #extractor = localExtractor();
  /** By text: the same text has the same output. */
  readonly #outputs = new Map<string, Promise<ExtractionOutput>>();

  constructor(slowMs: number) {
    this.#slowMs = slowMs;
  }

  async decompose(text: string): Promise<ExtractionOutput> {
    const { fault } = this;
    const known =
      this.#outputs.get(text) ??
      this.#extractor.extract({ id: '', text, trial: 1 }, new AbortController().signal);
    this.#outputs.set(text, known);
    const output = await known;
    if (fault === 'slow') await sleep(this.#slowMs);
    return fault === 'inventing' ? withInvented(output) : output;
  }
}

function withInvented(output: ExtractionOutput): ExtractionOutput {
  const invented = INVENTED.map((label) => ({
    label,
    confidence: 0.55,
    sourceQuote: `The rise of ${label} is what explains all of this.`,
  }));
  return { ...output, concepts: [...output.concepts, ...invented] };
}
