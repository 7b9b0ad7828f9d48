/** A small service that decomposes texts: the local extractor behind HTTP. It can be made to fail the ways services fail. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { localExtractor } from '../../../decomposition/ingest/extractors/local/local.ts';
import type { ExtractionOutput } from '../../../decomposition/ingest/output.ts';

export type ServiceFault = 'none' | 'slow' | 'inventing';

const LONGEST_BODY = 100_000;

/** What no text of the suite speaks of. */
const INVENTED = ['Quantum Harmonisation', 'Lunar Tide Index', 'Recursive Moss Theory', 'Fifth Ledger'];

export class DecompositionService {
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
