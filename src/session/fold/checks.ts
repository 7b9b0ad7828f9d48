/**
 * Which commands are checks, that is, could have failed because of the work: test runners, builds, type checkers,
 * linters, CI, and running the changed program.
 */

import type { CheckKind } from '../evidence.ts';
import type { CallOutcome } from './call-outcome.ts';
import { hashText } from './hash.ts';
import { baseOf, inlineCheck, LOOKS_FOR_FAILURES, type ShellPart } from './shell-syntax.ts';
import type { CheckEffect } from './state.ts';

/** Asking a program for its version or help checks nothing. */
const NO_CHECK =
  /(?:^| )(?:--help|-h|--version|-V|--list|--list-tests|--collect-only|--co|--init|--print-config|--show-config|--showConfig|--showBuildSettings|-list|--dry-run|--watch|--watchAll|clean|--clearCache|install-browsers)(?: |$)/;
/** Programs for which one of these words means something else. */
const OWN_FLAGS =
  /^(?:gofmt|prettier|xcodebuild|php-cs-fixer|mvn|mvnw|gradle|gradlew|make|cargo|dotnet|terraform|kubectl|mix|gh)$/;

/** Checks with any arguments. */
const PROGRAMS: Readonly<
  Record<Exclude<CheckKind, 'run' | 'snippet' | 'ci' | 'report' | 'hook' | 'checks'>, string>
> = {
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

/** Programs with several purposes, by their arguments. */
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

/** Most commands match none of them: one combined pattern rules them out. */
const ANY_COMMAND = new RegExp(
  COMMANDS.map(([, { source, flags }]) => (flags === 'i' ? `(?i:${source})` : source)).join('|'),
);

/** Runners of project tasks: the name of the task says what it does. */
const TASK_RUNNERS = new Set(
  `npm pnpm yarn bun lerna rush turbo nx moon deno just task go-task make gmake mise rtx rake rails invoke inv poe composer cargo
  mix ant scons mage earthly nps jake gulp grunt hatch`.split(/\s+/),
);
/** Words between the runner and the task name. */
const BEFORE_NAME = new Set(
  'run run-script task tasks r workspaces foreach xtask make affected run-many recursive'.split(' '),
);
/** Runner options, without their dashes, that take the next word. */
const TAKES_WORD = new Set('C f F w filter workspace prefix dir cwd scope file p'.split(' '));
/** Package manager commands that are not tasks, unless `run` precedes them. */
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

export function checkOf({
  text,
  hidden,
  into,
  printsExitCode,
  followed,
}: ShellPart): CheckEffect | undefined {
  const cut = text.length > 400 ? text.slice(0, 400) : text;
  const space = cut.indexOf(' ');
  const program = baseOf(space < 0 ? cut : cut.slice(0, space)).replace(/\.(?:exe|cmd|bat|phar)$/, '');
  const plain = space < 0 ? program : program + cut.slice(space);
  const inline = inlineCheck(cut);
  const kind = inline === undefined ? (kindOf(program, plain) ?? scriptKind(cut, plain)) : inlineKind(inline);
  const how: Pick<CheckEffect, 'hidden' | 'filtered' | 'printsExitCode' | 'followed'> = {
    ...(hidden && { hidden }),
    ...(into !== undefined && FILTERS.test(into) && { filtered: filterOf(into) }),
    ...(printsExitCode === true && { printsExitCode }),
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
    return { does: 'check', kind: 'snippet', ...how, files: inline.files.map((name) => hashText(name)) };
  const file = programRun(cut, plain);
  if (file === undefined) return undefined;
  const kindOfRun = PROBE.test(file) ? 'snippet' : 'run';
  return { does: 'check', kind: kindOfRun, ...how, ...(file !== '' && { file: hashText(file) }) };
}

const inlineKind = (inline: NonNullable<ReturnType<typeof inlineCheck>>): CheckKind | undefined =>
  'kind' in inline ? inline.kind : undefined;

const WAITS = /^gh run watch\b| --watch\b| --live\b/;
const OUTPUT = / -o[ =]?(\S+)/;

/** These filters drop parts of the output. */
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
/** Arguments with which a script prepares rather than checks. */
const PREPARES =
  /^\S+(?: \S+)? (?:setup|clean|cleanup|create|start|stop|list|install|init|configure|help|reset|teardown)(?:-\S*)?(?: |$)/;
const IS_SCRIPT = /^\.{1,2}\/|^(?:bin|scripts?)\/|\.(?:sh|bash|py|ps1|rb|js|mjs|ts|pl)$/;

/** A program written to try something out. */
const PROBE =
  /^(?:repro\w*|probe\w*|debug\w*|demo\w*|try\w*|tmp\w*|temp\w*|scratch\w*|verify\w*|check\w*|quick\w*|playground)\.\w+$/i;

/** The file that is run; empty when it is the project itself. */
function programRun(text: string, plain: string): string | undefined {
  if (RUN_PROJECT.test(plain)) return baseOf(/ (\S+\.(?:go|rs|swift|py))(?: |$)/.exec(plain)?.[1] ?? '');
  const path = SCRIPT.exec(text)?.[1];
  if (path === undefined) return undefined;
  if (INTERPRETED.test(plain)) return /\.\w{1,6}$/.test(path) ? baseOf(path) : undefined;
  return /^(?:\.{1,2})?\//.test(text) ? baseOf(path) : undefined;
}

// What the output of a check says, where the exit code cannot: a pipe or `; echo done` hides it.

/** Failure counts, and the lines that runners of many languages print for a failed test. */
const TESTS_FAILED =
  /(?:^|\n)[ \t]*(?:--- FAIL|FAIL\b|FAILED\b|not ok \d|✗ |✘ |× |● |Error: Test failed|BUILD FAILED|BUILD FAILURE|Tests failed|error: test failed)|\b[1-9]\d* (?:(?:tests?|specs?|examples?|suites?|scenarios?|checks?|assertions?|cases?) )?(?:failed|failing|failures?|errored)\b|\b(?:[Ff]ailures?|[Ff]ailed|[Ee]rrors)[=:] *[1-9]|(?:^|\n)FAILURES!|(?:#|ℹ) fail [1-9]|test result: FAILED|\bFAIL code [1-9]|evaluation failed :\(|ERROR task failed|\*\* TEST FAILED \*\*|Failed! +- |(?:^|\n)E {2,}\S|AssertionError|Assertion failed/;
const BUILD_FAILED =
  /(?:\berror(?:\[\w+\])?: |\berror TS\d+|: error\b|\bERROR in\b|fatal error|Build FAILED|BUILD FAILED|BUILD FAILURE|\[ERROR\]|ERROR task failed|Compilation failed|Failed to compile|Build failed|SyntaxError|npm ERR!|npm error|make(?:\[\d+\])?: \*\*\*|could not compile|cannot find (?:module|package|symbol)|undefined reference)|\b[1-9]\d* errors?\b|(?:^|\n)[\w./\\-]+\.\w{1,5}:\d+:\d+: \S/i;
const LINT_FAILED =
  /\b[1-9]\d* (?:errors?|problems?|issues?|offenses?|violations?|findings)\b|\bFound [1-9]\d* (?:error|issue)|(?:^|\n)[\w./\\-]+\.\w{1,5}:\d+(?::\d+)?:? \S|\berror(?:\[\w+\])?: |\berror TS\d+|ERROR task failed|would reformat|would be reformatted|\[warn\] Code style issues|not formatted|\bFAILED[ \t]*(?:\n|$)|\.{3}Failed\b|npm ERR!|npm error|SyntaxError/i;
const CI_FAILED =
  /(?:^|\n)(?:X |✗ |\S[^\n\t]{0,100}\t(?:fail|failure|cancelled|timed_out)\t)|"(?:conclusion|state|bucket)": ?"(?:failure|fail|FAILURE|ERROR|TIMED_OUT|CANCELLED|timed_out|cancelled)"|##\[error\]|Process completed with exit code [1-9]|\bcompleted\tfailure\b|\bfailed\b.{0,40}\bpipeline\b|\bpipeline\b.{0,40}\bfailed\b|\b[1-9]\d* failing\b|Some checks were not successful/i;
const CI_PENDING =
  /(?:^|\n)(?:\* |- |\S[^\n\t]{0,100}\t(?:pending|queued|in_progress)\t)|"(?:state|status)": ?"(?:pending|PENDING|queued|QUEUED|in_progress|IN_PROGRESS)"|no checks reported|\bin_progress\t|\bqueued\t/;
const CI_PASSED =
  /(?:^|\n)(?:✓ |\S[^\n\t]{0,100}\tpass\t)|"(?:conclusion|state|bucket)": ?"(?:success|SUCCESS|pass)"|\bcompleted\tsuccess\b|\bpipeline\b.{0,40}\b(?:passed|success)|All checks were successful/i;
/** A program that crashed, whatever its purpose. An exit code alone may be intended. */
const CRASHED =
  /(?:^|\n)(?:Traceback \(most recent call last\)|panic: |(?:Uncaught |Unhandled |thread '[^']{1,60}' panicked)|fatal error: |Exception in thread|Segmentation fault|(?:\w+\.)*[A-Z]\w*(?:Error|Exception)\b(?:: |\n|$)|[^\S\n]+at [\w.<>$ ]{1,120}\([^\n]{1,200}:\d+)|\.go:\d+:\d+: |Cannot find module|error\[E\d+\]/;
const PASSED =
  /\b(?:all (?:\d+ )?(?:tests?|checks?|specs?) (?:have )?pass|[1-9]\d* (?:(?:tests?|specs?|examples?|assertions?) )?(?:passed|passing|passes|ok)\b|0 (?:errors?|issues|problems|failures|failed|offenses|failing)\b|no (?:errors?|issues|problems|offenses) found|success: no issues|test result: ok|\*\* (?:TEST|BUILD) SUCCEEDED|BUILD SUCCESS|build succeeded|compiled successfully|built in|tests passed|all checks passed|tests? ok)|(?:^|\n)(?:ok\s|PASS\b|PASSED\b|OK\b|ok \d|✓ |✔ |Done in |Finished (?:in|`?\w+`? ))/i;
/** The check never started. */
const NOT_RUN =
  /no tests? (?:files? )?(?:found|ran|collected|matched)|missing script|command not found|: not found(?:\n|$)|no such file or directory: |is not recognized as|unknown (?:command|task|target|option|flag)|no rule to make target|task not found|no such (?:command|task)|cannot find module .{0,80}(?:jest|vitest|mocha)|could not (?:determine|find) (?:executable|gradle)|ENOENT|can't open file|No module named (?:pytest|mypy|ruff)/i;
const ZERO_FAILED = /\b0 (?:failed|failures?|errors?|failing)\b/i;
/** `echo "exit: $?"`. */
const PRINTED_EXIT_CODE =
  /(?:^|\n)[^\n]{0,40}\b(?:exit|exit code|exit status|rc|status)[:= ]+(\d{1,3})\b[^\n]{0,20}(?=\n|$)/i;

const ANY_FAILED = new RegExp(
  [TESTS_FAILED, BUILD_FAILED, LINT_FAILED].map(({ source }) => source).join('|'),
);

/** It was stopped before it finished. */
const STOPPED =
  /(?:^|\n)[([]?(?:(?:The )?[Cc]ommand (?:aborted|timed out)|EXECUTION TIMED OUT|Killed\b|Terminated\b)/i;

const FAILED: Readonly<Record<CheckKind, RegExp>> = {
  tests: TESTS_FAILED,
  build: BUILD_FAILED,
  types: BUILD_FAILED,
  lint: LINT_FAILED,
  ci: CI_FAILED,
  run: CRASHED,
  snippet: CRASHED,
  hook: LINT_FAILED,
  report: TESTS_FAILED,
  checks: ANY_FAILED,
};

const LONGEST = 4_000;

/** `impossible`: it could not run, or found nothing to run. Undefined: unknown. */
export type Verdict = boolean | 'impossible' | undefined;

/** The machine lacks something; the work is not at fault. */
const MISSING =
  /No module named ['"]?\w|Cannot find (?:module|package) ['"](?![./])|ERR_MODULE_NOT_FOUND|Could not resolve host|ENOTFOUND|getaddrinfo|Network is unreachable|Temporary failure in name resolution|not a git repository|cannot find main module|does not contain main module|go\.mod file not found|no required module provides package|file or directory not found|Could not transfer artifact|Unknown host|Name or service not known|Could not find gem|cannot open shared object file|Cannot connect to the Docker daemon|ECONNREFUSED|Connection refused|Executable doesn't exist|JAVA_HOME is not |did you run 'pip install|InterpreterNotFound|unrecognized arguments|error Command "[^"\n]{1,60}" not found|NO_IMPORTER_MANIFEST|GemNotFound|error MSB10\d\d|Unable to locate a Java|No space left on device|(?:^|\n)[^\n]{0,80}: Permission denied|could not find `Cargo\.toml`|Could not read package\.json|error: no such command|command not found|: not found(?:\n|$)|missing script|can't open file|can't cd to|cd: [^\n]{1,200}: No such file/i;
/** Individual tests ran, whatever else was missing. */
const TESTS_RAN =
  /\b[1-9]\d* (?:(?:tests?|specs?|examples?|assertions?) )?(?:passed|passing|failing)\b|--- (?:FAIL|PASS)|AssertionError|(?:^|\n)(?:not )?ok \d|\b[1-9]\d* (?:tests? )?failed(?!\s{0,4}\(\d{1,9}\)\s{1,40}Tests\s{1,9}no tests)(?![^\n]{0,80}\n\s{0,40}Tests:? {1,9}(?:0 total|no tests))(?!, \d+ total)/;
const TYPE_ERROR = /\berror TS(?!2307|7016)\d+/;
const OWN_MODULE = /No module named ['"]?([\w.]{1,80})/;

/** The missing module in the program's own language. The session may have changed a file of that name. */
export function missingModule(text: string | undefined): string | undefined {
  return text === undefined ? undefined : OWN_MODULE.exec(text.slice(-4_000))?.[1]?.split('.').at(-1);
}

const FAILED_TEST =
  /(?:^|\n)[ \t]*(?:--- FAIL|not ok \d|✗ |✘ |× |● |E {2,}\S)|\b[1-9]\d* (?:tests?|specs?|examples?|scenarios?) failed|AssertionError|test result: FAILED|\b[1-9]\d* failed, \d+ passed/;

/** When a command runs several checks, this tells that the tests failed. */
export function namesFailedTest(text: string | undefined): boolean {
  return text !== undefined && FAILED_TEST.test(text.slice(-LONGEST));
}

const NO_NETWORK =
  /name resolution|Name or service not known|getaddrinfo|Could not resolve host|Network is unreachable/;
const SOME_PASSED = /\b[1-9]\d* (?:\w+ )?pass(?:ed|ing)?\b/;

function isImpossible(kind: CheckKind, seen: string): boolean {
  if (!MISSING.test(seen)) return false;
  if (kind === 'tests' || kind === 'checks')
    return !TESTS_RAN.test(seen) || (NO_NETWORK.test(seen) && !SOME_PASSED.test(seen));
  if (kind === 'types') return !TYPE_ERROR.test(seen);
  return kind !== 'ci' && kind !== 'hook' && kind !== 'report';
}

/** The verdict of a check. @param stated whether the format itself reports success, rather than the text. */
export function verdictOf(
  check: CheckEffect,
  outcome: CallOutcome,
  text: string | undefined,
  stated: boolean,
): Verdict {
  if (outcome === 'denied' || outcome === 'unknown') return undefined;
  const seen =
    text === undefined ? '' : text.length > LONGEST ? text.slice(0, 1_000) + text.slice(-3_000) : text;
  if (STOPPED.test(seen) && !FAILED[check.kind].test(seen)) return 'impossible';
  if ((outcome === 'failed' || check.hidden === true) && isImpossible(check.kind, seen)) return 'impossible';
  if (check.kind === 'report') return reportedVerdict(seen);
  if (check.kind === 'hook') return hookVerdict(seen);
  if (check.kind === 'ci') return ciVerdict(seen);
  if (check.kind === 'run' || check.kind === 'snippet') return runVerdict(check, outcome, seen);
  if (check.hidden !== true) return plainVerdict(check, outcome, seen, stated);
  const code = check.printsExitCode === true ? PRINTED_EXIT_CODE.exec(seen)?.[1] : undefined;
  if (code !== undefined) return code === '0' && !FAILED[check.kind].test(seen);
  if (reportsFailure(check.kind, seen)) return false;
  if (NOT_RUN.test(seen) || (check.kind === 'tests' && ranNothing(seen))) return 'impossible';
  if (PASSED.test(seen)) return true;
  return silentVerdict(check, outcome, seen);
}

function plainVerdict(check: CheckEffect, outcome: CallOutcome, seen: string, stated: boolean): Verdict {
  if (outcome === 'succeeded' && stated) {
    if (check.kind !== 'tests') return true;
    // Some harnesses mark every delivered result as a success.
    return ranNothing(seen) ? 'impossible' : !COUNTS_FAILED.test(seen);
  }
  if (outcome === 'failed') {
    // A later part of the command line may have failed instead.
    if (reportsFailure(check.kind, seen)) return false;
    if (NOT_RUN.test(seen)) return 'impossible';
    return check.followed === true ? undefined : false;
  }
  if (NOT_RUN.test(seen)) return 'impossible';
  return !reportsFailure(check.kind, seen);
}

/** The summary line of a runner that counts failures. */
const COUNTS_FAILED =
  /(?:^|\n)=*[ \t]?[1-9]\d* failed,? [^\n]{0,80}\b(?:passed|in \d)|(?:^|\n)Tests:? {1,9}[1-9]\d* failed|test result: FAILED|(?:^|\n)FAILED \((?:failures|errors)=\d/;

/** Some runners exit with success when they find nothing to run. */
function ranNothing(seen: string): boolean {
  if (NO_TESTS.test(seen)) return true;
  if (!/\[no test(?: file)?s(?: to run)?\]/.test(seen)) return false;
  return !/(?:^|\n)(?:ok\s(?![^\n]*\[no tests to run\])|[ \t]*(?:--- |=== RUN)|FAIL)/.test(seen);
}
const NO_TESTS =
  /^\s*no tests? (?:files? )?found|\bcollected 0 items\b|\bRan 0 tests\b|\brunning 0 tests\b(?![\s\S]*\brunning [1-9])/i;

function reportsFailure(kind: CheckKind, seen: string): boolean {
  if (!FAILED[kind].test(seen)) return false;
  // "0 failed, 0 errors" next to the name of a test about failing.
  return !(ZERO_FAILED.test(seen) && !STRONG.test(seen));
}
const STRONG =
  /(?:^|\n)[ \t]*(?:--- FAIL|FAIL\b|FAILED\b|not ok \d)|\b[1-9]\d* (?:\w+ )?(?:failed|failing|failures?|errors?|problems?|issues?|offenses?)\b|error TS\d+|error\[/;

/** Compilers and linters print nothing on success. Silence of a test runner means nothing. */
function silentVerdict(check: CheckEffect, outcome: CallOutcome, seen: string): boolean | undefined {
  const empty = /^(?:exit code:? 1\s*)?(?:\(no output\))?$/i.test(seen.trim());
  // Searching for failures and finding none means that it passed, although `grep` then exits with 1.
  if (check.filtered === 'failures') return empty;
  if (check.filtered === true || outcome === 'failed') return undefined;
  return check.kind === 'tests' ? undefined : true;
}

function runVerdict(check: CheckEffect, outcome: CallOutcome, seen: string): Verdict {
  if (NOT_RUN.test(seen)) return 'impossible';
  if (CRASHED.test(seen)) return false;
  return outcome === 'succeeded' && (check.hidden !== true || seen.trim() !== '') ? true : undefined;
}

function ciVerdict(seen: string): boolean | undefined {
  if (CI_FAILED.test(seen)) return false;
  if (CI_PENDING.test(seen)) return undefined;
  return CI_PASSED.test(seen) ? true : undefined;
}

/** Commit hooks print something only when there are any. */
function hookVerdict(seen: string): boolean | undefined {
  if (/pre-commit (?:script |hook )?failed|hook (?:failed|declined)|\.{3}Failed\b/i.test(seen)) return false;
  return /pre-commit (?:checks? |hooks? )?passed|\.{3}Passed\b/i.test(seen) ? true : undefined;
}

/** A check reported by someone else, such as a sub-agent: only plain numbers or plain words count. */
function reportedVerdict(text: string): boolean | undefined {
  const seen = text.length > LONGEST ? text.slice(-LONGEST) : text;
  if (
    /\b[1-9]\d* (?:tests? |checks? )?(?:failed|failing)\b|\btests? (?:still |are |is )?fail(?:s|ed|ing)?\b|test result: FAILED|\bbuild (?:fails|failed|is broken)\b/i.test(
      seen,
    )
  )
    return false;
  return /\b[1-9]\d* (?:tests? )?(?:passed|passing)\b|\ball (?:\d+ |the )?(?:tests?|checks?) (?:now )?(?:pass|are passing|green)|\btests? (?:now )?(?:all )?pass(?:es|ed|ing)?\b|\b0 (?:failed|failures|failing)\b/i.test(
    seen,
  )
    ? true
    : undefined;
}
