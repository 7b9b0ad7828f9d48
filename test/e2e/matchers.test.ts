/** `assay/vitest` and `assay/jest` in the real runners: tests that pass, and one that must not. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bareEnv } from '../bare-env.ts';
import { fetchTools, JEST } from '../fetched-tools.ts';

const TESTS = `
const output = JSON.parse(readFileSync('outputs/urban-heat.json', 'utf8'));
const golden = 'golden/urban-heat.gold.json';
const invented = { ...output, concepts: [] };

test('meets the standard', async () => {
  await expect(output).toMeetRow3(golden);
  await expect(output).toMeetRow3(JSON.parse(readFileSync(golden, 'utf8')), { line: 'fail' });
  await expect(output).toHaveNoHallucinations(golden);
  await expect(output).toRecallConcepts(golden, 0.8);
  await expect(output).not.toRecallConcepts(golden, 0.95);
  await expect(invented).not.toMeetRow3(golden);
  await expect('session').toReachQ(0.1);
  await expect('session').not.toReachQ(1);
});
test('says what is missing', async () => {
  await expect(expect(output).toRecallConcepts(golden, 1)).rejects.toThrow(/missed: waste heat/);
  await expect(expect(invented).toMeetRow3(golden)).rejects.toThrow(/Concept recall 0.0% \\(fail/);
});
test('takes what cannot be measured for neither good nor bad', async () => {
  await expect(expect('nowhere').toReachQ(0.5)).rejects.toThrow();
  await expect(expect('nowhere').not.toReachQ(0.5)).rejects.toThrow();
  await expect(expect('session').not.toReachQ(1.01)).rejects.toThrow(/from 0 to 1/);
  await expect(expect({ concepts: 'x' }).toMeetRow3(golden)).rejects.toThrow(/the output/);
  await expect(expect({ concepts: 'x' }).not.toMeetRow3(golden)).rejects.toThrow(/the output/);
});
test('FAILS', async () => {
  await expect(invented).toMeetRow3(golden);
});
`;

function project(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'assay-matchers-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync('examples/decomposition', folder, { recursive: true });
  cpSync('examples/session/shop', join(folder, 'session'), { recursive: true });
  mkdirSync(join(folder, 'node_modules/assay'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  return folder;
}

function run(folder: string, words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...bareEnv(folder), NO_COLOR: '1', PATH: dirname(process.execPath) },
  });
  return { status, said: stdout + stderr };
}

describe('assay/vitest', () => {
  it('asks what is documented, and fails where it is not met', () => {
    const folder = project();
    symlinkSync(resolve('node_modules/vitest'), join(folder, 'node_modules/vitest'));
    writeFileSync(
      join(folder, 'row3.test.ts'),
      `import { readFileSync } from 'node:fs';\nimport { expect, test } from 'vitest';\nimport '${resolve('src/library/vitest.ts')}';\n${TESTS}`,
    );
    const { status, said } = run(folder, [
      resolve('node_modules/vitest/vitest.mjs'),
      'run',
      '--reporter=verbose',
      '--testTimeout=120000',
    ]);
    expect([status, said]).toEqual([1, expect.stringMatching(/3 passed/)]);
    expect(said).toMatch(/FAILS[\s\S]*Concept recall 0\.0% \(fail/);
    expect(said).toMatch(/1 failed/);
  });
});

const jest = fetchTools(JEST);

describe.skipIf(jest === undefined)('assay/jest', () => {
  it('asks what is documented, and fails where it is not met', () => {
    const folder = project();
    writeFileSync(
      join(folder, 'strip-types.mjs'),
      `import { stripTypeScriptTypes } from 'node:module';\nexport default { process: (code) => ({ code: stripTypeScriptTypes(code) }) };\n`,
    );
    writeFileSync(
      join(folder, 'jest.config.json'),
      JSON.stringify({
        cacheDirectory: '<rootDir>/.jest',
        extensionsToTreatAsEsm: ['.ts'],
        transform: { '\\.ts$': '<rootDir>/strip-types.mjs' },
        setupFilesAfterEnv: [resolve('src/library/jest.ts')],
      }),
    );
    writeFileSync(join(folder, 'row3.test.js'), `import { readFileSync } from 'node:fs';\n${TESTS}`);
    const { status, said } = run(folder, [
      '--experimental-vm-modules',
      join(jest ?? '', 'node_modules/jest/bin/jest.js'),
      '--verbose',
      '--testTimeout=120000',
    ]);
    expect([status, said]).toEqual([1, expect.stringMatching(/1 failed, 3 passed/)]);
    expect(said).toMatch(/Concept recall 0\.0% \(fail/);
  });
});
