/** Discussions of a merge request on GitLab: the list of `merge_requests/N/discussions`. */
import { z } from 'zod';
import { check, isRecord, linesOf, MAX_ITEMS, refuse } from '../fields.ts';
import { LeftOut, type Remark, runsOfRemarks } from '../review-remarks.ts';
import type { Importer, RawFile } from './importer.ts';

const line = z.int().nullish();
const end = z.object({ new_line: line, old_line: line }).nullish();

const note = z.object({
  body: z.string().nullish(),
  author: z.object({ username: z.string().trim().min(1) }).nullish(),
  system: z.boolean().nullish(),
  noteable_iid: z.int().nullish(),
  project_id: z.int().nullish(),
  position: z
    .object({
      new_path: z.string().nullish(),
      old_path: z.string().nullish(),
      new_line: line,
      old_line: line,
      line_range: z.object({ start: end, end }).nullish(),
    })
    .nullish(),
});

const discussions = z.array(z.object({ notes: z.array(note).max(MAX_ITEMS) })).max(MAX_ITEMS);
type Note = z.output<typeof note>;

export const gitlab: Importer = {
  name: 'gitlab',
  title: 'GitLab discussions',
  cannotCarry: ['depth', 'concerns', 'quote', 'labels', 'tokens'],
  detect: (file) => {
    const [first] = itemsOf(file) ?? [];
    return isRecord(first) && Object.hasOwn(first, 'individual_note') && Array.isArray(first.notes);
  },
  readRuns: (file, options) => {
    const source = { path: file.path, value: itemsOf(file) };
    if (source.value === undefined) throw refuse(source, [], 'is no list of discussions');
    const left = new LeftOut('notes that GitLab wrote itself, no findings');
    const given = check(discussions, source);
    const remarks = given.flatMap(({ notes }) => remarkOf(notes, left));
    const first = given.flatMap(({ notes }) => notes).find(({ noteable_iid }) => noteable_iid);
    const task = first === undefined ? undefined : `${first.project_id ?? 'project'}!${first.noteable_iid}`;
    return runsOfRemarks(source, remarks, { task }, left.notes(), options);
  },
};

/** A list, a list of pages, or one discussion per line. */
function itemsOf(file: RawFile): readonly unknown[] | undefined {
  if (file.kind === 'lines') return file.lines.map(({ value }) => value);
  const value = file.kind === 'document' ? file.document.value : undefined;
  if (!Array.isArray(value)) return undefined;
  return value.every((page) => Array.isArray(page)) ? value.flat() : value;
}

function remarkOf(notes: readonly Note[], left: LeftOut): Remark[] {
  const written = notes.filter(({ system }) => system !== true);
  left.add('system', notes.length - written.length);
  const [first, ...replies] = written;
  left.add('replies', replies.length);
  if (first === undefined) return [];
  const body = first.body?.trim() ?? '';
  if (body === '') {
    left.add('empty');
    return [];
  }
  const author = first.author?.username;
  const { position } = first;
  const file = position?.new_path || position?.old_path;
  if (!position || !file) return [{ author, body }];
  const to = position.line_range?.end?.new_line ?? position.new_line ?? undefined;
  const lines = linesOf(position.line_range?.start?.new_line ?? to, to);
  if (lines === undefined && position.old_line) left.add('old');
  return [{ author, body, file, lines }];
}
