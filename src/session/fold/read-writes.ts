/** Which lines a call writes, as far as its input shows it: whole files, replacements, patches, and shell commands. */
import type { ToolKind } from '../evidence.ts';
import { type FileChange, isPatch, readDiffs, readPatch, without } from './read-patch.ts';
import { readShellWrites } from './shell-writes.ts';

const PATHS = [
  'file_path',
  'path',
  'filePath',
  'notebook_path',
  'filename',
  'target_file',
  'absolute_path',
  'relative_path',
  'relative_workspace_path',
  'filepath',
  'TargetFile',
] as const;
const OLD = [
  'old_string',
  'old_str',
  'oldString',
  'oldText',
  'old_text',
  'search',
  'old',
  'TargetContent',
] as const;
const NEW = [
  'new_string',
  'new_str',
  'newString',
  'newText',
  'new_text',
  'replace',
  'replacement',
  'new',
  'ReplacementContent',
] as const;
const WHOLE = ['content', 'file_text', 'contents', 'fileText', 'new_source', 'CodeContent'] as const;
const ADDED = ['insert_text', 'text', 'content', 'new_str', 'code_edit'] as const;
const PATCH = ['patch', 'patchText', 'patch_text', 'diff', 'unified_diff', 'input', 'command'] as const;
/** More than anybody writes by hand; the rest of it goes unseen. */
const MAX_TEXT = 512 * 1024;
const MAX_EDITS = 200;

type Fields = Readonly<Record<string, unknown>>;

/** `name` is the plain one of the tool; `command` what a shell is told. */
export function readWrites(
  kind: ToolKind,
  name: string,
  input: unknown,
  command: string | undefined,
): FileChange[] {
  if (kind === 'shell') return command === undefined ? [] : shellWrites(command);
  if (kind !== 'write') return [];
  if (typeof input === 'string') return patchIn(input);
  const fields = fieldsOf(input);
  return fields === undefined ? [] : (patchOf(fields) ?? editsOf(name, fields));
}

function shellWrites(command: string): FileChange[] {
  const text = command.slice(0, MAX_TEXT);
  return text.includes('*** Begin Patch') ? readPatch(text) : readShellWrites(text);
}

function patchIn(text: string): FileChange[] {
  return isPatch(text) ? readPatch(text.slice(0, MAX_TEXT)) : [];
}

/** A patch names its files itself, or stands beside the name of its only one. */
function patchOf(fields: Fields): FileChange[] | undefined {
  const patch = textIn(fields, PATCH);
  if (patch === undefined) return undefined;
  const path = textIn(fields, PATHS);
  if (path !== undefined && patch.includes(SEARCH)) return readBlocks(path, patch);
  if (isPatch(patch)) return readPatch(patch);
  return path !== undefined && patch.startsWith('@@') ? readDiffs(patch, path) : undefined;
}

/** Blocks of what is searched for and what takes its place, as several agents write them. */
const SEARCH = '<<<<<<< SEARCH';

function readBlocks(path: string, text: string): FileChange[] {
  const old: string[] = [];
  const now: string[] = [];
  let into: string[] | undefined;
  for (const line of text.split('\n')) {
    if (line.startsWith(SEARCH) || line.startsWith('------- SEARCH')) into = old;
    else if (into === old && line.startsWith('=======')) into = now;
    else if (into === now && (line.startsWith('>>>>>>> ') || line.startsWith('+++++++ '))) into = undefined;
    // Where it is looked for, between the mark and the text.
    else if (!/^(?::start_line:|:end_line:|-------$)/.test(line.slice(0, 40))) into?.push(line);
  }
  return [{ path, added: without(now, old), removed: without(old, now), whole: false }];
}

function editsOf(name: string, fields: Fields): FileChange[] {
  const path = textIn(fields, PATHS);
  if (path === undefined) return [];
  const edits = fields.edits ?? fields.edit ?? fields.replacements ?? fields.ReplacementChunks;
  if (Array.isArray(edits)) {
    return edits.slice(0, MAX_EDITS).flatMap((edit) => replacement(path, fieldsOf(edit)));
  }
  const replaced = replacement(path, fieldsOf(edits) ?? fields);
  if (replaced.length > 0) return replaced;
  if (isInsertion(name) || isInsertion(textIn(fields, ['command', 'mode']) ?? '')) {
    return changed(path, '', textIn(fields, ADDED) ?? '');
  }
  const part = textIn(fields, ['code_edit']);
  if (part !== undefined) return changed(path, '', part);
  const content = textIn(fields, WHOLE);
  return content === undefined ? [] : [{ path, added: content.split('\n'), removed: [], whole: true }];
}

const isInsertion = (word: string): boolean =>
  /^(?:insert|append)|_(?:insert|append)/.test(word.slice(0, 64));

function replacement(path: string, fields: Fields | undefined): FileChange[] {
  if (fields === undefined) return [];
  const old = textIn(fields, OLD);
  return old === undefined ? [] : changed(path, old, textIn(fields, NEW) ?? '');
}

function changed(path: string, before: string, after: string): FileChange[] {
  const old = before.split('\n');
  const now = after.split('\n');
  return [{ path, added: without(now, old), removed: without(old, now), whole: false }];
}

function textIn(fields: Fields, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (typeof value === 'string' && value !== '') return value.slice(0, MAX_TEXT);
  }
  return undefined;
}

function fieldsOf(input: unknown): Fields | undefined {
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? (input as Fields) : undefined;
}
