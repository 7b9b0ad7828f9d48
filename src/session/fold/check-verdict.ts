/** What the output of a check says about it, where the exit code cannot: a pipe or `; echo done` hides it. */
import type { CallOutcome } from './outcome.ts';
import type { CheckEffect, CheckKind } from './state.ts';

/** Numbers of failures, and the lines that runners of many languages print for a failed test. */
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
/** A program that broke, whatever its purpose; an exit code alone may be what it was meant to show. */
const CRASHED =
  /(?:^|\n)(?:Traceback \(most recent call last\)|panic: |(?:Uncaught |Unhandled |thread '[^']{1,60}' panicked)|fatal error: |Exception in thread|Segmentation fault|(?:\w+\.)*[A-Z]\w*(?:Error|Exception)\b(?:: |\n|$)|[^\S\n]+at [\w.<>$ ]{1,120}\([^\n]{1,200}:\d+)|\.go:\d+:\d+: |Cannot find module|error\[E\d+\]/;
const PASSED =
  /\b(?:all (?:\d+ )?(?:tests?|checks?|specs?) (?:have )?pass|[1-9]\d* (?:(?:tests?|specs?|examples?|assertions?) )?(?:passed|passing|passes|ok)\b|0 (?:errors?|issues|problems|failures|failed|offenses|failing)\b|no (?:errors?|issues|problems|offenses) found|success: no issues|test result: ok|\*\* (?:TEST|BUILD) SUCCEEDED|BUILD SUCCESS|build succeeded|compiled successfully|built in|tests passed|all checks passed|tests? ok)|(?:^|\n)(?:ok\s|PASS\b|PASSED\b|OK\b|ok \d|✓ |✔ |Done in |Finished (?:in|`?\w+`? ))/i;
/** Not a check after all: it never began. */
const NOT_RUN =
  /no tests? (?:files? )?(?:found|ran|collected|matched)|missing script|command not found|: not found(?:\n|$)|no such file or directory: |is not recognized as|unknown (?:command|task|target|option|flag)|no rule to make target|task not found|no such (?:command|task)|cannot find module .{0,80}(?:jest|vitest|mocha)|could not (?:determine|find) (?:executable|gradle)|ENOENT|can't open file|No module named (?:pytest|mypy|ruff)/i;
const ZERO_FAILED = /\b0 (?:failed|failures?|errors?|failing)\b/i;
/** `echo "exit: $?"`. */
const SAID_CODE =
  /(?:^|\n)[^\n]{0,40}\b(?:exit|exit code|exit status|rc|status)[:= ]+(\d{1,3})\b[^\n]{0,20}(?=\n|$)/i;

const ANY_FAILED = new RegExp(
  [TESTS_FAILED, BUILD_FAILED, LINT_FAILED].map(({ source }) => source).join('|'),
);

/** It was stopped before it could say anything. */
const STOPPED = /(?:^|\n)\(?(?:Command (?:aborted|timed out)|EXECUTION TIMED OUT|Killed\b|Terminated\b)/i;

const FAILED: Readonly<Record<CheckKind, RegExp>> = {
  tests: TESTS_FAILED,
  build: BUILD_FAILED,
  types: BUILD_FAILED,
  lint: LINT_FAILED,
  ci: CI_FAILED,
  run: CRASHED,
  hook: LINT_FAILED,
  report: TESTS_FAILED,
  checks: ANY_FAILED,
};

const LONGEST = 4_000;

/**
 * Whether the check passed; undefined when it did not run, or when nothing tells.
 * @param stated whether the format itself says that the call succeeded, rather than its text.
 */
export function verdictOf(
  check: CheckEffect,
  outcome: CallOutcome,
  text: string | undefined,
  stated: boolean,
): boolean | undefined {
  if (outcome === 'denied' || outcome === 'unknown') return undefined;
  const seen =
    text === undefined ? '' : text.length > LONGEST ? text.slice(0, 1_000) + text.slice(-3_000) : text;
  if (STOPPED.test(seen) && !FAILED[check.kind].test(seen)) return undefined;
  if (check.kind === 'report') return reportedVerdict(seen);
  if (check.kind === 'hook') return hookVerdict(seen);
  if (check.kind === 'ci') return ciVerdict(seen);
  if (check.kind === 'run') return runVerdict(check, outcome, seen);
  if (check.hidden !== true) return plainVerdict(check, outcome, seen, stated);
  const code = check.told === true ? SAID_CODE.exec(seen)?.[1] : undefined;
  if (code !== undefined) return code === '0' && !FAILED[check.kind].test(seen);
  if (saysFailure(check.kind, seen)) return false;
  if (NOT_RUN.test(seen) || (check.kind === 'tests' && ranNothing(seen))) return undefined;
  if (PASSED.test(seen)) return true;
  return silentVerdict(check, outcome, seen);
}

function plainVerdict(
  check: CheckEffect,
  outcome: CallOutcome,
  seen: string,
  stated: boolean,
): boolean | undefined {
  if (outcome === 'succeeded' && stated) return check.kind === 'tests' && ranNothing(seen) ? undefined : true;
  if (outcome === 'failed') {
    // What comes after it in the line may be what failed.
    const doubtful = check.followed === true || NOT_RUN.test(seen);
    return doubtful && !saysFailure(check.kind, seen) ? undefined : false;
  }
  if (NOT_RUN.test(seen)) return undefined;
  return !saysFailure(check.kind, seen);
}

/** Runners that find nothing to run call that a success. */
function ranNothing(seen: string): boolean {
  if (NO_TESTS.test(seen)) return true;
  if (!/\[no test(?: file)?s(?: to run)?\]/.test(seen)) return false;
  return !/(?:^|\n)(?:ok\s(?![^\n]*\[no tests to run\])|[ \t]*(?:--- |=== RUN)|FAIL)/.test(seen);
}
const NO_TESTS =
  /^\s*no tests? (?:files? )?found|\bcollected 0 items\b|\bRan 0 tests\b|\brunning 0 tests\b(?![\s\S]*\brunning [1-9])/i;

function saysFailure(kind: CheckKind, seen: string): boolean {
  if (!FAILED[kind].test(seen)) return false;
  // "0 failed, 0 errors" beside the name of a test about failing.
  return !(ZERO_FAILED.test(seen) && !STRONG.test(seen));
}
const STRONG =
  /(?:^|\n)[ \t]*(?:--- FAIL|FAIL\b|FAILED\b|not ok \d)|\b[1-9]\d* (?:\w+ )?(?:failed|failing|failures?|errors?|problems?|issues?|offenses?)\b|error TS\d+|error\[/;

/** Compilers and linters have nothing to say when all is well; of a test runner silence says nothing. */
function silentVerdict(check: CheckEffect, outcome: CallOutcome, seen: string): boolean | undefined {
  const empty = /^(?:exit code:? 1\s*)?(?:\(no output\))?$/i.test(seen.trim());
  // Who looks for failures and finds none has seen it pass; `grep` calls that a failure of its own.
  if (check.filtered === 'failures') return empty;
  if (check.filtered === true || outcome === 'failed') return undefined;
  return check.kind === 'tests' ? undefined : true;
}

function runVerdict(check: CheckEffect, outcome: CallOutcome, seen: string): boolean | undefined {
  if (NOT_RUN.test(seen)) return undefined;
  if (CRASHED.test(seen)) return false;
  return outcome === 'succeeded' && (check.hidden !== true || seen.trim() !== '') ? true : undefined;
}

function ciVerdict(seen: string): boolean | undefined {
  if (CI_FAILED.test(seen)) return false;
  if (CI_PENDING.test(seen)) return undefined;
  return CI_PASSED.test(seen) ? true : undefined;
}

/** Hooks of a commit say something only when there are any. */
function hookVerdict(seen: string): boolean | undefined {
  if (/pre-commit (?:script |hook )?failed|hook (?:failed|declined)|\.{3}Failed\b/i.test(seen)) return false;
  return /pre-commit (?:checks? |hooks? )?passed|\.{3}Passed\b/i.test(seen) ? true : undefined;
}

/** What somebody else reports of a check, a sub-agent for one: only plain numbers or plain words count. */
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
