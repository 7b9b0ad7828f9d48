import { z } from 'zod';
import { linesOf, MAX_ITEMS } from '../../fields.ts';
import { isRecord } from '../../is-record.ts';
import type { Remark } from '../../review-remarks.ts';
import { check, type RawValue } from '../../validate.ts';

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
export function isRestItem(value: unknown): boolean {
  if (!isRecord(value) || !Object.hasOwn(value, 'body') || !Object.hasOwn(value, 'user')) return false;
  const isComment = Object.hasOwn(value, 'path') && Object.hasOwn(value, 'diff_hunk');
  return isComment || (Object.hasOwn(value, 'state') && Object.hasOwn(value, 'pull_request_url'));
}

export type Remarks = {
  readonly remarks: readonly Remark[];
  readonly task: string | undefined;
  readonly notes: readonly string[];
};

export function remarksOfRest(source: RawValue): Remarks {
  const given = check(items, source);
  const left = { replies: 0, empty: 0, old: 0 };
  const remarks = given.flatMap((item) => remarkOf(item, left));
  return {
    remarks,
    task: taskOf(given.find((one) => one.pull_request_url)?.pull_request_url),
    notes: sayLeft(left),
  };
}

export type Left = { replies: number; empty: number; old: number };

export function sayLeft({ replies, empty, old }: Left): string[] {
  return [
    ...(replies > 0 ? [`replies in a thread, no findings: ${replies}`] : []),
    ...(empty > 0 ? [`remarks without a text, no findings: ${empty}`] : []),
    ...(old > 0 ? [`remarks on lines that the change removes, taken without their lines: ${old}`] : []),
  ];
}

function remarkOf(item: Item, left: Left): Remark[] {
  const text = item.body?.trim() ?? '';
  const author = item.user?.login;
  if (text === '') {
    // A review that only holds comments has no text of its own: nothing is left out.
    if ('path' in item) left.empty += 1;
    return [];
  }
  if (!('path' in item)) return [{ author, body: text }];
  if (item.in_reply_to_id !== null && item.in_reply_to_id !== undefined) {
    left.replies += 1;
    return [];
  }
  if (item.side === 'LEFT') {
    left.old += 1;
    return [{ author, body: text, file: item.path }];
  }
  // The line at the time of the review: later commits move `line`, and take it away where it is outdated.
  const lines = rangeOf(item.original_start_line, item.original_line) ?? rangeOf(item.start_line, item.line);
  return [{ author, body: text, file: item.path, lines }];
}

export function rangeOf(
  from: number | null | undefined,
  to: number | null | undefined,
): [number, number] | undefined {
  return linesOf(from ?? to ?? undefined, to ?? undefined);
}

/** `…/repos/OWNER/NAME/pulls/7` and `…/OWNER/NAME/pull/7` are the task `OWNER/NAME#7`. */
export function taskOf(address: string | null | undefined): string | undefined {
  const [, owner, name, number] = /\/([\w.-]+)\/([\w.-]+)\/pulls?\/(\d+)/.exec(address ?? '') ?? [];
  return number === undefined ? undefined : `${owner}/${name}#${number}`;
}
