import { createHash, randomUUID } from 'node:crypto';
import { chmodSync, lstatSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { AssayError } from '../../../errors.ts';
import { answerJson, unusableAnswer } from '../../../model/answer-json.ts';
import {
  BYTES_PER_TOKEN,
  type ClientOptions,
  type ModelCounts,
  openModelClient,
} from '../../../model/client.ts';
import { isOwnFile, isOwnFolder, makeOwnFolder } from '../../../own-folder.ts';
import { PREDICATES } from '../../golden-rules.ts';
import { chainHash, chainName, type Prompt } from '../../prompts/prompt-folder.ts';
import type { AskedField, ExtractionTask, Extractor } from '../extractor.ts';
import { type ExtractionOutput, parseOutput } from '../output.ts';

export type LlmOptions = ClientOptions & {
  /** One prompt, or two: the first extracts concepts, the second their relationships. */
  readonly prompts: readonly Prompt[];
  readonly predicates?: readonly string[];
  readonly cacheFolder?: string;
};

export type LlmCounts = ModelCounts & { readonly fromCache: number };

export type LlmExtractor = Extractor & { readonly counts: () => LlmCounts };

export async function llmExtractor(options: LlmOptions): Promise<LlmExtractor> {
  const { prompts, temperature, cacheFolder, predicates = PREDICATES } = options;
  const made = { promptVersion: chainName(prompts), promptSha256: chainHash(prompts) };
  const own = predicates.join() === PREDICATES.join() ? {} : { predicates: JSON.stringify(predicates) };
  const client = await openModelClient(options);
  const { spec, address } = client.model;
  const cache = cacheFolder === undefined ? undefined : openCache(cacheFolder);
  const notes = cache === undefined && cacheFolder !== undefined ? [sayShared(cacheFolder)] : [];
  let fromCache = 0;
  const keyOf = (prompt: Prompt, { text, trial, fields = [] }: ExtractionTask): CacheKey => ({
    model: spec,
    address,
    temperature,
    maxOutputTokens: client.maxOutputTokens,
    promptHash: prompt.hash,
    textHash: hashText(text),
    trial,
    ...own,
    ...(fields.length > 0 && { fields: JSON.stringify(fields) }),
  });
  const step = async (
    prompt: Prompt,
    task: ExtractionTask,
    signal: AbortSignal,
  ): Promise<ExtractionOutput> => {
    const asked = task.fields ?? [];
    const form = { name: 'decomposition', schema: answerSchemaWith(predicates, asked.length > 0) };
    const key = keyOf(prompt, task);
    const known = cache?.read(key);
    if (known !== undefined) {
      fromCache += 1;
      // The same text under another prompt name gives the same answer.
      return known;
    }
    const { output: read, ...took } = await client.ask(
      {
        instructions: asked.length === 0 ? prompt.text : `${prompt.text}\n\n${sayFields(asked)}`,
        text: task.text,
        form,
        read: (text, finishReason) => readAnswer(text, finishReason, spec),
      },
      signal,
    );
    const output = {
      ...read,
      ...took,
      model: spec,
      promptVersion: prompt.name,
      promptSha256: prompt.hash,
    };
    cache?.write(key, output);
    return output;
  };
  return {
    name: `llm ${spec} ${made.promptVersion}${temperature === undefined ? '' : ` temperature ${temperature}`}`,
    extract: async (task, signal) => {
      let output: ExtractionOutput | undefined;
      for (const prompt of prompts) {
        const { fields: _, ...rest } = task;
        // Fields are requested once, with the unchanged text.
        const asked = output === undefined ? task : { ...rest, text: textWithConcepts(task.text, output) };
        const next = await step(prompt, asked, signal);
        output = output === undefined ? next : joined(output, next);
      }
      if (output === undefined) throw new AssayError('USAGE', 'a model needs a prompt');
      return { ...output, ...made };
    },
    forecast: (tasks) => {
      const [first] = prompts;
      // The input of the second step is unknown until the first one has answered.
      const open = tasks.filter((task) => first !== undefined && !cache?.read(keyOf(first, task)));
      const usual = open.flatMap(({ text }) =>
        prompts.map(({ text: instructions }) =>
          client.usualUsd({ instructions, text }, (Buffer.byteLength(text) / BYTES_PER_TOKEN) * USUAL_ANSWER),
        ),
      );
      return sayForecast(usual, options.maxCostUsd);
    },
    counts: () => {
      const counts = client.counts();
      return { ...counts, fromCache, warnings: [...notes, ...counts.warnings] };
    },
  };
}

/** The input of a second prompt: the text and the concepts of the first one. */
function textWithConcepts(text: string, { concepts }: ExtractionOutput): string {
  const labels = concepts.filter(({ flaw }) => flaw === undefined).map(({ label }) => label);
  return JSON.stringify({ text, concepts: labels }, null, 1);
}

/** Combines the concepts of the first step with the relationships of the second. */
function joined(
  first: ExtractionOutput,
  { relationships, latencyMs, costUsd }: ExtractionOutput,
): ExtractionOutput {
  const sum = (one: number | undefined, other: number | undefined) =>
    one === undefined || other === undefined ? undefined : one + other;
  const { latencyMs: tookFirst, costUsd: costFirst, ...rest } = first;
  return {
    ...rest,
    relationships,
    latencyMs: sum(tookFirst, latencyMs),
    costUsd: sum(costFirst, costUsd),
  };
}

/** Typical size of an answer with quotes, as a multiple of the text's tokens. */
const USUAL_ANSWER = 5;

function sayForecast(usual: readonly (number | undefined)[], maxCostUsd = Number.POSITIVE_INFINITY): string {
  const calls = `${usual.length} ${usual.length === 1 ? 'call' : 'calls'}`;
  if (usual.includes(undefined)) return `${calls} at an unknown price`;
  const usd = usual.reduce((sum: number, one) => sum + (one ?? 0), 0);
  const about = `about $${Number(usd.toPrecision(2))}`;
  if (usd <= maxCostUsd) return `${calls}, ${about}`;
  throw new AssayError(
    'COST_CEILING',
    `${calls} would cost ${about}, and the ceiling is $${maxCostUsd}; none was made`,
  );
}

function sayShared(folder: string): string {
  return `the cache ${folder} is not used: it belongs to another user, is a link, or is writable by others`;
}

const answerField = z.object({
  name: z.string().describe('The name of a field that was asked for'),
  value: z
    .union([z.string(), z.array(z.string())])
    .describe('As the text writes it; a list where one was asked for'),
  sourceQuote: z.string().describe('A passage copied word for word from the text'),
});

/**
 * The response schema for the model. Every field is required and nothing is bounded, because all providers enforce that
 * subset of JSON Schema. Bounds are checked when the answer is read.
 */
const answerSchemaWith = (predicates: readonly string[] = PREDICATES, withFields = false) =>
  z.object({
    ...(withFields && { fields: z.array(answerField) }),
    concepts: z.array(
      z.object({
        label: z.string().describe('The name of the concept as the text writes it'),
        aliases: z.array(z.string()).describe('Other names that the text itself uses for it'),
        sourceQuote: z.string().describe('A passage copied word for word from the text'),
        confidence: z.number().describe('From 0 to 1'),
      }),
    ),
    relationships: z.array(
      z.object({
        source: z.string().describe('The label of a concept of this answer'),
        target: z.string().describe('The label of another concept of this answer'),
        predicate: z.enum(predicates),
        sourceQuote: z.string().describe('The passage that states it, copied word for word from the text'),
        confidence: z.number().describe('From 0 to 1'),
      }),
    ),
  });

export const answerSchema = answerSchemaWith();

function sayFields(fields: readonly AskedField[]): string {
  const each = fields.map(
    ({ name, type, values }) =>
      `- ${name}: ${type}${values === undefined ? '' : `, one of ${values.join(', ')}`}`,
  );
  return `Also give these fields of the text in \`fields\`. Leave out what the text does not say.\n\n${each.join('\n')}`;
}

/**
 * Reads an answer without repairing it, except for removing its wrapping. A malformed concept or relationship is stored
 * as a wrong one.
 */
export function readAnswer(
  text: string,
  finishReason: string,
  from: string,
): Pick<ExtractionOutput, 'concepts' | 'relationships' | 'fields'> {
  const value = answerJson(text, finishReason, from);
  try {
    const { concepts, relationships, fields } = parseOutput(value, from);
    return { concepts, relationships, ...(fields && { fields }) };
  } catch (cause) {
    throw cause instanceof AssayError ? unusableAnswer(cause.message, cause) : cause;
  }
}

/** Everything that determines an answer. Text and prompt are hashed; provider keys are not included. */
export type CacheKey = {
  readonly model: string;
  readonly address?: string;
  readonly temperature?: number;
  readonly maxOutputTokens: number;
  readonly promptHash: string;
  readonly textHash: string;
  readonly trial: number;
  readonly predicates?: string;
  readonly fields?: string;
};

export type Cache = {
  readonly read: (key: CacheKey) => ExtractionOutput | undefined;
  readonly write: (key: CacheKey, output: ExtractionOutput) => void;
};

/** An entry contains its key and a checksum of the answer. */
const entrySchema = z.object({ id: z.string(), key: z.unknown(), output: z.unknown(), sha256: z.string() });

/**
 * One file per answer, written atomically. A damaged file, or one with another key, counts as absent. Undefined if
 * others could write answers to the folder.
 */
function openCache(folder: string): Cache | undefined {
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
        // Makes a group-readable folder private again; fails for links and folders of others.
        if (!makeOwnFolder(dirname(place))) makePrivate(dirname(place));
        // Round-trip through JSON, so that the checksum matches what will be read.
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
            { say: 'disable the cache', options: { 'no-cache': true } },
          ],
        });
      }
    },
  };
}

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The enforced schema also determines the answer. */
const SCHEMA_HASH = hashText(JSON.stringify(z.toJSONSchema(answerSchema)));

function idOf(key: CacheKey): string {
  return hashText(JSON.stringify(ordered(key)));
}

function ordered(key: CacheKey) {
  const { model, address, temperature, maxOutputTokens, promptHash, textHash, trial, predicates, fields } =
    key;
  const how = { address: address ?? null, temperature: temperature ?? null, maxOutputTokens };
  return {
    model,
    ...how,
    schemaHash: SCHEMA_HASH,
    promptHash,
    textHash,
    trial,
    ...(predicates !== undefined && { predicates }),
    ...(fields !== undefined && { fields }),
  };
}

function makePrivate(path: string): void {
  if (!lstatSync(path).isDirectory()) throw new Error(`${path} is a link or a file`);
  chmodSync(path, 0o700);
}

/** Subfolders by the first two digits limit the size of each folder. */
function placeOf(folder: string, id: string): string {
  return join(folder, id.slice(0, 2), `${id}.json`);
}
