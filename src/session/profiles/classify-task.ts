/**
 * The task type of a run by rules: the first match decides, and the result names it. The rules look at the trigger and
 * at the agent's actions before they look at words, because actions are harder to misread.
 */
import type { ArtifactKind } from '../event.ts';
import type { AgentRunFacts, RequestTrait, ToolKind } from '../evidence.ts';
import { TASK_TYPES, type TaskType } from './task-type.ts';

export type Classified = { readonly taskType: TaskType; readonly reason: string };

type Rule = {
  readonly taskType: TaskType;
  readonly reason: string;
  readonly when: (run: AgentRunFacts) => boolean;
};

/** Reading this much without changing anything is research rather than a glance. */
const MANY_LOOKUPS = 3;

/** From this many turns on it is a conversation. */
const LONG_TALK = 3;

const kind = (run: AgentRunFacts, ...kinds: readonly ToolKind[]): number =>
  kinds.reduce((sum, one) => sum + (run.toolKinds[one] ?? 0), 0);
const asked = (run: AgentRunFacts, ...traits: readonly RequestTrait[]): boolean =>
  traits.some((one) => run.requestTraits.includes(one));
const tried = (run: AgentRunFacts, ...kinds: readonly ArtifactKind[]): boolean =>
  run.artifacts.some((one) => kinds.includes(one.artifact) && one.made + one.failed > 0);

const landsCode = (run: AgentRunFacts) => tried(run, 'commit', 'pull-request');
const writesFiles = (run: AgentRunFacts) => tried(run, 'file') || kind(run, 'write') > 0;
const madeFiles = (run: AgentRunFacts) =>
  run.artifacts.some((one) => one.artifact === 'file' && one.made > 0);
const speaksOfCode = (run: AgentRunFacts) => asked(run, 'code-words', 'code-block');
const buildsCode = (run: AgentRunFacts) => writesFiles(run) && kind(run, 'shell') > 0 && speaksOfCode(run);
const changesNothing = (run: AgentRunFacts) => !writesFiles(run) && run.changesAttempted === 0;
const wantsIdeas = (run: AgentRunFacts) => asked(run, 'creative-words') && !speaksOfCode(run);

/**
 * A user keeps talking and the agent looks things up: service or advice rather than research. Users say "fix" or
 * "function" without meaning code, so words alone do not decide; many look-ups per turn make it research.
 */
const isConversation = (run: AgentRunFacts) =>
  (run.turns >= LONG_TALK || (run.turns >= 2 && !asked(run, 'research-words'))) &&
  kind(run, 'shell', 'web', 'write') === 0 &&
  changesNothing(run) &&
  !asked(run, 'file-path', 'code-block') &&
  (!speaksOfCode(run) || kind(run, 'read') < 2 * run.turns);

/** A scheduled run is operations unless it is plainly something else. */
const SCHEDULED = (
  [
    {
      taskType: 'coding',
      reason: 'a scheduled run that committed, opened a pull request or wrote code files',
      when: (run) => landsCode(run) || buildsCode(run),
    },
    {
      taskType: 'discovery',
      reason: 'a scheduled run that was asked for ideas, a proposal or a text, and wrote it down',
      when: (run) => wantsIdeas(run) && writesFiles(run),
    },
    {
      taskType: 'research',
      reason: 'a scheduled run that was asked to research and looked things up on the web',
      when: (run) => asked(run, 'research-words') && kind(run, 'web') > 0,
    },
    { taskType: 'operations', reason: 'a schedule set it going', when: () => true },
  ] as const satisfies Rule[]
).map((rule): Rule => ({ ...rule, when: (run) => run.trigger === 'cron' && rule.when(run) }));

const RULES: readonly Rule[] = [
  { taskType: 'heartbeat', reason: 'a heartbeat set it going', when: (run) => run.trigger === 'heartbeat' },
  {
    taskType: 'heartbeat',
    reason: 'the request is a heartbeat prompt, sent by a schedule or answered with HEARTBEAT_OK',
    when: (run) =>
      asked(run, 'heartbeat-words') && (run.trigger === 'cron' || run.finalReply === 'heartbeat-ok'),
  },
  ...SCHEDULED,
  { taskType: 'coding', reason: 'it committed or opened a pull request', when: landsCode },
  {
    taskType: 'chat',
    reason: 'it served a person with record tools (orders, bookings, accounts)',
    when: (run) =>
      run.turns >= 2 && kind(run, 'record', 'handoff') > 0 && !writesFiles(run) && kind(run, 'shell') === 0,
  },
  {
    taskType: 'chat',
    reason: 'a conversation with a few look-ups, not about code or files',
    when: isConversation,
  },
  {
    taskType: 'discovery',
    reason: 'it was asked for ideas, a proposal or a text, and wrote it down',
    when: (run) => wantsIdeas(run) && writesFiles(run),
  },
  {
    taskType: 'research',
    reason: 'it was asked to find out, looked things up, and wrote the result down',
    when: (run) =>
      asked(run, 'research-words') &&
      !speaksOfCode(run) &&
      writesFiles(run) &&
      kind(run, 'web') > kind(run, 'write', 'shell'),
  },
  {
    taskType: 'research',
    reason: 'it was asked for a plan, an explanation or a judgement, looked into it, and changed nothing',
    when: (run) =>
      (asked(run, 'plan-request') || (asked(run, 'explain-request') && !asked(run, 'code-request'))) &&
      changesNothing(run) &&
      kind(run, 'read', 'shell', 'web', 'spawn') > 0,
  },
  {
    taskType: 'operations',
    reason: 'a request about running systems or the diary, not about code, met mostly by commands',
    when: (run) =>
      asked(run, 'operations-words') &&
      !speaksOfCode(run) &&
      !asked(run, 'research-words') &&
      kind(run, 'shell') > kind(run, 'write'),
  },
  { taskType: 'coding', reason: 'it wrote files', when: (run) => writesFiles(run) && madeFiles(run) },
  { taskType: 'coding', reason: 'it tried to write files', when: writesFiles },
  {
    taskType: 'coding',
    reason: 'it was asked to write or mend code and used tools, whatever came of it',
    when: (run) => asked(run, 'code-request') && run.tools.calls > 0,
  },
  {
    taskType: 'operations',
    reason: 'it managed schedules',
    when: (run) => kind(run, 'cron') > 0,
  },
  {
    taskType: 'operations',
    reason: 'it changed records or sent messages in one go, without a conversation',
    when: (run) => run.turns < 2 && kind(run, 'record', 'message') > 0 && kind(run, 'shell') === 0,
  },
  {
    taskType: 'coding',
    reason: 'a request about code, with commands that changed something',
    when: (run) =>
      kind(run, 'shell') > 0 && run.changesAttempted > 0 && (speaksOfCode(run) || asked(run, 'file-path')),
  },
  {
    taskType: 'research',
    reason: 'it looked things up on the web and changed nothing',
    when: (run) => changesNothing(run) && kind(run, 'web') > 0,
  },
  {
    taskType: 'research',
    reason: 'it handed in an answer and changed nothing',
    when: (run) => changesNothing(run) && tried(run, 'answer'),
  },
  {
    taskType: 'research',
    reason: 'a sub-agent that read and changed nothing',
    when: (run) => run.trigger === 'subagent' && changesNothing(run) && kind(run, 'read', 'shell') > 0,
  },
  {
    taskType: 'research',
    reason: 'it was asked to find out or explain, and read without changing anything',
    when: (run) =>
      changesNothing(run) && asked(run, 'research-words', 'question') && kind(run, 'read', 'shell') > 0,
  },
  {
    taskType: 'coding',
    reason: 'a request about code, with commands',
    when: (run) => speaksOfCode(run) && kind(run, 'shell') > 0,
  },
  {
    taskType: 'research',
    reason: `it read ${MANY_LOOKUPS} or more sources and changed nothing`,
    when: (run) => changesNothing(run) && kind(run, 'read') >= MANY_LOOKUPS,
  },
  {
    taskType: 'operations',
    reason: 'it ran commands that changed something other than files, and code was not spoken of',
    when: (run) => kind(run, 'shell') > 0 && run.changesAttempted > 0,
  },
  {
    taskType: 'operations',
    reason: 'it ran commands or tools on a request that is not a question',
    when: (run) =>
      run.turns < 2 && !wantsIdeas(run) && !asked(run, 'question') && kind(run, 'shell', 'other') > 0,
  },
  {
    taskType: 'discovery',
    reason: 'it was asked for ideas, a proposal or a text',
    when: wantsIdeas,
  },
];

/** Words that sources use for the six types. */
const DECLARED: ReadonlyMap<string, TaskType> = new Map([
  ...TASK_TYPES.map((type) => [type, type] as const),
  ...(['code', 'implementation', 'programming', 'pr', 'bugfix', 'software-engineering'] as const).map(
    (word) => [word, 'coding'] as const,
  ),
  ...(['ops', 'cron', 'monitoring', 'devops'] as const).map((word) => [word, 'operations'] as const),
  ...(['analysis', 'research/analysis', 'investigation'] as const).map((word) => [word, 'research'] as const),
  ...(['advisory', 'chat/advisory', 'support', 'customer-service', 'conversation'] as const).map(
    (word) => [word, 'chat'] as const,
  ),
  ...(['creative', 'discovery/creative', 'proposal', 'writing'] as const).map(
    (word) => [word, 'discovery'] as const,
  ),
  ...(['maintenance', 'heartbeat/maintenance'] as const).map((word) => [word, 'heartbeat'] as const),
]);

export type ClassifyOptions = {
  /** The person's own word on it, from the configuration or a join file: always wins. */
  readonly override?: TaskType | undefined;
  /** What the source declares. */
  readonly declared?: string | undefined;
};

export function classifyTask(run: AgentRunFacts, { override, declared }: ClassifyOptions = {}): Classified {
  if (override !== undefined) return { taskType: override, reason: 'set by you' };
  const stated = declaredTaskType(declared);
  if (stated !== undefined) return { taskType: stated, reason: 'the source declares it' };
  const rule = RULES.find(({ when }) => when(run));
  if (rule !== undefined) return { taskType: rule.taskType, reason: rule.reason };
  return { taskType: 'chat', reason: 'a conversation: no rule for other work fits' };
}

export function declaredTaskType(declared: string | undefined): TaskType | undefined {
  return declared === undefined
    ? undefined
    : DECLARED.get(
        declared
          .trim()
          .toLowerCase()
          .replaceAll(/[\s_]+/g, '-'),
      );
}

/** The rules in words, for the documentation. */
export const TASK_TYPE_RULES: readonly Classified[] = RULES.map(({ taskType, reason }) => ({
  taskType,
  reason,
}));
