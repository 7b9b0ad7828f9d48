import { describe, expect, it } from 'vitest';
import type { FileWork, SessionFacts } from '../evidence.ts';
import { hashLine, pathEnds, unpackHashes } from './line-fingerprints.ts';
import { call, did, type EventInput, factsOfEvents, ran, result, user } from './testing/fold-events.ts';

const facts = (...events: readonly EventInput[]): SessionFacts =>
  factsOfEvents({ kind: 'session', project: '/work/app' }, user('please'), ...events);

function fileIn({ written }: SessionFacts, path: string): FileWork | undefined {
  const ends = pathEnds(path);
  return written?.files.find((file) => file.ends.at(-1) === ends.at(-1));
}

/** The lines that are also in a file. */
function found(
  file: FileWork | undefined,
  path: string,
  lines: readonly string[],
  kind: 'wrote' | 'removed' | 'left' = 'wrote',
): string[] {
  const hashes = unpackHashes(file?.[kind]);
  return lines.filter((line) => hashes.includes(hashLine(line, pathEnds(path)[0] ?? 0)?.hash ?? -1));
}

const A = 'export const first = 1;';
const B = 'export const second = 2;';
const C = 'export const third = 3;';
const PATH = '/work/app/src/a.ts';

describe('the lines that a session wrote', () => {
  it.each<[string, readonly EventInput[]]>([
    ['a whole file', did('Write', { file_path: PATH, content: `${A}\n${B}\n` }, true)],
    ['a replacement', did('Edit', { file_path: PATH, old_string: C, new_string: `${A}\n${B}` }, true)],
    [
      'several replacements',
      did(
        'MultiEdit',
        {
          file_path: PATH,
          edits: [
            { old_string: C, new_string: A },
            { old_string: '', new_string: '' },
            { old_string: 'x', new_string: B },
          ],
        },
        true,
      ),
    ],
    ['other names of fields', did('edit', { filePath: PATH, oldString: C, newString: `${A}\n${B}` }, true)],
    [
      'an editor with commands',
      did('str_replace_based_edit_tool', { command: 'create', path: PATH, file_text: `${A}\n${B}` }, true),
    ],
    [
      'an insertion',
      did(
        'str_replace_based_edit_tool',
        { command: 'insert', path: PATH, insert_line: 3, insert_text: `${A}\n${B}` },
        true,
      ),
    ],
    [
      'a patch',
      did(
        'apply_patch',
        `*** Begin Patch\n*** Update File: ${PATH}\n@@\n-${C}\n+${A}\n+${B}\n*** End Patch`,
        true,
      ),
    ],
    [
      'a patch in a shell',
      did(
        'shell',
        { command: ['apply_patch', `*** Begin Patch\n*** Add File: ${PATH}\n+${A}\n+${B}\n*** End Patch`] },
        true,
      ),
    ],
    [
      'a unified diff',
      did('patch', { diff: `--- a${PATH}\n+++ b${PATH}\n@@ -1 +1,2 @@\n-${C}\n+${A}\n+${B}\n` }, true),
    ],
    [
      'blocks of search and replace',
      did(
        'replace_in_file',
        {
          path: PATH,
          diff: `<<<<<<< SEARCH\n:start_line:3\n-------\n${C}\n=======\n${A}\n${B}\n>>>>>>> REPLACE`,
        },
        true,
      ),
    ],
    [
      'an edit within a field',
      did('StrReplaceFile', { path: PATH, edit: { old: C, new: `${A}\n${B}` } }, true),
    ],
    [
      'a part of a file',
      did('edit_file', { target_file: PATH, code_edit: `// ... existing code ...\n${A}\n${B}` }, true),
    ],
    ['a here-document', ran(`mkdir -p src && cat > ${PATH} <<'EOF'\n${A}\n${B}\nEOF\nnpm test`, false)],
    ['tee', ran(`tee ${PATH} <<EOF\n${A}\n${B}\nEOF`, true)],
    ['echo and sed', ran(`echo '${A}' >> ${PATH}\nsed -i '3a\\${B}' ${PATH}`, true)],
  ])('are seen in %s', (_, events) => {
    const file = fileIn(facts(...events), PATH);
    expect(found(file, PATH, [A, B, C])).toEqual([A, B]);
    expect(file?.inside).toBe(true);
  });

  it('are those of the end: what was written over is kept apart', () => {
    const file = fileIn(
      facts(
        ...did('Write', { file_path: PATH, content: `${A}\n${B}` }, true),
        ...did('Edit', { file_path: PATH, old_string: B, new_string: C }, true),
      ),
      PATH,
    );
    expect(found(file, PATH, [A, B, C])).toEqual([A, C]);
    expect(found(file, PATH, [A, B, C], 'left')).toEqual([B]);
    expect(file?.removed).toBeUndefined();
  });

  it('are not those of calls that failed, were refused or have no result', () => {
    const write = { file_path: PATH, content: A };
    expect(facts(...did('Write', write, false)).written).toBeUndefined();
    expect(facts(call('c', 'Write', write), result('c', { denied: true })).written).toBeUndefined();
    expect(facts(call('c', 'Write', write)).written).toBeUndefined();
  });

  it('are what the format says where it knows better', () => {
    const edit = call('c', 'Edit', { file_path: PATH, old_string: 'first', new_string: 'second' });
    const change = {
      kind: 'file-change',
      callId: 'c',
      path: PATH,
      added: [B],
      removed: [A],
      whole: false,
    } as const;
    const file = fileIn(facts(edit, change, result('c', { ok: true })), PATH);
    expect(found(file, PATH, [A, B])).toEqual([B]);
    expect(found(file, PATH, [A, B], 'removed')).toEqual([A]);
    expect(facts(edit, change, result('c', { ok: false })).written).toBeUndefined();
  });

  it('say nothing when they are braces, blanks or a word', () => {
    expect(
      facts(...did('Write', { file_path: PATH, content: '}\n\n  });\n);\nelse\n' }, true)).written,
    ).toBeUndefined();
  });

  it('are the same whatever the white space, and others in a file of another name', () => {
    const salt = pathEnds(PATH)[0] ?? 0;
    expect(hashLine('\texport  const first=1;\r', salt)).toEqual(hashLine(A, salt));
    expect(hashLine(A, pathEnds('/work/app/src/b.ts')[0] ?? 0)).not.toEqual(hashLine(A, salt));
  });

  it('are bounded: of very many every second, fourth … is kept', () => {
    const lines = Array.from({ length: 9_000 }, (_, i) => `export const value${i} = ${i};`);
    const writes = [0, 1, 2].flatMap((part) =>
      did(
        'Write',
        {
          file_path: `/work/app/part-${part}.ts`,
          content: lines.slice(3_000 * part, 3_000 * (part + 1)).join('\n'),
        },
        true,
      ),
    );
    const { written } = facts(...writes);
    const kept = (written?.files ?? []).flatMap(({ wrote }) => unpackHashes(wrote)).length;
    expect(written?.oneIn).toBe(4);
    expect(kept).toBeLessThanOrEqual(3_000);
    expect(Math.abs(kept * 4 - 9_000)).toBeLessThan(900);
    expect(JSON.stringify(written).length).toBeLessThan(32_000);
  });

  it('hold no text of the transcript', () => {
    const secret = 'const password = "correct horse battery staple";';
    const { written } = facts(
      ...did('Write', { file_path: '/work/app/secret-name.ts', content: secret }, true),
    );
    expect(JSON.stringify(written)).not.toMatch(/correct|horse|password|secret-name/);
  });

  it('are told from those outside of the folder of the session', () => {
    const isInside = (path: string) =>
      facts(...did('Write', { file_path: path, content: A }, true)).written?.files[0]?.inside;
    const paths = ['/work/app/a.ts', 'src/a.ts', '/work/app-two/a.ts', '/home/me/.plans/a.md', '../a.ts'];
    expect(paths.map(isInside)).toEqual([true, true, false, false, false]);
  });

  it('come with the commits that git told of', () => {
    const { written } = facts(
      ...ran('git commit -am "Mend it"', true, '[main 1a2b3c4] Mend it\n 1 file changed'),
    );
    expect(written?.commits).toMatchObject([{ sha: '1a2b3c4' }]);
    expect(facts(...ran('cat log', true, '[main 1a2b3c4] Mend it')).written).toBeUndefined();
  });

  it.each(['rm src/a.ts', 'rm -f /work/app/src/a.ts && ls', 'git rm -q src/a.ts'])(
    'are gone with their file: %s',
    (command) => {
      const file = fileIn(
        facts(...did('Write', { file_path: PATH, content: `${A}\n${B}` }, true), ...ran(command, true)),
        PATH,
      );
      expect(found(file, PATH, [A, B])).toEqual([]);
      expect(found(file, PATH, [A, B], 'left')).toEqual([A, B]);
    },
  );

  it('move with their file', () => {
    const moved = facts(
      ...did('Write', { file_path: PATH, content: A }, true),
      ...ran('git mv src/a.ts lib/', true),
    );
    expect(found(fileIn(moved, 'lib/a.ts'), PATH, [A])).toEqual([A]);
  });

  it('keep their numbers under another name, also those that are written there later', () => {
    const moved = facts(
      ...did('Write', { file_path: PATH, content: `${A}\n${B}` }, true),
      ...ran('mv src/a.ts src/b.ts', true),
      ...did('Edit', { file_path: '/work/app/src/b.ts', old_string: A, new_string: C }, true),
    );
    const file = fileIn(moved, 'src/b.ts');
    expect(moved.written?.files).toHaveLength(1);
    expect(file?.salt).toBe(pathEnds(PATH)[0]);
    expect(found(file, PATH, [A, B, C])).toEqual([B, C]);
    expect(found(file, PATH, [A], 'left')).toEqual([A]);
  });

  it('move with a patch that gives their file another name', () => {
    const patch = '*** Begin Patch\n*** Update File: src/a.ts\n*** Move to: src/b.ts\n@@\n*** End Patch';
    const moved = facts(
      ...did('Write', { file_path: 'src/a.ts', content: A }, true),
      ...did('apply_patch', { input: patch }, true),
    );
    expect(found(fileIn(moved, 'src/b.ts'), PATH, [A])).toEqual([A]);
  });

  it.each([
    'rm src/b.ts',
    'rm -rf src',
    'git rm --cached src/a.ts',
    'mv a.ts b.ts c/',
    'rm src/*.ts',
    'echo rm src/a.ts',
  ])('stay with: %s', (command) => {
    const kept = facts(...did('Write', { file_path: PATH, content: A }, true), ...ran(command, true));
    expect(found(fileIn(kept, PATH), PATH, [A])).toEqual([A]);
  });

  it('are those that are written after the old file was taken away', () => {
    const command = `rm -f src/a.ts; cat > src/a.ts <<'EOF'\n${B}\nEOF`;
    const path = 'src/a.ts';
    expect(found(fileIn(facts(...ran(command, true)), path), path, [B])).toEqual([B]);
    const scratch = `cat > src/a.ts <<'EOF'\n${B}\nEOF\npython src/a.ts\nrm src/a.ts`;
    expect(found(fileIn(facts(...ran(scratch, true)), path), path, [B])).toEqual([]);
  });
});
