/** Blocks of bytes in a file that nobody else sees, so that what is held does not grow with how many there are. */
import { closeSync, readSync, writeSync } from 'node:fs';
import { openNamelessFile } from '../nameless-file.ts';

type Place = { readonly at: number; readonly length: number };

const closing = new FinalizationRegistry<number>((handle) => closeSync(handle));

export class SpilledBlocks {
  readonly #places: (Place | Uint8Array)[] = [];
  #handle: number | undefined;
  #end = 0;

  get length(): number {
    return this.#places.length;
  }

  add(block: Uint8Array): void {
    const place = this.#write(block);
    // What is given is the beginning of something larger, which would be held too.
    this.#places.push(place ?? new Uint8Array(block));
  }

  read(index: number): Uint8Array {
    const place = this.#places[index];
    if (place === undefined) throw new RangeError(`there is no block ${index}`);
    if (place instanceof Uint8Array) return place;
    const block = new Uint8Array(place.length);
    for (let done = 0; done < place.length; ) {
      const read = readSync(this.#handle as number, block, done, place.length - done, place.at + done);
      if (read === 0) throw new Error('a temporary file was cut short while it was in use');
      done += read;
    }
    return block;
  }

  /** Nothing where the disk takes none of it: then it stays in memory. */
  #write(block: Uint8Array): Place | undefined {
    try {
      this.#handle ??= this.#open();
      for (let done = 0; done < block.length; )
        done += writeSync(this.#handle, block, done, block.length - done, this.#end + done);
    } catch {
      return undefined;
    }
    const place = { at: this.#end, length: block.length };
    this.#end += block.length;
    return place;
  }

  #open(): number {
    const handle = openNamelessFile();
    closing.register(this, handle);
    return handle;
  }
}
