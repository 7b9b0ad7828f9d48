import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { draftCase, draftCaseName } from '../../decomposition/golden/draft-case.ts';
import { type ImportItem, readImport } from '../../decomposition/golden/import-items.ts';
import { readForLint } from '../../decomposition/golden/lint-suite.ts';
import { findSameTexts } from '../../decomposition/golden/same-texts.ts';
import { GOLDEN_RULES, type GoldenRules } from '../../decomposition/golden-rules.ts';
import type { ExtractionOutput } from '../../decomposition/ingest/output.ts';
import type { OutputMap } from '../../decomposition/ingest/outputs/output-map.ts';
import { tryReadOutput } from '../../decomposition/ingest/outputs/read-foreign.ts';
import { AssayError } from '../../errors.ts';
import type { Ports } from '../ports.ts';
import { schemaAddress } from '../schema-address.ts';
import { writeNewFile } from '../write-new-file.ts';
import { type ExtractorRequest, openExtraction } from './extraction.ts';

export type ImportGoldenRequest = {
  /** A file, or production requests with stored texts. */
  readonly from: { readonly path: string } | { readonly production: { readonly since?: string } };
  readonly golden: string;
  /** Maximum number of drafted cases. */
  readonly limit: number;
  readonly domain?: string;
  readonly rules?: GoldenRules;
  readonly map?: OutputMap;
  readonly extraction: ExtractorRequest;
};

export type GoldenImport = {
  readonly folder: string;
  readonly drafted: readonly {
    readonly id: string;
    readonly path: string;
    readonly where: string;
    readonly findings: number;
  }[];
  readonly skipped: readonly { readonly where: string; readonly why: string }[];
  /** Number of texts beyond the limit. */
  readonly left: number;
};

export async function importGolden(request: ImportGoldenRequest, ports: Ports): Promise<GoldenImport> {
  const { golden: folder, rules = GOLDEN_RULES, map = {}, limit } = request;
  const domain = request.domain ?? rules.domains[0] ?? 'technical';
  if (!rules.domains.includes(domain)) throw new AssayError('USAGE', `"${domain}" is no domain`);
  const items =
    'path' in request.from
      ? readImport(request.from.path, map)
      : await productionItems(request.from.production, ports);
  const known = existsSync(folder) ? readForLint(folder, rules).cases.map(({ golden }) => golden) : [];
  const texts = known.map(({ sourceText }) => sourceText);
  const ids = new Set(known.map(({ id }) => id));
  const { extractor } = await openExtraction(request.extraction);
  const drafted: GoldenImport['drafted'][number][] = [];
  const skipped: GoldenImport['skipped'][number][] = [];
  let read = 0;
  for (const item of items) {
    if (drafted.length === limit) break;
    read += 1;
    const skip = (why: string) => skipped.push({ where: item.where, why });
    const { text, where } = item;
    if (text === undefined) {
      skip('it has no text');
      continue;
    }
    if (findSameTexts([...texts, text]).some(({ second }) => second === texts.length)) {
      skip('its text is a golden case already');
      continue;
    }
    const id = freeName(draftCaseName(item.name ?? item.topic ?? 'case'), ids, folder);
    try {
      const output = await extractor.extract({ id, text, trial: 1 }, ports.signal);
      const both = withAnswer(output, item, map);
      if (both.concepts.length === 0) {
        skip('no concept was found');
        continue;
      }
      const facts = {
        id,
        topic: item.topic ?? item.name ?? both.concepts[0]?.label ?? id,
        domain: item.domain !== undefined && rules.domains.includes(item.domain) ? item.domain : domain,
        created: ports.now().toISOString().slice(0, 10),
      };
      const { golden, findings } = draftCase(text, both, facts, rules);
      const path = join(folder, `${id}.gold.json`);
      const $schema = schemaAddress(path, 'golden-case');
      writeNewFile(path, `${JSON.stringify({ $schema, ...golden }, null, 2)}\n`);
      ids.add(id);
      texts.push(text);
      drafted.push({ id, path, where, findings: findings.length });
    } catch (error) {
      // A text that cannot be extracted must not stop the others, but an unwritable folder does.
      if (!(error instanceof AssayError) || error.code === 'OUTPUT_FAILED' || error.code === 'COST_CEILING')
        throw error;
      skip(error.message);
    }
  }
  return { folder, drafted, skipped, left: items.length - read };
}

/** Prefers the known answer: an expected one, or that of a service. */
function withAnswer(output: ExtractionOutput, { answer }: ImportItem, map: OutputMap): ExtractionOutput {
  if (answer === undefined) return output;
  const said = tryReadOutput(answer, map);
  if (said instanceof AssayError) return output;
  return {
    ...output,
    concepts: [...said.concepts.map((one) => ({ ...one, confidence: 1 })), ...output.concepts],
    relationships: [...said.relationships.map((one) => ({ ...one, confidence: 1 })), ...output.relationships],
  };
}

function freeName(name: string, taken: ReadonlySet<string>, folder: string): string {
  const isTaken = (id: string) => taken.has(id) || existsSync(join(folder, `${id}.gold.json`));
  for (let n = 1; ; n++) {
    const id = n === 1 ? name : `${name}-${n}`;
    if (!isTaken(id)) return id;
  }
}

/** Maximum number of recent requests to search. */
const MOST_REQUESTS = 10_000;

async function productionItems(
  { since }: { readonly since?: string },
  ports: Ports,
): Promise<readonly ImportItem[]> {
  const store = await ports.store();
  const records = await store.readDecompositions({ since, limit: MOST_REQUESTS });
  const items: ImportItem[] = [];
  for (const { id, topic, at } of records) {
    const stored = await store.readDecompositionText(id);
    if (stored === undefined) continue;
    items.push({
      where: `request ${id} of ${at.slice(0, 10)}`,
      name: topic,
      topic,
      text: stored.text,
      answer: stored.output,
    });
  }
  if (items.length === 0)
    throw new AssayError('INPUT_INVALID', 'no request of production has a stored text', {
      remedy: 'Store the texts of sampled requests: monitor({ keepText: true }).',
    });
  return items;
}
