/** A file that is one JSON document, or binary → a transcript, element by element. */
import { nameOfFile } from '../files/name-by-file.ts';
import type { BinaryDocuments, LoadedFormat } from '../formats/format.ts';
import { detectFormat } from '../formats/load-formats.ts';
import { hasTooManyParts } from '../json/scan-json.ts';
import { countLine, countSkip, emptyTally, type TallyState } from './tally.ts';
import { type LeaveOut, type Listen, Transcript } from './transcript.ts';

/** About 400 MB when parsed. */
const MAX_DOCUMENT_PARTS = 4_000_000;
/** Attempts to read a binary file. */
const MAX_TRIES = 20;

export type DocumentRead = { readonly transcript: Transcript | undefined; readonly tally: TallyState };

export type DocumentOptions = {
  readonly path: string;
  readonly formats: readonly LoadedFormat[];
  readonly leaveOut?: LeaveOut | undefined;
  readonly listen?: Listen | undefined;
};

/** Undefined when the bytes are no document. */
export function readDocument(bytes: Buffer, options: DocumentOptions): DocumentRead | undefined {
  if (hasTooManyParts(bytes, MAX_DOCUMENT_PARTS)) return documentTooLarge();
  const document = parse(bytes);
  if (typeof document !== 'object' || document === null) return undefined;
  const taker = new ElementTaker(options);
  taker.take(document);
  return taker.end(false);
}

export function documentTooLarge(): DocumentRead {
  const tally = emptyTally();
  countSkip(tally, 'document too large', 1);
  return { transcript: undefined, tally };
}

export function readBinary(bytes: Buffer, binary: BinaryDocuments, options: DocumentOptions): DocumentRead {
  const taker = new ElementTaker(options);
  const isWhole = binary.read(bytes, (document) => {
    if (document === undefined) taker.skip();
    else taker.take(document);
  });
  return taker.end(!isWhole);
}

class ElementTaker {
  readonly #options: DocumentOptions;
  readonly #tally = emptyTally();
  #transcript: Transcript | undefined;
  #index = 0;
  #tries = 0;

  constructor(options: DocumentOptions) {
    this.#options = options;
  }

  take(document: unknown): void {
    this.#transcript ??= this.#detect(document);
    if (this.#transcript === undefined) return;
    const { format } = this.#transcript;
    try {
      // One at a time: they may be in separate files.
      for (const element of format.elements?.(document, { path: this.#options.path }) ?? [document]) {
        this.#index += 1;
        countLine(this.#tally, this.#index);
        this.#transcript.tryTake(element, this.#index);
      }
    } catch {
      countSkip(this.#tally, 'not understood', this.#index + 1);
    }
  }

  skip(): void {
    this.#index += 1;
    countLine(this.#tally, this.#index);
    countSkip(this.#tally, 'not understood', this.#index);
  }

  end(isCutOff: boolean): DocumentRead {
    if (isCutOff) countSkip(this.#tally, 'cut off at the end', Math.max(1, this.#index));
    if (this.#transcript === undefined) countSkip(this.#tally, 'not a transcript', 1);
    return { transcript: this.#transcript, tally: this.#tally };
  }

  #detect(document: unknown): Transcript | undefined {
    if (this.#tries >= MAX_TRIES) return undefined;
    this.#tries += 1;
    const { path, formats, leaveOut, listen } = this.#options;
    const sample = { records: [document], path };
    const format =
      detectFormat({ ...sample, document: true }, formats) ??
      detectFormat({ ...sample, document: false }, formats);
    if (format === undefined) return undefined;
    return new Transcript({ format, path, tally: this.#tally, leaveOut, name: nameOfFile(path), listen });
  }
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
