/** Which files an edit changes, and whether that is a change of code. */
import { changesOnlyComments, isCode } from './changed-file.ts';
import { hashText } from './hash.ts';
import { baseOf } from './shell-wrappers.ts';
import type { Effect } from './state.ts';

type Fields = Readonly<Record<string, unknown>> | undefined;

const PATHS = [
  'file_path',
  'path',
  'filePath',
  'notebook_path',
  'filename',
  'target_file',
  'absolute_path',
  'file',
];
const PATCHES = ['patch', 'input', 'diff', 'patchText', 'code_edit', 'command'];
const PATCHED_FILE = ['*** Update File: ', '*** Add File: ', '*** Delete File: ', '*** Move to: ', '+++ '];
const MAX_FILES = 16;
const MAX_PATH = 500;
const MAX_PATCH = 200_000;

/** One effect for each file; none when the call does not name any. */
export function touches(fields: Fields, input: unknown): Effect[] {
  const path = firstText(fields, PATHS);
  if (path !== undefined) return [touch(path, !onlyComments(path, fields))];
  const patch = typeof input === 'string' ? input : firstText(fields, PATCHES);
  return patch === undefined ? [] : patched(patch);
}

/** The files of a patch, as `apply_patch` and `diff` write them. */
export function patched(patch: string): Effect[] {
  const paths = new Set<string>();
  const text = `\n${patch.slice(0, MAX_PATCH)}`;
  for (const mark of PATCHED_FILE) {
    for (let at = text.indexOf(`\n${mark}`); at >= 0 && paths.size < MAX_FILES; ) {
      const from = at + 1 + mark.length;
      const end = text.indexOf('\n', from);
      const path = text.slice(from, end < 0 ? from + MAX_PATH : Math.min(end, from + MAX_PATH)).trim();
      if (path !== '' && path !== '/dev/null') paths.add(path.replace(/^b\//, ''));
      at = end < 0 ? -1 : text.indexOf(`\n${mark}`, end);
    }
  }
  return [...paths].map((path) => touch(path, true));
}

export function touch(given: string, changesCode: boolean): Effect {
  const path = given.length > MAX_PATH ? given.slice(-MAX_PATH) : given;
  return { does: 'touch', code: changesCode && isCode(path), file: hashText(baseOf(path)) };
}

function firstText(fields: Fields, names: readonly string[]): string | undefined {
  if (fields === undefined) return undefined;
  for (const name of names) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

function onlyComments(path: string, fields: Fields): boolean {
  const list = fields?.edits;
  const edits = Array.isArray(list) ? list : [fields];
  return edits.length > 0 && edits.length <= 50 && edits.every((edit) => isCommentEdit(path, edit));
}

function isCommentEdit(path: string, edit: unknown): boolean {
  if (typeof edit !== 'object' || edit === null) return false;
  const fields = edit as Record<string, unknown>;
  const before = fields.old_string ?? fields.oldString ?? fields.old_str ?? fields.oldText;
  const after = fields.new_string ?? fields.newString ?? fields.new_str ?? fields.newText;
  return typeof before === 'string' && typeof after === 'string' && changesOnlyComments(path, before, after);
}
