/**
 * Did a call succeed? The format's own flag comes first. Without one, or when a shell hides a failing command, the
 * output text decides. Rules are narrow on purpose: a file that was read may contain the word "error".
 */
import type { ToolKind } from '../evidence.ts';

export type CallOutcome = 'succeeded' | 'failed' | 'denied' | 'unknown';

type ResultText = { readonly ok?: boolean; readonly denied?: boolean; readonly text?: string };

const EDGE = 600;

const DENIED =
  /^(?:The user doesn't want to (?:proceed|take this action)|Permission to use \S+ .{0,2000}has been denied|User rejected|Tool (?:use|call) was rejected by the user|\[?Request interrupted by user)/s;

/** The call was sent together with a call that failed, and never ran. */
const NOT_MADE = /^\s*(?:<tool_use_error>\s*)?(?:Sibling tool call errored|Cancelled: parallel tool call)/;

/** An exit code that a harness prints at the start or end of the output. */
const EXIT_HEAD =
  /^\s*(?:<\w+>\s*)?(?:Exit code:?|exit_code:|Process exited with code|Command failed with exit code) ?(-?\d+)/i;
const EXIT_LINE = /^Exit Code: (-?\d+)\s*$/m;
const EXIT_TAIL =
  /\(?(?:Command exited with (?:non-zero )?(?:exit )?code|Process exited with code|Command finished with exit code|\[?Command failed with exit code|exited with exit code|exit code:?|Process group PGID.{0,20}exit code) ?(-?\d+)[).\]]{0,2}\s*$/i;
/** What harnesses write themselves. Programs may print the looser forms about something else. */
const EXIT_STATED = /(?:^|\n)\(?Command exited with code (-?\d+)\)?\s*$/;
const ABORTED_TAIL = /(?:^|\n)\(?Command (?:aborted|timed out)[^\n]{0,60}\s*$/i;

/** How tools of various agents begin when they report their own failure. */
const ERROR_START =
  /^\s*(?:<tool_use_error>|<error>|\[?error\b[:\]]|error(?: (?:executing|running|calling|reading|writing|while|occurred|invoking|parsing|editing|searching|code|TS\d+)\b|\n)|an (?:unexpected )?error occurred|traceback \(most recent call last\)|E(?:ACCES|ADDRINUSE|BUSY|CONNREFUSED|CONNRESET|EXIST|HOSTUNREACH|INVAL|ISDIR|MFILE|NOENT|NOSPC|NOTDIR|NOTEMPTY|NOTFOUND|PERM|PIPE|ROFS|TIMEDOUT): |(?:\w+\.)*[A-Z]\w*(?:Error|Exception): |exception: |fatal: |failed to |failure: |invalid (?:tool|arguments?|parameters?|input)\b|unknown (?:tool|command|skill)\b|(?:tool|function) \S{1,60} (?:not found|does not exist)|could not find the exact text|string to replace not found|no changes (?:made|to make)|file (?:not found|does not exist|has not been read yet)|permission denied|request failed|your proposed edit has introduced new syntax error)/i;

const JSON_ERROR =
  /^\s*\{\s*"(?:error"\s*:\s*(?:"[^"]|\{)|is_?error"\s*:\s*true|status"\s*:\s*"(?:error|fail)|(?:success|ok)"\s*:\s*false)/i;

/** Shells report errors in the first or the last lines. */
const SHELL_HEAD =
  /^[^\n]{0,200}(?:command not found|: not found$|no such file or directory|permission denied|is not recognized as an internal|cannot access|: not a directory|no matches found:|illegal option|unrecognized option|invalid option|can't open file)/im;
const SHELL_TAIL =
  /(?:^|\n)(?:(?:\w+\.)*[A-Z]\w*(?:Error|Exception)(?:: [^\n]{0,500})?|npm ERR! [^\n]*|npm error [^\n]*|fatal: [^\n]*|error: [^\n]*|make(?:\[\d+\])?: \*\*\* [^\n]*|FAIL|FAILED \([^\n]*|Segmentation fault[^\n]*|Killed|panic: [^\n]*|exit status [1-9]\d*|[^\n]{0,40}ERROR task failed|=+ .{0,60}[1-9]\d* failed.{0,60} =+)\s*$/;

/** @param failsCheck decides from a check's output, for calls without any other status. */
export function outcomeOf(
  result: ResultText,
  kind: ToolKind,
  failsCheck: (text: string) => boolean = () => false,
): CallOutcome {
  const text = typeof result.text === 'string' ? result.text : undefined;
  if (result.denied === true) return 'denied';
  const head = text === undefined ? '' : text.slice(0, EDGE);
  if (result.ok !== true && DENIED.test(head)) return 'denied';
  if (result.ok !== true && NOT_MADE.test(head)) return 'unknown';
  if (result.ok === false) return 'failed';
  if (text === undefined) return result.ok === true ? 'succeeded' : 'unknown';
  const tail = text.length > EDGE ? text.slice(-EDGE) : head;
  if (kind === 'shell' || kind === 'other') {
    const code = exitCode(head, tail, result.ok === true);
    if (code !== undefined) return code === 0 ? 'succeeded' : 'failed';
    if (kind === 'shell' && ABORTED_TAIL.test(tail)) return 'failed';
  }
  if (result.ok === true) return 'succeeded';
  return reportsFailure(head, tail, kind) || failsCheck(text) ? 'failed' : 'succeeded';
}

function exitCode(head: string, tail: string, stated: boolean): number | undefined {
  const found =
    (stated ? EXIT_STATED.exec(tail) : (EXIT_HEAD.exec(head) ?? EXIT_TAIL.exec(tail))) ??
    EXIT_LINE.exec(head) ??
    EXIT_LINE.exec(tail);
  return found?.[1] === undefined ? undefined : Number(found[1]);
}

function reportsFailure(head: string, tail: string, kind: ToolKind): boolean {
  if (kind === 'shell') {
    return (
      SHELL_HEAD.test(head.slice(0, head.indexOf('\n', 1) + 1 || head.length)) ||
      SHELL_TAIL.test(tail) ||
      ERROR_START.test(head)
    );
  }
  return ERROR_START.test(head) || JSON_ERROR.test(head);
}
