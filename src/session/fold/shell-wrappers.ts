/** Programs that run another one: `timeout 60`, `npx`, `uv run`, `docker exec app`. What they run is what counts. */

const PREFIXES = new Set(
  `sudo doas time env command exec nohup xargs stdbuf setsid caffeinate builtin then do else if while until ! nice ionice timeout
  gtimeout npx bunx uvx xvfb-run rtk`.split(/\s+/),
);

/** First and second word → how many plain words (a container, a folder) stand before the command. */
const RUNNERS = new Map<string, number>([
  ...['uv', 'poetry', 'pipenv', 'pdm', 'hatch', 'rye', 'pixi', 'devbox', 'doppler', 'op', 'pipx'].map(
    (program) => [`${program} run`, 0] as const,
  ),
  ...['npm exec', 'pnpm exec', 'yarn exec', 'pnpm dlx', 'yarn dlx', 'bundle exec', 'mise x', 'mise exec'].map(
    (words) => [words, 0] as const,
  ),
  ...['docker exec', 'docker run', 'podman exec', 'podman run', 'kubectl exec'].map(
    (words) => [words, 1] as const,
  ),
  ...['direnv exec', 'nix develop', 'conda run', 'micromamba run'].map((words) => [words, 0] as const),
]);
/** Their `run` may name a task of the project instead of a program. */
const TASK_RUNNERS = new Set(['pdm', 'hatch', 'rye', 'pixi', 'devbox', 'pipenv', 'poetry']);
const TASK = /^(?:test|tests|lint|check|build|typecheck|types|verify|ci|spec|e2e|unit|compile)(?:[:_-]\S*)?$/;

/** Options, without their dashes, that take the next word. */
const VALUE_FLAGS = new Set(
  `w e u n p k s f C v l c workdir env env-file user package with python extra group project directory volume name network
  platform context namespace container mount entrypoint signal file profile`.split(/\s+/),
);

const MAX_LAYERS = 8;
const ASSIGNMENT = /^\w+=/;

/** The words of a command without what only runs it. */
export function withoutWrappers(given: readonly string[]): readonly string[] {
  let words = given;
  for (let layer = 0; layer < MAX_LAYERS; layer += 1) {
    const inner = unwrapped(words);
    if (inner === undefined) break;
    words = inner;
  }
  return words;
}

function unwrapped(words: readonly string[]): readonly string[] | undefined {
  const [first = '', second = ''] = words;
  if (words.length < 2) return undefined;
  if (ASSIGNMENT.test(first)) return words.slice(1);
  const program = baseOf(first);
  if (PREFIXES.has(program)) return afterOptions(words, 1, program.endsWith('timeout') ? 1 : 0);
  if ((program === 'docker' || program === 'podman') && second === 'compose') return composed(words.slice(2));
  if (program === 'docker-compose') return composed(words.slice(1));
  if (program === 'ssh') return afterHost(words);
  const plain = RUNNERS.get(`${program} ${second}`);
  if (plain === undefined) return undefined;
  const rest = afterOptions(words, 2, plain + (/^(?:direnv|nix)$/.test(program) ? 1 : 0));
  return TASK_RUNNERS.has(program) && TASK.test(rest[0] ?? '') ? ['npm', 'run', ...rest] : rest;
}

/** Options of ssh that take the next word. */
const SSH_VALUES = /^-[A-Za-z]*[bcDEeFIiJLlmOopQRSWw]$/;

/** What is run on another machine: behind options and the host. */
function afterHost(words: readonly string[]): readonly string[] | undefined {
  let at = 1;
  while (words[at]?.startsWith('-')) at += SSH_VALUES.test(words[at] ?? '') ? 2 : 1;
  const rest = words.slice(at + 1);
  return rest.length === 0 ? undefined : rest;
}

function composed(words: readonly string[]): readonly string[] | undefined {
  const at = words.findIndex((word) => word === 'exec' || word === 'run');
  return at < 0 ? undefined : afterOptions(words, at + 1, 1);
}

/** What is left behind options and `plain` further words. */
function afterOptions(words: readonly string[], from: number, plain: number): readonly string[] {
  let at = from;
  let left = plain;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--') return words.slice(at + 1);
    if (word.startsWith('-')) {
      if (VALUE_FLAGS.has(word.replace(/^--?/, ''))) at += 1;
    } else if (left > 0) left -= 1;
    else break;
  }
  return words.slice(at);
}

export function baseOf(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}
