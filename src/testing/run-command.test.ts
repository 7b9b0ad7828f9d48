import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { runCommand } from './run-command.ts';

it('runs a command in this process and gives back folder, environment and input', async () => {
  const before = { cwd: process.cwd(), env: { ...process.env }, stdin: process.stdin };
  const env = { HOME: tmpdir(), PATH: process.env.PATH };
  const [shown, refused] = await Promise.all([
    runCommand(['decomposition', 'extract', '--batch', '-'], {
      cwd: tmpdir(),
      env,
      stdin: '{"id": 1, "text": "Heavy rain causes floods in the valley."}\n',
    }),
    runCommand(['sesions'], { cwd: tmpdir(), env }),
  ]);
  expect(JSON.parse(shown.stdout)).toMatchObject({ id: 1 });
  expect(refused).toMatchObject({ status: 3, stdout: '' });
  expect(refused.stderr).toContain('did you mean');
  expect({ cwd: process.cwd(), env: { ...process.env }, stdin: process.stdin }).toEqual(before);
});
