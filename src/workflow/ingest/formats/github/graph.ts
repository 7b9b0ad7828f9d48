import { z } from 'zod';
import { MAX_ITEMS } from '../../fields.ts';
import { isRecord } from '../../is-record.ts';
import type { Remark } from '../../review-remarks.ts';
import { check, type RawValue } from '../../validate.ts';
import { type Left, type Remarks, rangeOf, sayLeft, taskOf } from './rest.ts';

const line = z.int().nullish();
const author = z.object({ login: z.string().trim().min(1) }).nullish();
const body = z.string().nullish();
const nodes = <T extends z.ZodType>(item: T) => z.object({ nodes: z.array(item).max(MAX_ITEMS) });

const thread = z.object({
  path: z.string().nullish(),
  line,
  startLine: line,
  originalLine: line,
  originalStartLine: line,
  diffSide: z.string().nullish(),
  comments: nodes(
    z.object({
      body,
      author,
      path: z.string().nullish(),
      line,
      startLine: line,
      originalLine: line,
      originalStartLine: line,
    }),
  ),
});

const pullRequest = z.object({
  url: z.string().nullish(),
  reviewThreads: nodes(thread),
  reviews: nodes(z.object({ body, author })).nullish(),
});

export function isGraphAnswer(value: unknown): boolean {
  return isRecord(pullRequestIn(value)?.reviewThreads);
}

/** The answer as it comes, or any part of it down to the pull request. */
function pullRequestIn(value: unknown): Record<string, unknown> | undefined {
  let part = value;
  for (const key of ['data', 'repository', 'pullRequest']) {
    if (isRecord(part) && isRecord(part[key])) part = part[key];
  }
  return isRecord(part) ? part : undefined;
}

export function remarksOfGraph(source: RawValue): Remarks {
  const { url, reviewThreads, reviews } = check(pullRequest, {
    ...source,
    value: pullRequestIn(source.value),
  });
  const left: Left = { replies: 0, empty: 0, old: 0 };
  const remarks = reviewThreads.nodes.flatMap((one) => remarkOf(one, left));
  const general = (reviews?.nodes ?? []).flatMap(({ body: text, author: who }) =>
    text?.trim() ? [{ author: who?.login, body: text.trim() }] : [],
  );
  return { remarks: [...remarks, ...general], task: taskOf(url), notes: sayLeft(left) };
}

function remarkOf(given: z.output<typeof thread>, left: Left): Remark[] {
  const [first, ...replies] = given.comments.nodes;
  left.replies += replies.length;
  const text = first?.body?.trim() ?? '';
  const file = given.path ?? first?.path;
  if (first === undefined || text === '' || !file) {
    left.empty += 1;
    return [];
  }
  const remark = { author: first.author?.login, body: text, file };
  if (given.diffSide === 'LEFT') {
    left.old += 1;
    return [remark];
  }
  const lines = [given, first]
    .map((one) => rangeOf(one.originalStartLine, one.originalLine) ?? rangeOf(one.startLine, one.line))
    .find((range) => range !== undefined);
  return [{ ...remark, ...(lines !== undefined && { lines }) }];
}
