import { createHash, randomUUID } from 'node:crypto';
import { chmodSync, lstatSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { AssayError } from '../../../../errors.ts';
import { isOwnFile, isOwnFolder, makeOwnFolder } from '../../../../own-folder.ts';
import { type ExtractionOutput, parseOutput } from '../../output.ts';
import { answerSchema } from './answer.ts';

/** What an answer depends on. The text and the prompt are told by their hashes; no key of a provider is among them. */
export type CacheKey = {
  readonly model: string;
  /** The server that was asked, where it is not the provider's own. */
  readonly address?: string;
  readonly temperature?: number;
  readonly maxOutputTokens: number;
  readonly promptHash: string;
  readonly textHash: string;
  readonly trial: number;
  /** Those that the model was allowed, where they are not the documented ones. */
  readonly predicates?: string;
};

export type Cache = {
  readonly read: (key: CacheKey) => ExtractionOutput | undefined;
  readonly write: (key: CacheKey, output: ExtractionOutput) => void;
};

/** An entry says what it is the answer to, and carries the sum of that answer. */
const entrySchema = z.object({ id: z.string(), key: z.unknown(), output: z.unknown(), sha256: z.string() });

/**
 * One file per answer, written whole or not at all; a file that is damaged, or the answer to something else, counts as
 * absent. Undefined where others could put answers.
 */
export function openCache(folder: string): Cache | undefined {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() && !isOwnFolder(folder)) return undefined;
  return {
    read: (key) => {
      const id = idOf(key);
      try {
        const place = placeOf(folder, id);
        if (!isOwnFolder(dirname(place)) || !isOwnFile(place)) return undefined;
        const entry = entrySchema.parse(JSON.parse(readFileSync(place, 'utf8')));
        const isOf = entry.id === id && JSON.stringify(entry.key) === JSON.stringify(ordered(key));
        if (!isOf || entry.sha256 !== hashText(JSON.stringify(entry.output))) return undefined;
        return parseOutput(entry.output, id);
      } catch {
        return undefined;
      }
    },
    write: (key, output) => {
      const id = idOf(key);
      const place = placeOf(folder, id);
      const draft = `${place}.${randomUUID()}.tmp`;
      try {
        makeOwnFolder(folder);
        // One that was made for a group is one's own again; a link, or somebody else's, fails here.
        if (!makeOwnFolder(dirname(place))) makePrivate(dirname(place));
        // Through JSON once, so that the sum is of what will be read.
        const sha256 = hashText(JSON.stringify(JSON.parse(JSON.stringify(output))));
        writeFileSync(draft, `${JSON.stringify({ id, key: ordered(key), output, sha256 })}\n`, {
          mode: 0o600,
        });
        renameSync(draft, place);
      } catch (cause) {
        rmSync(draft, { force: true });
        const why = cause instanceof Error ? cause.message : String(cause);
        throw new AssayError('OUTPUT_FAILED', `the cache ${folder} cannot be written: ${why}`, {
          cause,
          remedy: [
            { say: 'Free space' },
            { say: 'name another folder', options: { cache: true } },
            { say: 'go without a cache', options: { 'no-cache': true } },
          ],
        });
      }
    },
  };
}

export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** What the model is held to decides its answer too. */
const SCHEMA_HASH = hashText(JSON.stringify(z.toJSONSchema(answerSchema)));

function idOf(key: CacheKey): string {
  return hashText(JSON.stringify(ordered(key)));
}

function ordered(key: CacheKey) {
  const { model, address, temperature, maxOutputTokens, promptHash, textHash, trial, predicates } = key;
  const how = { address: address ?? null, temperature: temperature ?? null, maxOutputTokens };
  return {
    model,
    ...how,
    schemaHash: SCHEMA_HASH,
    promptHash,
    textHash,
    trial,
    ...(predicates !== undefined && { predicates }),
  };
}

function makePrivate(path: string): void {
  if (!lstatSync(path).isDirectory()) throw new Error(`${path} is a link or a file`);
  chmodSync(path, 0o700);
}

/** Folders by the first two digits, so that none grows without end. */
function placeOf(folder: string, id: string): string {
  return join(folder, id.slice(0, 2), `${id}.json`);
}
