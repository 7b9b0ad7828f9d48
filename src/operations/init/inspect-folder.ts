import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIG_FILES, nearestFile } from '../../config-files.ts';

/** What a folder is used for, judging by its files. */
export type ProjectFolder = {
  readonly config?: string;
  readonly packageJson: boolean;
  readonly golden: number;
  readonly prompts: boolean;
  readonly promptfoo?: string;
  /** Ground truths in `truth/`. */
  readonly truths: readonly string[];
  /** What a review found, which may become the first ground truth. */
  readonly review?: string;
  /** A text that may become the first golden case. */
  readonly text?: string;
  readonly gitlab: boolean;
  readonly github: boolean;
};

const PROMPTFOO = /^promptfooconfig\.(ya?ml|json|[cm]?[jt]s)$/;

const REVIEW = /^(.*review.*\.(md|markdown|jsonl?|ya?ml)|.*\.(sarif|rdjsonl?))$/i;

const TRUTH = /\.(ya?ml|json|md)$/i;

const TEXT = /^(?!requirements|robots|license|licence|copying|cmakelists).*\.txt$/i;

/** Only names are looked at, of this folder and of those that have one of our own names. */
export function inspectFolder(folder: string): ProjectFolder {
  const names = namesIn(folder);
  const config = nearestFile(folder, CONFIG_FILES);
  const promptfoo = names.find((name) => PROMPTFOO.test(name));
  const text = names.find((name) => TEXT.test(name));
  const review = names.find((name) => REVIEW.test(name));
  return {
    review,
    text,
    config,
    promptfoo,
    packageJson: names.includes('package.json'),
    golden: namesIn(join(folder, 'golden')).filter((name) => name.endsWith('.gold.json')).length,
    prompts: existsSync(join(folder, 'prompts')),
    truths: namesIn(join(folder, 'truth'))
      .filter((name) => TRUTH.test(name))
      .toSorted(),
    gitlab: names.includes('.gitlab-ci.yml'),
    github: names.includes('.github'),
  };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
