/**
 * Which commands are checks: something that could have said no. Test runners, builds, type checkers, linters, CI, and
 * running what was changed.
 */
import { hashText } from './hash.ts';
import { inlineCheck } from './inner-commands.ts';
import { LOOKS_FOR_FAILURES, type ShellPart } from './shell-parts.ts';
import { baseOf } from './shell-wrappers.ts';
import type { CheckEffect, CheckKind } from './state.ts';

/** Asking a program about itself checks nothing. */
const NO_CHECK =
  /(?:^| )(?:--help|-h|--version|-V|--list|--list-tests|--collect-only|--co|--init|--print-config|--show-config|--showConfig|--showBuildSettings|-list|--dry-run|--watch|--watchAll|clean|--clearCache|install-browsers)(?: |$)/;
/** Programs for which one of these words means something else. */
const OWN_FLAGS =
  /^(?:gofmt|prettier|xcodebuild|php-cs-fixer|mvn|mvnw|gradle|gradlew|make|cargo|dotnet|terraform|kubectl|mix|gh)$/;

/** Whatever their arguments. */
const PROGRAMS: Readonly<Record<Exclude<CheckKind, 'run' | 'ci' | 'report' | 'hook' | 'checks'>, string>> = {
  tests: `pytest py.test tox nox vitest jest mocha ava tap jasmine karma rspec phpunit pest paratest ctest busted bats prove
    gotestsum ginkgo nose2 nosetests behave cucumber codecept behat phpspec elm-test lit trial stestr robot pytest-3 minitest
    nosetests3 dredd newman schemathesis`,
  types:
    'tsc tsgo vue-tsc svelte-check mypy dmypy pyright basedpyright pytype pyre srb phpstan psalm dialyzer tsd attw',
  lint: `eslint oxlint xo standard tslint stylelint flake8 pylint bandit golangci-lint staticcheck revive rubocop standardrb
    shellcheck hadolint ktlint detekt swiftlint clang-tidy cppcheck cpplint phpcs luacheck ansible-lint yamllint actionlint
    markdownlint pre-commit lint-staged tflint ameba credo reek brakeman vulture knip checkov semgrep xmllint pycodestyle
    pydocstyle pyflakes kubeconform kubeval htmlproofer lychee`,
  build: `webpack rollup esbuild tsup parcel gcc g++ clang clang++ cc c++ rustc javac kotlinc scalac ghc swiftc solc msbuild
    ninja latexmk pdflatex xelatex sphinx-build coqc agda`,
};
const BY_PROGRAM = new Map<string, CheckKind>();
for (const [kind, names] of Object.entries(PROGRAMS))
  for (const name of names.split(/\s+/)) BY_PROGRAM.set(name, kind as CheckKind);

/** Programs that do many things, by what they are told. */
const COMMANDS: readonly (readonly [CheckKind, RegExp])[] = [
  ['tests', /^python[\d.]* (?:-\S+ )*-m (?:pytest|unittest|nose2?|doctest|behave|tox|nox|trial|green)\b/],
  ['tests', /^(?:python[\d.]* )?(?:\S*\/)?manage\.py test\b|^django-admin test\b|^php artisan test\b/],
  [
    'tests',
    /^(?:go|deno|bun|dotnet|swift|sbt|lein|mix|gleam|cabal|stack|flutter|dart|zig|forge|hardhat|truffle|anchor|crystal|rails|hatch|meson|bazel|bazelisk|buck2?|pants|please|plz|moon|ng|v|shards|vstest|cypress|rebar3|clj|fastlane|dbt|opa|conftest|maestro|detox|rye|uv|sqlmesh) (?:-\S+ )*(?:test|tests|spec|eunit|ct|t)(?: |:|$)/,
  ],
  [
    'tests',
    /^cargo (?:\+\S+ |-\S+ )*(?:test|t|nextest|miri|llvm-cov|tarpaulin)(?: |$)|^dune (?:test|runtest)\b|^(?:cypress|wdio) run\b|^playwright test\b|^node (?:-\S+ )*--test\b|^zig build test\b|^R CMD check\b|^swift package (?:\S+ )*test\b/,
  ],
  [
    'tests',
    /^clojure -[MXA]:\S*test|^mill \S*\.?test\b|^elixir -S mix test\b|^Invoke-Pester\b|^nix flake check\b|^stryker run\b/,
  ],
  [
    'lint',
    /^sqlfluff lint\b|^(?:buf|spectral) lint\b|^swiftformat\b.*--lint|^promtool check\b|^(?:packer|sam|caddy) validate\b|^ansible-playbook\b.*--syntax-check|^docker[ -]compose config\b|^pod (?:lib|spec) lint\b|^git diff --check\b/,
  ],
  ['tests', /^xcodebuild\b.*\b(?:test|test-without-building)\b|^tuist test\b|^xctest\b/],
  ['tests', /^(?:mvn|mvnw|mvnd)\b.* (?:test|verify|integration-test|surefire:test|failsafe:verify)(?: |$)/],
  ['tests', /^(?:gradle|gradlew)\b.* \S*(?:[tT]est|check|Check)\S*(?: |$)/],
  [
    'types',
    /^cargo (?:\+\S+ |-\S+ )*(?:check|c)(?: |$)|^deno check\b|^ty check\b|^flow(?: check)?(?: |$)|^mix dialyzer\b|^astro check\b|^python[\d.]* -m (?:mypy|pyright)\b|^go vet\b/,
  ],
  [
    'lint',
    /^(?:biome|rome) (?:check|lint|ci)\b|^ruff(?: check| format .*--(?:check|diff))(?: |$)|^black\b.*--(?:check|diff)|^isort\b.*(?:--check|-c\b)|^prettier\b.*(?:--check|-c\b|-l\b)|^gofmt\b.* -\w*[ld]|^cargo (?:\+\S+ )*clippy\b|^cargo fmt\b.*--check|^deno (?:lint|fmt --check)\b|^next lint\b|^nx lint\b|^mix (?:credo|format --check-formatted)\b|^terraform (?:validate|fmt .*-check)\b|^helm lint\b|^dart analyze\b|^flutter analyze\b|^dotnet format\b.*--verify|^php-cs-fixer\b.*--dry-run|^pint\b.*--test|^python[\d.]* -m (?:flake8|pylint|ruff|pycodestyle|pyflakes|black .*--check)\b|^cargo (?:deny|audit)\b|^clang-format\b.*(?:--dry-run|-n )/,
  ],
  [
    'lint',
    /^php (?:\S+ )*-l\b|^node (?:--check|-c)\b|^python[\d.]* -m (?:py_compile|compileall|ast|json\.tool)\b|^(?:ba|z|da)?sh -n\b|^ruby -w?c\b|^perl -w?c\b|^nginx -t\b|^jq (?:-e )?(?:empty|\.) \S|^swift package resolve\b/,
  ],
  [
    'build',
    /^(?:go|cargo|dotnet|swift|zig|mix|stack|cabal|dune|bazel|bazelisk|buck2?|flutter|dart|forge|hardhat|anchor|sbt|lein|gleam|next|vite|nuxt|astro|ng|nx|turbo|parcel|bun|wasm-pack|expo|eas|hugo|jekyll|mkdocs|docusaurus|storybook|poetry|hatch|uv|crystal|shards|nim|meson|moon|electron-builder|remix|gatsby) (?:-\S+ |\+\S+ )*(?:build|compile|b|c|publish|build-exe|build-lib|gen)(?: |:|$)/,
  ],
  [
    'build',
    /^go install\b(?!.*@)|^(?:dbt|nix|lake|mdbook|zola) (?:build|compile|parse)\b|^(?:cdk|cdktf) synth\b|^pulumi preview\b|^cmake --build\b|^(?:docker|podman)(?: buildx)? build\b|^docker[ -]compose build\b|^python[\d.]* (?:-m build|setup\.py (?:build|sdist|bdist_wheel))\b|^terraform plan\b|^helm template\b|^xcodebuild\b|^tuist build\b|^rails (?:assets:precompile|zeitwerk:check)\b/,
  ],
  [
    'build',
    /^(?:mvn|mvnw|mvnd)\b.* (?:compile|package|install|test-compile)(?: |$)|^(?:gradle|gradlew)\b.* \S*(?:build|assemble|compile|jar|classes)\S*(?: |$)/i,
  ],
  [
    'ci',
    /^gh (?:pr checks|run (?:view|watch|list)|workflow view)\b|^gh pr view\b.*statusCheckRollup|^glab (?:ci|pipeline) (?:status|view|list|get)\b|^gh api\b.*(?:check-runs|check-suites|\/status(?:es)?\b|actions\/runs)/,
  ],
];

/** Most commands are none of them: one look tells. */
const ANY_COMMAND = new RegExp(
  COMMANDS.map(([, { source, flags }]) => (flags === 'i' ? `(?i:${source})` : source)).join('|'),
);

/** Runners of a project's own tasks: what a task does is in its name. */
const TASK_RUNNERS = new Set(
  `npm pnpm yarn bun lerna rush turbo nx moon deno just task go-task make gmake mise rtx rake rails invoke inv poe composer cargo
  mix ant scons mage earthly nps jake gulp grunt hatch`.split(/\s+/),
);
/** Words between the runner and the name of the task. */
const BEFORE_NAME = new Set(
  'run run-script task tasks r workspaces foreach xtask make affected run-many recursive'.split(' '),
);
/** Options of runners, without their dashes, that take the next word. */
const TAKES_WORD = new Set('C f F w filter workspace prefix dir cwd scope file p'.split(' '));
/** Words of package managers that are no task, unless `run` stands before them. */
const OF_MANAGERS =
  /^(?:install|ci|add|remove|init|info|list|ls|why|view|start|dev|publish|update|upgrade|outdated|link|config|set|help|audit|fund|cache|exec|version|create)$/;
const MANAGERS = /^(?:npm|pnpm|yarn|bun|composer|cargo|mix|rails|deno)$/;
const BARE_MAKE = /^(?:make|gmake|just|scons|ant)(?: -\S+| \w+=\S*)*$/;

const TASK_NAMES: readonly (readonly [CheckKind, RegExp])[] = [
  [
    'tests',
    /(?:^|[:._/+-])(?:tests?|t|spec|specs|e2e|unit|integration|cypress|playwright|coverage|cov|jest|vitest|pytest|smoke|nextest|regress(?:ion)?|selftest|canary|testall|unittests?|\w*tests?)(?:$|[:._/+-])/i,
  ],
  [
    'types',
    /(?:^|[:._/+-])(?:types?|typecheck|type-check|check-types|tsc|mypy|pyright|dialyzer)(?:$|[:._/+-])/i,
  ],
  [
    'lint',
    /(?:^|[:._/+-])(?:lint\w*|eslint|stylelint|clippy|vet|rubocop|phpstan|phpcs|credo|style|format-check|fmt-check|prettier-check|knip)(?:$|[:._/+-])|(?:fmt|format|prettier|style)[:._-]check/i,
  ],
  [
    'checks',
    /(?:^|[:._/+-])(?:checks?|verify|validate|ci|preflight|qa|precommit|pre-commit|prepush|sanity|doctor)(?:$|[:._/+-])/i,
  ],
  [
    'build',
    /(?:^|[:._/+-])(?:build\w*|compile|bundle|dist|package|all|assemble|prod|release-build|binary|bin)(?:$|[:._/+-])/i,
  ],
];

const SCRIPT =
  /^(?:(?:(?:ba|z|da)?sh|python[\d.]*|node|ruby|php|perl|tsx|ts-node|bun|deno run|deno|Rscript|julia|lua|elixir|pwsh|powershell|source|\.)(?: -[-\w=.]+)* )?((?:~|\.{1,2})?\/?(?:[\w.@-]+\/)*[\w.@-]+)(?: |$)/;
const INTERPRETED =
  /^(?:(?:ba|z|da)?sh|python[\d.]*|node|ruby|php|perl|tsx|ts-node|bun|deno|Rscript|julia|lua|elixir|pwsh|powershell|java|dotnet)(?: |$)/;
const TEST_FILE =
  /(?:^|\/)(?:tests?|spec|__tests__)\/|(?:^|[/_.-])(?:tests?|spec)[_.-]|[_.-](?:tests?|spec)\.\w+$/i;
/** Running the project itself. */
const RUN_PROJECT =
  /^(?:go run|cargo (?:\+\S+ )?(?:run|r)|dotnet run|swift run|zig build run|mix run|stack run|cabal run|dune exec|gradlew? \S*run|mvn \S*exec:java|sbt run|flutter run|npm start|npm run (?:start|dev|demo|example)\S*|make run|lein run|crystal run|bun start|yarn start|pnpm start)(?: |$)/;

export function checkOf({ text, hidden, into, told, followed }: ShellPart): CheckEffect | undefined {
  const cut = text.length > 400 ? text.slice(0, 400) : text;
  const space = cut.indexOf(' ');
  const program = baseOf(space < 0 ? cut : cut.slice(0, space)).replace(/\.(?:exe|cmd|bat|phar)$/, '');
  const plain = space < 0 ? program : program + cut.slice(space);
  const inline = inlineCheck(cut);
  const kind = inline === undefined ? (kindOf(program, plain) ?? scriptKind(cut, plain)) : inlineKind(inline);
  const how: Pick<CheckEffect, 'hidden' | 'filtered' | 'told' | 'followed'> = {
    ...(hidden && { hidden }),
    ...(into !== undefined && FILTERS.test(into) && { filtered: filterOf(into) }),
    ...(told === true && { told }),
    ...(followed === true && { followed }),
  };
  const out = kind === 'build' ? OUTPUT.exec(cut)?.[1] : undefined;
  if (kind !== undefined) {
    const waits = kind === 'ci' && WAITS.test(cut);
    return {
      does: 'check',
      kind,
      ...how,
      ...(waits && { waits }),
      ...(out !== undefined && { builds: hashText(baseOf(out)) }),
    };
  }
  if (inline !== undefined && 'files' in inline)
    return { does: 'check', kind: 'run', ...how, files: inline.files.map((name) => hashText(name)) };
  const file = programRun(cut, plain);
  if (file === undefined) return undefined;
  return { does: 'check', kind: 'run', ...how, ...(file !== '' && { file: hashText(file) }) };
}

const inlineKind = (inline: NonNullable<ReturnType<typeof inlineCheck>>): CheckKind | undefined =>
  'kind' in inline ? inline.kind : undefined;

const WAITS = /^gh run watch\b| --watch\b| --live\b/;
const OUTPUT = / -o[ =]?(\S+)/;

/** Not all of the output comes through these. */
const FILTERS = /^(?:e?grep|rg|ag|awk|sed|jq|wc|cut|sort|uniq)\b/;

function filterOf(into: string): true | 'failures' {
  const looks = /^e?grep (?:-[^v ]+ )*(\S+)/.exec(into)?.[1] ?? '';
  return looks === LOOKS_FOR_FAILURES || /^(?:error|FAIL|fail)\w*$/i.test(looks) ? 'failures' : true;
}

function kindOf(program: string, plain: string): CheckKind | undefined {
  if (NO_CHECK.test(plain) && !OWN_FLAGS.test(program)) return undefined;
  if (/ (?:--help|--version)(?: |$)/.test(plain) || /^tsc .*-w\b/.test(plain)) return undefined;
  if (/^git (?:-\S+ \S+ )*commit\b/.test(plain)) return 'hook';
  const byName = BY_PROGRAM.get(program);
  if (byName !== undefined) return byName;
  const found = ANY_COMMAND.test(plain) ? COMMANDS.find(([, rule]) => rule.test(plain)) : undefined;
  if (found !== undefined) return found[0];
  if (BARE_MAKE.test(plain)) return 'build';
  return taskKind(plain);
}

function taskKind(plain: string): CheckKind | undefined {
  const words = plain.split(' ');
  const [program = ''] = words;
  if (!TASK_RUNNERS.has(program)) return undefined;
  let ran = false;
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === 'workspace' || (word.startsWith('-') && TAKES_WORD.has(word.replace(/^--?/, '')))) at += 1;
    else if (BEFORE_NAME.has(word)) ran = true;
    else if (!word.startsWith('-') && !/^\w+=/.test(word)) {
      if (!ran && MANAGERS.test(program) && OF_MANAGERS.test(word)) return undefined;
      return nameKind(word);
    }
  }
  return undefined;
}

function nameKind(name: string): CheckKind | undefined {
  return name.length > 100 ? undefined : TASK_NAMES.find(([, rule]) => rule.test(name))?.[0];
}

/** `./scripts/test.sh`, `python tests/test_parse.py`. */
function scriptKind(text: string, plain: string): CheckKind | undefined {
  const path = SCRIPT.exec(text)?.[1];
  if (path === undefined || !(INTERPRETED.test(plain) || IS_SCRIPT.test(path))) return undefined;
  if (PREPARES.test(text)) return undefined;
  if (TEST_FILE.test(path)) return 'tests';
  const kind = nameKind(baseOf(path).replace(/\.\w+$/, ''));
  return kind === 'types' ? undefined : kind;
}
/** What a script is told to do when it does not check yet. */
const PREPARES =
  /^\S+(?: \S+)? (?:setup|clean|cleanup|create|start|stop|list|install|init|configure|help|reset|teardown)(?:-\S*)?(?: |$)/;
const IS_SCRIPT = /^\.{1,2}\/|^(?:bin|scripts?)\/|\.(?:sh|bash|py|ps1|rb|js|mjs|ts|pl)$/;

/** The file that is run; empty when it is the project itself. */
function programRun(text: string, plain: string): string | undefined {
  if (RUN_PROJECT.test(plain)) return baseOf(/ (\S+\.(?:go|rs|swift|py))(?: |$)/.exec(plain)?.[1] ?? '');
  const path = SCRIPT.exec(text)?.[1];
  if (path === undefined) return undefined;
  if (INTERPRETED.test(plain)) return /\.\w{1,6}$/.test(path) ? baseOf(path) : undefined;
  return /^(?:\.{1,2})?\//.test(text) ? baseOf(path) : undefined;
}
