import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { AssayError } from '../../../../errors.ts';
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
};

export type Cache = {
  readonly read: (key: CacheKey) => ExtractionOutput | undefined;
  readonly write: (key: CacheKey, output: ExtractionOutput) => void;
};

const entrySchema = z.object({ id: z.string(), output: z.unknown() });

/** One file per answer, written whole or not at all; a damaged file counts as absent. */
export function openCache(folder: string): Cache {
  return {
    read: (key) => {
      const id = idOf(key);
      try {
        const entry = entrySchema.parse(JSON.parse(readFileSync(placeOf(folder, id), 'utf8')));
        return entry.id === id ? parseOutput(entry.output, id) : undefined;
      } catch {
        return undefined;
      }
    },
    write: (key, output) => {
      const id = idOf(key);
      const place = placeOf(folder, id);
      const draft = `${place}.${randomUUID()}.tmp`;
      try {
        mkdirSync(dirname(place), { recursive: true });
        writeFileSync(draft, `${JSON.stringify({ id, key, output })}\n`);
        renameSync(draft, place);
      } catch (cause) {
        rmSync(draft, { force: true });
        const why = cause instanceof Error ? cause.message : String(cause);
        throw new AssayError('OUTPUT_FAILED', `the cache ${folder} cannot be written: ${why}`, {
          cause,
          remedy: 'Free space, name another folder with --cache, or go without one with --no-cache.',
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
  const { model, address, temperature, maxOutputTokens, promptHash, textHash, trial } = key;
  const how = [model, address ?? null, temperature ?? null, maxOutputTokens, SCHEMA_HASH];
  return hashText(JSON.stringify([...how, promptHash, textHash, trial]));
}

/** Folders by the first two digits, so that none grows without end. */
function placeOf(folder: string, id: string): string {
  return join(folder, id.slice(0, 2), `${id}.json`);
}
