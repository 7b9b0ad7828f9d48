/**
 * Reviews of a pull request on GitHub: the lists of the REST API for `pulls/N/comments` and `pulls/N/reviews`, and the
 * review threads of the GraphQL API.
 */

import { z } from 'zod';
import { check, isRecord, linesOf, MAX_ITEMS, type RawValue, refuse } from '../fields.ts';
import { LeftOut, type Remark, runsOfRemarks } from '../review-remarks.ts';
import type { Importer, RawFile } from './importer.ts';

export const github: Importer = {
  name: 'github',
  title: 'GitHub review',
  cannotCarry: ['depth', 'concerns', 'quote', 'labels', 'tokens'],
  detect: (file) => isGraphAnswer(contentOf(file)) || isRestItem(itemsOf(contentOf(file))?.[0]),
  readRuns: (file, options) => {
    const value = contentOf(file);
    const items = itemsOf(value);
    const source = { path: file.path, value: items ?? value };
    if (items === undefined && !isGraphAnswer(value))
      throw refuse(source, [], 'is no review of a pull request');
    const { remarks, task, notes } = items === undefined ? remarksOfGraph(source) : remarksOfRest(source);
    return runsOfRemarks(source, remarks, { task }, notes, options);
  },
};

function contentOf(file: RawFile): unknown {
  if (file.kind === 'lines') return file.lines.map(({ value }) => value);
  return file.kind === 'document' ? file.document.value : undefined;
}

/** A list, or a list of pages as the command line client collects them. */
function itemsOf(value: unknown): readonly unknown[] | undefined {
  if (isRecord(value) && !isGraphAnswer(value) && isRestItem(value)) return [value];
  if (!Array.isArray(value)) return undefined;
  return value.every((page) => Array.isArray(page)) ? value.flat() : value;
}

const line = z.int().nullish();
const user = z.object({ login: z.string().trim().min(1) }).nullish();
const body = z.string().nullish();

const comment = z.object({
  path: z.string().trim().min(1),
  body,
  user,
  line,
  start_line: line,
  original_line: line,
  original_start_line: line,
  side: z.string().nullish(),
  in_reply_to_id: z.union([z.int(), z.string()]).nullish(),
  pull_request_url: z.string().nullish(),
});

const review = z.object({
  body,
  user,
  state: z.string(),
  pull_request_url: z.string().nullish(),
});

const items = z.array(z.union([comment, review])).max(MAX_ITEMS);
type Item = z.output<typeof items>[number];

/** A comment on a line of the change, or the review that it belongs to. */
function isRestItem(value: unknown): boolean {
  if (!isRecord(value) || !Object.hasOwn(value, 'body') || !Object.hasOwn(value, 'user')) return false;
  const isComment = Object.hasOwn(value, 'path') && Object.hasOwn(value, 'diff_hunk');
  return isComment || (Object.hasOwn(value, 'state') && Object.hasOwn(value, 'pull_request_url'));
}

type Remarks = {
  readonly remarks: readonly Remark[];
  readonly task: string | undefined;
  readonly notes: readonly string[];
};

function remarksOfRest(source: RawValue): Remarks {
  const given = check(items, source);
  const left = new LeftOut();
  const remarks = given.flatMap((item) => remarkOf(item, left));
  return {
    remarks,
    task: taskOf(given.find((one) => one.pull_request_url)?.pull_request_url),
    notes: left.notes(),
  };
}

function remarkOf(item: Item, left: LeftOut): Remark[] {
  const text = item.body?.trim() ?? '';
  const author = item.user?.login;
  if (text === '') {
    // A review that only groups comments has no text of its own, so nothing is lost.
    if ('path' in item) left.add('empty');
    return [];
  }
  if (!('path' in item)) return [{ author, body: text }];
  if (item.in_reply_to_id !== null && item.in_reply_to_id !== undefined) {
    left.add('replies');
    return [];
  }
  if (item.side === 'LEFT') {
    left.add('old');
    return [{ author, body: text, file: item.path }];
  }
  // The line at the time of the review: later commits move `line`, or remove it if the comment is outdated.
  const lines = rangeOf(item.original_start_line, item.original_line) ?? rangeOf(item.start_line, item.line);
  return [{ author, body: text, file: item.path, lines }];
}

function rangeOf(
  from: number | null | undefined,
  to: number | null | undefined,
): [number, number] | undefined {
  return linesOf(from ?? to ?? undefined, to ?? undefined);
}

/** `…/repos/OWNER/NAME/pulls/7` and `…/OWNER/NAME/pull/7` are the task `OWNER/NAME#7`. */
function taskOf(address: string | null | undefined): string | undefined {
  const [, owner, name, number] = /\/([\w.-]+)\/([\w.-]+)\/pulls?\/(\d+)/.exec(address ?? '') ?? [];
  return number === undefined ? undefined : `${owner}/${name}#${number}`;
}

const author = z.object({ login: z.string().trim().min(1) }).nullish();
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

function isGraphAnswer(value: unknown): boolean {
  return isRecord(pullRequestIn(value)?.reviewThreads);
}

/** The full response, or any part of it down to the pull request. */
function pullRequestIn(value: unknown): Record<string, unknown> | undefined {
  let part = value;
  for (const key of ['data', 'repository', 'pullRequest']) {
    if (isRecord(part) && isRecord(part[key])) part = part[key];
  }
  return isRecord(part) ? part : undefined;
}

function remarksOfGraph(source: RawValue): Remarks {
  const { url, reviewThreads, reviews } = check(pullRequest, {
    ...source,
    value: pullRequestIn(source.value),
  });
  const left = new LeftOut();
  const remarks = reviewThreads.nodes.flatMap((one) => remarkOfThread(one, left));
  const general = (reviews?.nodes ?? []).flatMap(({ body: text, author: who }) =>
    text?.trim() ? [{ author: who?.login, body: text.trim() }] : [],
  );
  return { remarks: [...remarks, ...general], task: taskOf(url), notes: left.notes() };
}

function remarkOfThread(given: z.output<typeof thread>, left: LeftOut): Remark[] {
  const [first, ...replies] = given.comments.nodes;
  left.add('replies', replies.length);
  const text = first?.body?.trim() ?? '';
  const file = given.path ?? first?.path;
  if (first === undefined || text === '' || !file) {
    left.add('empty');
    return [];
  }
  const remark = { author: first.author?.login, body: text, file };
  if (given.diffSide === 'LEFT') {
    left.add('old');
    return [remark];
  }
  const lines = [given, first]
    .map((one) => rangeOf(one.originalStartLine, one.originalLine) ?? rangeOf(one.startLine, one.line))
    .find((range) => range !== undefined);
  return [{ ...remark, lines }];
}
