/**
 * Which lines a call writes, as far as its input shows them: whole files, replacements, patches, and shell commands.
 */
import type { ToolKind } from '../evidence.ts';
import { hashText } from './hash.ts';
import { readShellWrites } from './shell-command.ts';
import { baseOf } from './shell-syntax.ts';
import type { Effect } from './state.ts';

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
  'file',
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
/** More than anyone writes by hand; the rest is ignored. */
const MAX_TEXT = 512 * 1024;
const MAX_EDITS = 200;

export type Fields = Readonly<Record<string, unknown>>;

/** `name` is the normalised tool name, `command` the shell command. */
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

/** A patch names its files itself, or the input names its only file. */
function patchOf(fields: Fields): FileChange[] | undefined {
  const patch = longTextIn(fields, PATCH);
  if (patch === undefined) return undefined;
  const path = textIn(fields, PATHS);
  if (path !== undefined && patch.includes(SEARCH)) return readBlocks(path, patch);
  if (isPatch(patch)) return readPatch(patch);
  return path !== undefined && patch.startsWith('@@') ? readDiffs(patch, path) : undefined;
}

/** Search-and-replace blocks, as several agents write them. */
const SEARCH = '<<<<<<< SEARCH';

function readBlocks(path: string, text: string): FileChange[] {
  const old: string[] = [];
  const now: string[] = [];
  let into: string[] | undefined;
  for (const line of text.split('\n')) {
    if (line.startsWith(SEARCH) || line.startsWith('------- SEARCH')) into = old;
    else if (into === old && line.startsWith('=======')) into = now;
    else if (into === now && (line.startsWith('>>>>>>> ') || line.startsWith('+++++++ '))) into = undefined;
    // Position hints between the marker and the text.
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
    return changed(path, '', longTextIn(fields, ADDED) ?? '');
  }
  const part = longTextIn(fields, ['code_edit']);
  if (part !== undefined) return changed(path, '', part);
  const content = longTextIn(fields, WHOLE);
  return content === undefined ? [] : [{ path, added: content.split('\n'), removed: [], whole: true }];
}

const isInsertion = (word: string): boolean =>
  /^(?:insert|append)|_(?:insert|append)/.test(word.slice(0, 64));

function replacement(path: string, fields: Fields | undefined): FileChange[] {
  if (fields === undefined) return [];
  const old = longTextIn(fields, OLD);
  return old === undefined ? [] : changed(path, old, longTextIn(fields, NEW) ?? '');
}

function changed(path: string, before: string, after: string): FileChange[] {
  const old = before.split('\n');
  const now = after.split('\n');
  return [{ path, added: without(now, old), removed: without(old, now), whole: false }];
}

/** The first of these fields that has text. */
export function textIn(fields: Fields | undefined, names: readonly string[]): string | undefined {
  if (fields === undefined) return undefined;
  for (const name of names) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

function longTextIn(fields: Fields, names: readonly string[]): string | undefined {
  return textIn(fields, names)?.slice(0, MAX_TEXT);
}

export function fieldsOf(input: unknown): Fields | undefined {
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? (input as Fields) : undefined;
}

// Patches as agents write them: `*** Begin Patch` of apply_patch, and unified diffs.

/** A change of one file: lines added and lines removed. */
export type FileChange = {
  readonly path: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** `added` is the whole content of the file now. */
  readonly whole: boolean;
  /** The former path; all content was there. */
  readonly from?: string;
};

const BEGIN = '*** Begin Patch';
const FILE = /^\*\*\* (Add|Update|Delete) File: (.*\S)\s*$/;
const MOVE = /^\*\*\* Move to: (.*\S)\s*$/;

/** Lines that name a file are not longer. */
const MAX_NAME_LINE = 2_000;

function isPatch(text: string): boolean {
  if (text.includes(BEGIN) || text.startsWith('diff --git ') || text.includes('\ndiff --git ')) return true;
  return (text.startsWith('--- ') || text.includes('\n--- ')) && text.includes('\n+++ ');
}

function readPatch(text: string): FileChange[] {
  return text.includes(BEGIN) ? readEnvelope(text) : readDiffs(text);
}

type Open = { path: string; added: string[]; removed: string[]; whole: boolean };

function readEnvelope(text: string): FileChange[] {
  const changes: Open[] = [];
  const moves: FileChange[] = [];
  let open: Open | undefined;
  for (const line of text.slice(text.indexOf(BEGIN)).split('\n')) {
    const names = line.startsWith('*** ') && line.length < MAX_NAME_LINE;
    const [, what, path] = (names && FILE.exec(line)) || [];
    const moved = names ? MOVE.exec(line)?.[1] : undefined;
    if (path !== undefined) {
      open = { path, added: [], removed: [], whole: what === 'Add' };
      changes.push(open);
    } else if (open !== undefined && moved !== undefined) {
      moves.push({ path: moved, from: open.path, added: [], removed: [], whole: false });
      open.path = moved;
    } else if (line.startsWith('*** End Patch')) break;
    else if (open !== undefined) takeLine(open, line);
  }
  return [...moves, ...changes.map(settled)];
}

/** A diff of one file with a known name, or of several files that it names. */
export function readDiffs(text: string, path?: string): FileChange[] {
  const changes: Open[] = [];
  let open: Open | undefined;
  let old: string | undefined;
  let inHunk = false;
  const start = (name: string): void => {
    open = { path: path ?? name, added: [], removed: [], whole: false };
    changes.push(open);
  };
  for (const line of text.split('\n')) {
    if (line.startsWith('diff --git ')) inHunk = false;
    else if (line.startsWith('@@')) {
      inHunk = true;
      if (open === undefined && path !== undefined) start(path);
    } else if (!inHunk && line.startsWith('--- ')) old = diffName(line);
    else if (!inHunk && line.startsWith('+++ ')) start(diffName(line) ?? old ?? '');
    else if (open !== undefined && inHunk) takeLine(open, line);
  }
  return changes.map(settled);
}

function diffName(line: string): string | undefined {
  const name = line.slice(4, MAX_NAME_LINE).split('\t')[0]?.trim() ?? '';
  return name === '/dev/null' ? undefined : name.replace(/^[ab]\//, '');
}

function takeLine(open: Open, line: string): void {
  if (line.startsWith('+')) open.added.push(line.slice(1));
  else if (line.startsWith('-')) open.removed.push(line.slice(1));
}

/** A line moved within its file is neither added nor removed. */
function settled({ path, added, removed, whole }: Open): FileChange {
  return { path, whole, added: without(added, removed), removed: without(removed, added) };
}

/** Lines of the first list that exceed those of the second, with multiplicity. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  if (others.length === 0) return [...lines];
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    if (count > 0) left.set(line, count - 1);
    return count === 0;
  });
}

// Which files an edit changes, and whether it changes code.

const PATCHES = ['patch', 'input', 'diff', 'patchText', 'code_edit', 'command'];
const PATCHED_FILE = ['*** Update File: ', '*** Add File: ', '*** Delete File: ', '*** Move to: ', '+++ '];
const MAX_FILES = 16;
const MAX_PATH = 500;
const MAX_PATCH = 200_000;

/** One effect per file; none when the call names no file. */
export function touches(fields: Fields | undefined, input: unknown): Effect[] {
  const path = textIn(fields, PATHS);
  if (path !== undefined) return [touch(path, !onlyComments(path, fields))];
  const patch = typeof input === 'string' ? input : textIn(fields, PATCHES);
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

function onlyComments(path: string, fields: Fields | undefined): boolean {
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

// Whether a changed file is code, which needs a check, or text, which does not.

const CODE = new Set(
  `ts tsx mts cts js jsx mjs cjs py pyi pyx go rs java kt kts scala sc clj cljs cljc groovy rb erb php phtml c h cc cpp cxx hh hpp hxx
  m mm cs fs fsx vb swift dart lua r jl ex exs erl hrl hs lhs ml mli elm nim zig v cr pl pm t sh bash zsh fish ps1 psm1 bat cmd awk
  sql graphql gql proto thrift avdl html htm css scss sass less vue svelte astro mdx tf tfvars hcl nix bzl cmake mk gradle
  ipynb asm s wat sol move cairo vhd vhdl sv toml yaml yml ini cfg conf env plist xml xaml tmpl tpl hbs ejs pug j2 jinja ejs
  dockerfile service`.split(/\s+/),
);
const CODE_NAMES =
  /^(?:makefile|gnumakefile|dockerfile|containerfile|jenkinsfile|rakefile|gemfile|podfile|procfile|vagrantfile|justfile|brewfile|cmakelists\.txt|build|workspace|go\.mod|go\.sum|requirements\S*\.txt|\.\w*rc)$/i;
/** JSON is mostly data; these files change how something runs. */
const CODE_JSON =
  /^(?:package|tsconfig\S*|jsconfig|composer|deno|angular|turbo|nx|biome|lerna|manifest|\S*config|\S*settings\S*|\S*schema|\.\w*rc)\.jsonc?$/i;
/** File systems allow no longer names. */
const LONGEST_NAME = 255;
/** Notes of agents and users next to the work. */
const NOTES =
  /(?:^|\/)(?:\.[\w-]+\/(?:plans|todos|memory)|\.git|docs?)\/|(?:^|\/)(?:changelog|readme|license|notice|authors|codeowners|\.gitignore)[^/]*$/i;

function isCode(path: string): boolean {
  if (
    NOTES.test(path) &&
    !(/(?:^|\/)docs?\//.test(path) && /\.(?:ts|js|mjs|py|go|rs|tsx|jsx|css|sh)$/.test(path))
  )
    return false;
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  if (CODE_NAMES.test(name) || (name.length <= LONGEST_NAME && CODE_JSON.test(name))) return true;
  const dot = name.lastIndexOf('.');
  return dot > 0 && CODE.has(name.slice(dot + 1).toLowerCase());
}

/** A comment line, in languages where its beginning is enough to know. */
const HASH = /^\s*#(?!\s*(?:include|define|if|ifdef|ifndef|else|endif|pragma|undef|error|!|\[))/;
const SLASH = /^\s*(?:\/\/|\/\*|\*(?: |\/|$)|\*\/)/;
const OTHER: Readonly<Record<string, RegExp>> = {
  sql: /^\s*--/,
  lua: /^\s*--/,
  hs: /^\s*--/,
  elm: /^\s*--/,
  html: /^\s*<!--.*-->\s*$/,
  xml: /^\s*<!--.*-->\s*$/,
  clj: /^\s*;/,
  ini: /^\s*[;#]/,
};
const WITH_HASH = new Set(
  'py pyi rb sh bash zsh fish yaml yml toml r jl ex exs pl pm nix mk cmake tf cfg conf env ps1 awk nim cr dockerfile'.split(
    ' ',
  ),
);

const MOST_LINES = 400;
const MOST_COLUMNS = 200;

/** An edit that changes only comments and empty lines. */
function changesOnlyComments(path: string, before: string, after: string): boolean {
  if (before.length + after.length > 40_000) return false;
  const left = withoutComments(path, before);
  const right = withoutComments(path, after);
  return left !== undefined && right !== undefined && left === right;
}

function withoutComments(path: string, text: string): string | undefined {
  const lines = text.split('\n');
  if (lines.length > MOST_LINES) return undefined;
  const end = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  const comment = OTHER[end] ?? (WITH_HASH.has(end) ? HASH : SLASH);
  return lines
    .filter((line) => line.trim() !== '' && !comment.test(line.slice(0, MOST_COLUMNS)))
    .map((line) => line.trimEnd())
    .join('\n');
}
