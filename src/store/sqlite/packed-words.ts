/**
 * What facts of sessions usually consist of, each said by its number in `packed-format.ts`. A list is part of the format
 * of the file: what stands in it is never changed, moved or taken out, only added to at the end. The keys of a template are
 * not even added to, because their number says where the values begin: a new key is written out beside them.
 */

/** The keys of the usual objects; one that has a key of `mark` is one of these, whatever else is in it. */
export type Template = { readonly mark: readonly string[]; readonly keys: readonly string[] };

const words = (text: string): string[] => text.trim().split(/\s+/);
const template = (mark: string, keys: string): Template => ({ mark: words(mark), keys: words(keys) });

export const TEMPLATES: readonly Template[] = [
  template('facts', 'facts file'),
  template('unknownRecords', 'path place lines skipped unknownRecords'),
  template(
    'version sessionId',
    `version source sessionId origin parentSessionId agent project declaredTaskType declaredUsage declaredCostUsd
     declaredIsTotal runs written abandoned`,
  ),
  template(
    'trigger firstLine',
    `trigger firstLine lastLine startedAt endedAt turns replies models tools toolKinds loops spawned spawnsCompleted
     spawnsFailed compactions compactionLines corrections correctionLines interrupts requests scope outputChars callChars
     finalReply finalReplyChars finalReplyLine requestTraits artifacts changesAttempted changesFailed end endLine work
     stateChange correctedBy acceptance thanks fillerChars sentBack repliesWithoutText idleChanges gaveUp file`,
  ),
  template('messagesWithoutUsage', 'model provider messages usage messagesWithoutUsage costUsd unpriced'),
  template('input cacheRead', 'input output cacheRead cacheWrite'),
  template(
    'calls succeeded',
    'calls succeeded failed denied unknown firstAttemptSuccesses failedLines failedAttempts',
  ),
  template('recovered persistent', 'recovered persistent longestRepeat lines'),
  template('systems narrow', 'files systems parts wide narrow'),
  template(
    'shell read write web record',
    'shell read write record web spawn plan message other handoff cron',
  ),
  template('artifact', 'artifact made failed lines'),
  template('entries', 'entries usage'),
  template('oneIn', 'oneIn files commits'),
  template('ends', 'ends inside firstAt lastAt wrote removed left'),
  template('sha', 'sha subject at'),
  template('codeChanges', 'codeChanges lastChangeLine lastCodeLine check'),
  template('passed', 'passed what line'),
  template('value', 'value what line'),
  template('times', 'times line'),
  template('denied interrupted said again', 'failed denied said interrupted again'),
  template('count', 'count firstLine'),
];

/** The first 64 take one byte, the others two. */
export const KNOWN: readonly string[] = [
  ...words(`text user normal short open file file-path code-words question empty unknown long tests-passed
    explain-request plan-request code-request research-words operations-words creative-words advice-words code-block url
    record commit message issue pull-request subagent cut-off error aborted heartbeat scheduled .jsonl .json / -
    claude-code claude codex openclaw opencode gemini anthropic openai google excellent excellent? good good? acceptable
    poor failed coding chat research operations discovery heartbeat-words heartbeat-ok no-reply refusal`),
  ...['tests passed', 'tests failed', 'linter passed', 'the changed program ran', 'record changed'],
  ...['accepted by the person', 'nothing-to-report', 'build passed', 'types checked', 'linter failed'],
  ...['.claude/projects/', '/.claude/projects/', '/.codex/sessions/', '/.openclaw/agents/', '/sessions/'],
  ...['/home/', '/Users/', '/root/', '/agent-', '/subagents/'],
];
