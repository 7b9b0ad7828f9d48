/**
 * An hour of a service in production in a minute: requests that are answered, watched and recorded for real, a service that
 * becomes slow and then invents concepts, and the look at the alert rules that a server makes every minute.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { localExtractor } from '../../../decomposition/ingest/extractors/local/local.ts';
import { readGoldenSet } from '../../../decomposition/ingest/golden-case.ts';
import type { ExtractionOutput } from '../../../decomposition/ingest/output.ts';
import { type Monitored, monitor } from '../../../monitor/monitor.ts';
import { random } from '../../../stats/random.ts';
import type { Alert, TrackedAlert } from '../../../store/store.ts';
import type { AlertSettings } from '../../alerts/alert-targets.ts';
import { type CheckedAlerts, checkAlerts } from '../../alerts/check-alerts.ts';
import type { Ports } from '../../ports.ts';

const SUITE = fileURLToPath(new URL('../../../../golden/', import.meta.url));
const MINUTES = 60;
const PER_MINUTE = 20;

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

export type ServiceFault = 'none' | 'slow' | 'inventing';

const LONGEST_BODY = 100_000;

/** What no text of the suite speaks of. */
const INVENTED = ['Quantum Harmonisation', 'Lunar Tide Index', 'Recursive Moss Theory', 'Fifth Ledger'];

class DecompositionService {
  fault: ServiceFault = 'none';
  /** So long an answer takes when it is slow. */
  readonly #slowMs: number;
  readonly #server: Server;
  readonly #extractor = localExtractor();
  /** By text: the same text has the same output. */
  readonly #known = new Map<string, Promise<ExtractionOutput>>();

  constructor(slowMs: number) {
    this.#slowMs = slowMs;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.writeHead(500).end());
    });
  }

  /** Texts that it knows already are answered at once. */
  async learn(texts: readonly string[]): Promise<void> {
    for (const text of texts) await this.#outputOf(text);
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await bodyOf(request);
    if (text === undefined) return void response.writeHead(413).end();
    const output = await this.#outputOf(text);
    if (this.fault === 'slow') await new Promise((resolve) => setTimeout(resolve, this.#slowMs));
    const given = this.fault === 'inventing' ? withInvented(output) : output;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(given));
  }

  #outputOf(text: string): Promise<ExtractionOutput> {
    const known =
      this.#known.get(text) ??
      this.#extractor.extract({ id: '', text, trial: 1 }, new AbortController().signal);
    this.#known.set(text, known);
    return known;
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

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > LONGEST_BODY) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
