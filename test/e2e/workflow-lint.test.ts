import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandFolder } from '../command-folder.ts';

const EXAMPLE = resolve('examples/workflow');

const project = commandFolder();
const lint = (...words: string[]) => project.assay('workflow', 'lint', ...words);

const page = `# Ground truth: T1, version 1.0

## Errors

| id | severity | category | description | file | lines | quote |
|----|----------|----------|-------------|------|-------|-------|
| E1 | CRITICAL | EDGE | Wrong at the end. | design.md | 1 | The last one is left out. |
`;

describe('assay workflow lint', () => {
  it('says what is in the bundled example: errors, runs, labels by author, no fault', async () => {
    const { status, stdout } = await lint(EXAMPLE);
    expect(status).toBe(0);
    expect(stdout).toContain('1 ground truth and 6 runs without a fault.');
    expect(stdout).toMatch(/webhook-relay, version 1\.0: 12 errors, 2 traps, hash [0-9a-f]{12}/);
    expect(stdout).toMatch(/SECURE +1 +0 +0 +1/);
    expect(stdout).toMatch(/evaluator-3 +0 +1 +0 +0 +0 +0/);
  });

  it('checks a Markdown ground truth against the reviewed documents and fails when a quote is not there', async () => {
    writeFileSync(join(project.path, 'ground-truth.md'), page);
    writeFileSync(join(project.path, 'design.md'), 'The last one is left out.\n');
    expect((await lint('ground-truth.md', '--documents', '.')).status).toBe(0);
    writeFileSync(join(project.path, 'design.md'), 'All of them are there.\n');
    const { status, stdout } = await lint('ground-truth.md', '--documents', '.');
    expect(status).toBe(1);
    expect(stdout).toContain('quote-not-found');
  });

  it('names file, line and known values of a fault, in words and as JSON', async () => {
    writeFileSync(join(project.path, 'ground-truth.md'), page.replace('CRITICAL', 'HIGH'));
    const { status, stdout } = await lint('ground-truth.md', '--format', 'json');
    expect(status).toBe(1);
    expect(JSON.parse(stdout).findings).toEqual([
      {
        level: 'error',
        rule: 'format',
        file: 'ground-truth.md',
        place: 'line 7: errors.0.severity',
        message: '"HIGH" is not known; it is one of CRITICAL, IMPORTANT, MINOR',
      },
    ]);
  });

  it('ends with 3 when a file cannot be read, and still says what the others hold', async () => {
    writeFileSync(join(project.path, 'broken.json'), '{');
    const { status, stdout } = await lint('broken.json', EXAMPLE);
    expect(status).toBe(3);
    expect(stdout).toMatch(/unreadable: broken\.json:1 is not JSON/);
    expect(stdout).toContain('12 errors, 2 traps');
    expect(await lint('absent.json')).toMatchObject({
      status: 3,
      stdout: expect.stringContaining('absent.json does not exist'),
    });
  });

  it('prints how the values of another tool were read', async () => {
    const log = {
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'tool' } },
          results: [{ ruleId: 'R1', level: 'error', message: { text: 'm' } }],
        },
      ],
    };
    writeFileSync(join(project.path, 'tool.sarif'), JSON.stringify(log));
    const { stdout } = await lint('tool.sarif');
    expect(stdout).toMatch(/severity +error +CRITICAL +1 +default for SARIF/);
    expect(stdout).toMatch(/category +R1 +R1 +1 +as written/);
  });
});
