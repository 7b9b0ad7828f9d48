import { join } from 'node:path';
import { draftCase, type GoldenDraft } from '../../decomposition/golden/draft-case.ts';
import { GOLDEN_RULES, type GoldenRules } from '../../decomposition/golden-rules.ts';
import { openExtractor } from '../../decomposition/ingest/extractors/open.ts';
import { AssayError } from '../../errors.ts';
import { readText } from '../../files.ts';
import { didYouMean } from '../../suggest.ts';
import type { Ports } from '../ports.ts';
import { schemaAddress } from '../schema-address.ts';
import { writeNewFile } from '../write-new-file.ts';

export type DraftGoldenCaseRequest = {
  /** The name of the case: lower-case words joined by hyphens. */
  readonly id: string;
  readonly text: string;
  readonly golden: string;
  readonly topic?: string;
  readonly domain?: string;
  readonly rules?: GoldenRules;
  /** URL or path of the golden case schema for editors; default: that of the project. */
  readonly schema?: string;
};

/** Low, because deleting a wrong proposal is easier than finding a missing one. */
const WORTH_PROPOSING = 0.02;

/** More than anybody corrects by hand. */
const LONGEST_TEXT = 1024 * 1024;

export async function draftGoldenCase(request: DraftGoldenCaseRequest, ports: Ports): Promise<GoldenDraft> {
  const { id, golden: folder, rules = GOLDEN_RULES } = request;
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))
    throw new AssayError('USAGE', `"${id}" is no name of a case: lower-case words joined by hyphens are`);
  const { domain = rules.domains[0] ?? 'technical' } = request;
  if (!rules.domains.includes(domain))
    throw new AssayError('USAGE', `"${domain}" is no domain${didYouMean(domain, rules.domains)}`, {
      remedy: `It is one of ${rules.domains.join(', ')}; decomposition.golden.domains sets others.`,
    });
  const text = readText(request.text, LONGEST_TEXT);
  const extractor = await openExtractor({ kind: 'local', sureEnough: WORTH_PROPOSING });
  const task = { id, text, trial: 1 };
  const output = await extractor.extract(task, ports.signal);
  if (output.concepts.length === 0)
    throw new AssayError(
      'INPUT_INVALID',
      `${request.text}: no concept was found: ${extractor.explainNothing?.(task) ?? ''}`,
    );
  const facts = {
    id,
    topic: request.topic ?? topicOf(id),
    domain,
    created: ports.now().toISOString().slice(0, 10),
  };
  const { golden, findings } = draftCase(text, output, facts, rules);
  const path = join(folder, `${id}.gold.json`);
  const $schema = request.schema ?? schemaAddress(path, 'golden-case');
  writeNewFile(path, `${JSON.stringify({ $schema, ...golden }, null, 2)}\n`);
  return { path, folder, golden, findings, domainGiven: request.domain !== undefined };
}

function topicOf(id: string): string {
  const words = id.replaceAll('-', ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
