/** Recognises labels by the workflow itself or by its model, which are no evidence about its own findings. */
import type { FindingLabel, ReviewRun } from './review.ts';

type Author = Pick<ReviewRun, 'workflow' | 'model'>;

const ITSELF = new Set(['self', 'itself', 'myself', 'me', 'author', 'this workflow', 'this model']);

export function splitLabels(labels: readonly FindingLabel[], run: Author) {
  const own = labels.filter(({ by }) => isOwn(by, run));
  return { own, others: own.length === 0 ? labels : labels.filter((label) => !own.includes(label)) };
}

/** `Claude Sonnet 4.5` and `claude-sonnet-4-5-20250929` are one model; `ann` and `ann-2` are two authors. */
function isOwn(by: string, { workflow, model }: Author): boolean {
  const author = wordsOf(by);
  if (ITSELF.has(author.join(' ')) || author.length === 0) return true;
  const name = wordsOf(workflow);
  // A workflow named with one word, such as `claude`, must not match every author whose name contains it.
  if (name.length === 1 ? name[0] === author.join(' ') : holds(author, name)) return true;
  if (model === undefined) return false;
  const known = wordsOf(model).filter((word) => !/^(?:\d{6,8}|latest)$/.test(word));
  return holds(author, known) || (author.some((word) => /[a-z]{3}/.test(word)) && holds(known, author));
}

function wordsOf(name: string): string[] {
  return (name
    .normalize('NFKC')
    .toLowerCase()
    .match(/[a-z]+|\d+|[^\p{P}\p{S}\p{Z}a-z\d]+/gu) ?? []) as string[];
}

function holds(words: readonly string[], all: readonly string[]): boolean {
  return all.length > 0 && all.every((word) => words.includes(word));
}
