import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { CaseEvidence } from './evidence.ts';
import { SpilledBlocks } from './spilled-blocks.ts';

/** Case id → its evidence. */
export type EvidenceOfCases = Pick<ReadonlyMap<string, CaseEvidence>, 'get' | typeof Symbol.iterator>;

/** Characters that are packed together: cases of one suite say much the same, and are read one after the other. */
const BLOCK = 1 << 19;

/** The evidence of thousands of cases with all its words, in a file that nobody else sees. */
export class PackedEvidence implements EvidenceOfCases {
  readonly #blocks = new SpilledBlocks();
  readonly #blockOf = new Map<string, number>();
  #open: string[] = [];
  #openLength = 0;
  #unpacked: { readonly block: number; readonly cases: ReadonlyMap<string, CaseEvidence> } | undefined;

  add(evidence: CaseEvidence): void {
    const text = JSON.stringify(evidence);
    this.#blockOf.set(evidence.caseId, this.#blocks.length);
    this.#open.push(text);
    this.#openLength += text.length;
    if (this.#openLength >= BLOCK) this.#pack();
  }

  get(id: string): CaseEvidence | undefined {
    const block = this.#blockOf.get(id);
    return block === undefined ? undefined : this.#casesOf(block).get(id);
  }

  *[Symbol.iterator](): MapIterator<[string, CaseEvidence]> {
    for (const id of this.#blockOf.keys()) yield [id, this.get(id) as CaseEvidence];
  }

  #pack(): void {
    this.#blocks.add(zstdCompressSync(`[${this.#open.join()}]`));
    this.#open = [];
    this.#openLength = 0;
    this.#unpacked = undefined;
  }

  #casesOf(block: number): ReadonlyMap<string, CaseEvidence> {
    if (block === this.#blocks.length) this.#pack();
    if (this.#unpacked?.block !== block) {
      const packed = zstdDecompressSync(this.#blocks.read(block));
      const cases: readonly CaseEvidence[] = JSON.parse(packed.toString());
      this.#unpacked = { block, cases: new Map(cases.map((one) => [one.caseId, one])) };
    }
    return this.#unpacked.cases;
  }
}
