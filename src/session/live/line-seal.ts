/**
 * Seals what was said before it leaves the machine: AES-256-GCM under a key that all servers have and the store has not. A
 * sealed text opens only under the name that it was sealed for.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { AssayError } from '../../errors.ts';

const LEAST_CHARS = 32;
const NAME_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** More than any request may have. */
const MOST_BYTES = 64 * 1024 * 1024;

type Key = { readonly name: Buffer; readonly cipher: Buffer; readonly hash: Buffer };

export class LineSeal {
  readonly #own: Key;
  readonly #keys: readonly Key[];

  /** Several with commas: the first seals, all open. So a key can be changed on one server after the other. */
  constructor(secrets: string, variable: string) {
    const keys = secrets.split(',').map((secret) => keyOf(secret.trim(), variable));
    this.#keys = keys;
    this.#own = keys[0] as Key;
  }

  seal(bytes: Buffer, about: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#own.cipher, nonce);
    cipher.setAAD(Buffer.from(about));
    const sealed = Buffer.concat([cipher.update(deflateRawSync(bytes, { level: 1 })), cipher.final()]);
    return Buffer.concat([this.#own.name, nonce, cipher.getAuthTag(), sealed]).toString('base64');
  }

  /** Undefined: it was sealed under another key, for another name, or is damaged. */
  open(text: string, about: string): Buffer | undefined {
    const bytes = Buffer.from(text, 'base64');
    const name = bytes.subarray(0, NAME_BYTES);
    const key = this.#keys.find((one) => one.name.equals(name));
    if (key === undefined || bytes.length < NAME_BYTES + NONCE_BYTES + TAG_BYTES) return undefined;
    const tagAt = NAME_BYTES + NONCE_BYTES;
    try {
      const opened = createDecipheriv('aes-256-gcm', key.cipher, bytes.subarray(NAME_BYTES, tagAt));
      opened.setAAD(Buffer.from(about));
      opened.setAuthTag(bytes.subarray(tagAt, tagAt + TAG_BYTES));
      const packed = Buffer.concat([opened.update(bytes.subarray(tagAt + TAG_BYTES)), opened.final()]);
      return inflateRawSync(packed, { maxOutputLength: MOST_BYTES });
    } catch {
      return undefined;
    }
  }

  /** Says whether two texts are the same, and to nobody else what they may be. */
  hashOf(bytes: Buffer | string): string {
    return createHmac('sha256', this.#own.hash).update(bytes).digest('hex').slice(0, 40);
  }
}

function keyOf(secret: string, variable: string): Key {
  if (secret.length < LEAST_CHARS)
    throw new AssayError('CONFIG_INVALID', `the key in ${variable} has less than ${LEAST_CHARS} characters`, {
      remedy: `Give all servers the same random text of at least ${LEAST_CHARS} characters.`,
    });
  const derive = (what: string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, 'assay', `sent ${what}`, length));
  return { name: derive('name', NAME_BYTES), cipher: derive('cipher', 32), hash: derive('hash', 32) };
}
