/**
 * Where records wait for one server. Services with another address or token have another folder, so that nothing is ever
 * sent to a server, or with a token, that it was not meant for.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isOwnFolder, makeOwnFolder } from '../own-folder.ts';

export type Destination = { readonly url: string; readonly token?: string | undefined };

/** Only the origin of `url` counts. */
export function recordsAddress(url: string): URL {
  return new URL('/api/v1/decompositions', url);
}

export class SpillFolder {
  readonly path: string;
  readonly #parent: string;

  /** Names are hashes: who may list the folders of others learns neither address nor token. */
  constructor(parent: string, { url, token = '' }: Destination) {
    // An address that is none never takes a record; its folder only has to be a different one.
    const address = URL.canParse('/', url) ? recordsAddress(url).href : url;
    this.#parent = parent;
    this.path = join(parent, `${hashOf(address).slice(0, 16)}-${hashOf(address, token).slice(0, 32)}`);
  }

  /** Makes it where it is not there. Each time: whoever may write there reads texts, and sends what they like. */
  make(): boolean {
    return makeOwnFolder(this.#parent) && makeOwnFolder(this.path);
  }

  /** Whether records may be read from it. */
  get isOwn(): boolean {
    return isOwnFolder(this.#parent) && isOwnFolder(this.path);
  }

  /** The folder that somebody else made, or may write to; undefined when there is none. */
  get unsafe(): string | undefined {
    return [this.#parent, this.path].find((path) => existsSync(path) && !isOwnFolder(path));
  }

  /** Folders for the same address and other tokens. */
  get ofOtherTokens(): readonly string[] {
    if (!isOwnFolder(this.#parent)) return [];
    const own = basename(this.path);
    const address = own.slice(0, own.indexOf('-') + 1);
    return readdirSync(this.#parent)
      .filter((name) => name.startsWith(address) && name !== own)
      .map((name) => join(this.#parent, name))
      .filter(isOwnFolder);
  }
}

function hashOf(...parts: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify(['assay monitor', ...parts]))
    .digest('hex');
}
