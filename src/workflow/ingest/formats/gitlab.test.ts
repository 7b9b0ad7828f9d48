import { describe, expect, it } from 'vitest';
import { importRuns } from '../import-file.ts';
import { tempFolder } from '../testing/temp-folder.ts';

const { write } = tempFolder();

const note = (more: object) => ({
  id: 1,
  type: 'DiffNote',
  body: 'The lock is never released.',
  author: { username: 'review-bot' },
  system: false,
  project_id: 5,
  noteable_iid: 3,
  ...more,
});
const position = { old_path: 'lock.go', new_path: 'lock.go', old_line: null, new_line: 14 };
const discussion = (...notes: object[]) => ({ id: 'd', individual_note: false, notes });

describe('GitLab discussions', () => {
  it('begin with a finding; replies and notes of the system are none', () => {
    const list = [
      discussion(note({ position }), note({ body: 'Right.', author: { username: 'dev' } })),
      discussion(
        note({
          position: {
            ...position,
            line_range: { start: { new_line: 12, old_line: null }, end: { new_line: 14, old_line: null } },
          },
        }),
      ),
      discussion(note({ system: true, body: 'added 1 commit' })),
      discussion(note({ position: { ...position, new_line: null, old_line: 9 } })),
      discussion(note({ type: null, body: 'Please look at this again.' })),
    ];
    const { runs, notes } = importRuns(write('d.json', list));
    expect(runs).toMatchObject([{ workflow: 'review-bot', task: '5!3' }]);
    expect(runs[0]?.findings).toMatchObject([
      { title: 'The lock is never released.', file: 'lock.go', lines: [14, 14] },
      { lines: [12, 14] },
      { file: 'lock.go' },
    ]);
    expect(runs[0]?.findings[2]?.lines).toBeUndefined();
    expect(notes).toEqual(
      expect.arrayContaining([
        'notes that GitLab wrote itself, no findings: 1',
        'replies in a thread, no findings: 1',
        'remarks on lines that the change removes, taken without their lines: 1',
        'remarks by review-bot that name no place, no findings: 1',
      ]),
    );
  });

  it('with notes that are no list are refused', () => {
    const list = [discussion(note({ position })), { individual_note: true, notes: {} }];
    expect(() => importRuns(write('d.json', list))).toThrow(/d\.json: 1\.notes: is .* and should be a list/);
  });
});
