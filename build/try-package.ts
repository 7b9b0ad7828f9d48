/**
 * `npm run try-package [TARBALL]`: tries the package as a user with nothing but Node 24. It runs the package by `npx`
 * in an empty folder, with its dependencies from the registry, and then every command of the README.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { packClean } from './pack-clean.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
const home = mkdtempSync(join(tmpdir(), 'assay-try-'));
const project = join(home, 'project');
const env = {
  ...process.env,
  HOME: home,
  npm_config_cache: join(home, '.npm'),
  npm_config_omit: 'optional',
  npm_config_update_notifier: 'false',
};

function run(program: string, words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, words, {
    cwd: project,
    env,
    encoding: 'utf8',
    input: '',
  });
  console.log(`${status} ${words.join(' ')}`);
  // What is measured may pass or not; that it could not run is the one answer that is wrong.
  if (status === null || status > 2 || stdout === '')
    throw new Error(`${words.join(' ')}\n${stdout}${stderr}`);
  return stdout;
}

/** As they are typed in a project that has what they name; the dashboard has no end. */
function readmeCommands(): readonly (readonly string[])[] {
  const commands = [...readFileSync('README.md', 'utf8').matchAll(/^ {4}assay (.+)$/gm)]
    .map(([, words = '']) => words.replace(' --open', '').split(' '))
    .filter(([first]) => first !== 'serve');
  if (commands.length < 5) throw new Error('the README has no commands');
  return commands;
}

try {
  mkdirSync(project);
  const tarball = process.argv[2] === undefined ? packClean(home) : resolve(process.argv[2]);
  const said = run('npx', ['--yes', `--package=${tarball}`, 'assay', '--version']);
  if (said !== `${version}\n`) throw new Error(`it says that it is ${said}`);
  const [installed = ''] = globSync(join(home, '.npm/_npx/*/node_modules/assay'));
  if (existsSync(join(installed, 'src'))) throw new Error('the sources are in the package');
  for (const [from, to] of [
    ['', 'examples'],
    ['decomposition/golden', 'golden'],
    ['workflow/truth/webhook-relay.yaml', 'truth.yaml'],
    ['workflow/runs/review-1', 'runs'],
  ] as const)
    cpSync(join(installed, 'examples', from), join(project, to), { recursive: true });
  for (const words of readmeCommands()) run(join(installed, '../.bin/assay'), words);
  console.log('the package works in an empty folder, by npx and as the README says');
} finally {
  rmSync(home, { recursive: true, force: true });
}
