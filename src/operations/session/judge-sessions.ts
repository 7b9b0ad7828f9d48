/** A model's opinion of sessions, stored as a rating by that model. It never becomes part of Q. */
import { existsSync } from 'node:fs';
import { AssayError } from '../../errors.ts';
import type { ModelClient } from '../../model/client.ts';
import { labelledBy } from '../../session/calibration/labels.ts';
import { sampleForRating } from '../../session/calibration/sample-for-rating.ts';
import { DIGEST_TOKENS, digestForJudge } from '../../session/model-judge/digest-for-judge.ts';
import type { JudgeAnswer, Rubric } from '../../session/model-judge/judge-answer.ts';
import { modelAuthor } from '../../session/model-judge/model-opinion.ts';
import type { Rates } from '../../session/pricing/prices.ts';
import type { TaskType } from '../../session/profiles/task-type.ts';
import type { SessionSummary } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { askSessions, type QueriedSessions, type ReadReport } from './ask-sessions.ts';
import { byUniqueName, isNamedIn, withoutOutcomes } from './match-labels.ts';
import { type SaveRatingRequest, writeRating } from './save-rating.ts';
import type { SessionRequest } from './session-request.ts';

/** A model's opinions of sessions. */
export type SessionJudgements = ReadReport & {
  readonly plan: JudgingPlan;
  /** False: the user did not allow sending, so nothing was sent. */
  readonly allowed: boolean;
  readonly judged: readonly JudgedSession[];
  readonly unjudged: readonly UnjudgedSession[];
  readonly spentUsd?: number;
  readonly warnings?: readonly string[];
};

type UnjudgedSession = { readonly sessionId: string; readonly why: string };

export type JudgedSession = {
  readonly sessionId: string;
  readonly taskType: TaskType;
  readonly q?: number;
  readonly tier?: string;
  /** 1 to 5; absent when the model could not decide. */
  readonly rating?: number;
  readonly reason: string;
  readonly costUsd?: number;
};

/** What Assay will send to a model, and the possible cost. */
export type JudgingPlan = {
  readonly model: string;
  /** The address, when it is not the provider's default. */
  readonly address?: string;
  /** The author of its ratings: the model, the rubric and the start of its hash. */
  readonly author: string;
  readonly rubric: { readonly name: string; readonly sha256: string };
  /** All sessions, those judged before, and those to judge now. */
  readonly of: number;
  readonly known: number;
  readonly asked: number;
  /** The known cost of the sessions. */
  readonly costUsd?: number;
  readonly ceilingUsd?: number;
};

export type JudgeRequest = SessionRequest & {
  /** `provider/model`. */
  readonly model: string;
  readonly baseUrl?: string | undefined;
  /** Contains the provider's API key, and the keys to mask in every digest. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A file; by default the one of the package. */
  readonly rubric?: string | undefined;
  /** The maximum number; by default as many as 5% of the sessions' cost pays for. */
  readonly count?: number | undefined;
  readonly maxCostUsd?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  /** The CSV file for the ratings; sessions that this model has judged there are done. */
  readonly file: string;
  /** Asked before any text is sent. */
  readonly allow: (plan: JudgingPlan) => Promise<boolean>;
};

/** All opinions together may cost at most this share of the cost of the sessions. */
const SHARE = 0.05;
const AT_ONCE = 4;
/** Room for models that think before they answer. */
const MAX_OUTPUT_TOKENS = 2000;
/** The maximum cost of a call counts every byte as a token and the longest answer; a usual call costs about a third. */
const USUAL = 1 / 3;

export function judgeSessions(request: JudgeRequest, ports: Ports): Promise<SessionJudgements> {
  return askSessions(withoutOutcomes(request), ports, async (asked) => {
    const { readRubric } = await import('../../session/model-judge/judge-answer.ts');
    const rubric = readRubric(request.rubric);
    const author = modelAuthor(request.model, rubric);
    const { sessions, ceilingUsd, ...plan } = await planOf(request, rubric, author, await asked.summaries());
    const about = { ...plan, ...(ceilingUsd !== undefined && { ceilingUsd }), author, rubric };
    const none = { plan: about, judged: [], unjudged: [], allowed: true };
    if (sessions.length === 0) return none;
    if (!(await request.allow(about))) return { ...none, allowed: false };
    const client = await openClient(request, ceilingUsd);
    const judging = { request, ports, client, rubric, author, asked };
    return { plan: about, allowed: true, ...(await judgeAll(sessions, judging)), ...spentOf(client) };
  });
}

/** Loaded only here: the packages of the providers are large. */
async function openClient(request: JudgeRequest, maxCostUsd?: number): Promise<ModelClient> {
  const { openModelClient } = await import('../../model/client.ts');
  const { model, baseUrl, env, maxOutputTokens = MAX_OUTPUT_TOKENS } = request;
  return openModelClient({
    model,
    baseUrl,
    env,
    maxOutputTokens,
    maxCostUsd,
    rates: await ownRates(request),
  });
}

/** The price file of the sessions may contain the judge, by its name or as `provider/model`. */
async function ownRates({ model, scoring }: JudgeRequest): Promise<Rates | undefined> {
  if (scoring?.prices === undefined) return undefined;
  const { readUserPrices, userRatesOf } = await import('../../session/pricing/user-prices.ts');
  const at = model.indexOf('/');
  return userRatesOf(readUserPrices(scoring.prices), model.slice(at + 1), model.slice(0, Math.max(0, at)));
}

function spentOf(client: ModelClient): Pick<SessionJudgements, 'spentUsd' | 'warnings'> {
  const { spentUsd, warnings } = client.counts();
  return { spentUsd, warnings };
}

async function planOf(
  request: JudgeRequest,
  rubric: Rubric,
  author: string,
  all: readonly SessionSummary[],
): Promise<Omit<JudgingPlan, 'author' | 'rubric'> & { readonly sessions: readonly NamedSession[] }> {
  const client = await openClient(request);
  const mostUsd = client.mostUsd({ instructions: rubric.text, text: 'x'.repeat(3 * DIGEST_TOKENS) });
  const done = existsSync(request.file) ? labelledBy(request.file, author) : new Set<string>();
  const named = [...byUniqueName(all)];
  const open = named.filter(([name, one]) => one.q !== undefined && !isNamedIn(done, name, one));
  const known = named.filter(([name, one]) => isNamedIn(done, name, one)).length;
  const costUsd = costOf(all);
  const ceilingUsd = ceilingOf(request, costUsd, mostUsd, known);
  const affordable =
    ceilingUsd === undefined || mostUsd === undefined
      ? open.length
      : Math.floor(ceilingUsd / (mostUsd * USUAL));
  const n = Math.min(request.count ?? open.length, affordable, open.length);
  const { address } = client.model;
  return {
    model: request.model,
    address,
    of: all.length,
    known,
    asked: n,
    costUsd,
    ceilingUsd,
    sessions: n === open.length ? open : drawn(open, n),
  };
}

/** The remaining budget. The cost of earlier judgements is not stored, so the maximum is assumed. */
function ceilingOf(
  { maxCostUsd, count, model }: JudgeRequest,
  costUsd: number | undefined,
  mostUsd: number | undefined,
  known: number,
): number | undefined {
  if (mostUsd === undefined) {
    if (count !== undefined) return undefined;
    throw new AssayError('PRICE_UNKNOWN', `the price of ${model} is not known; no call was made`, {
      remedy: 'Give its price in a price file, or say how many sessions it may judge.',
    });
  }
  if (costUsd === undefined && maxCostUsd === undefined) {
    throw new AssayError('COST_CEILING', 'the cost of these sessions is unknown, so 5% of it is too', {
      remedy: 'Say what the ratings may cost in dollars.',
    });
  }
  const share = costUsd === undefined ? Number.POSITIVE_INFINITY : costUsd * SHARE;
  return Math.max(0, Math.min(share, maxCostUsd ?? Number.POSITIVE_INFINITY) - known * mostUsd);
}

function costOf(all: readonly SessionSummary[]): number | undefined {
  const costs = all.flatMap(({ costUsd }) => costUsd ?? []);
  return costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost, 0);
}

type NamedSession = readonly [name: string, session: SessionSummary];

function drawn(open: readonly NamedSession[], n: number): NamedSession[] {
  const { sessions } = sampleForRating(
    open.map(([name, row]) => ({ sessionId: name, taskType: row.taskType, q: row.q })),
    { n },
  );
  const taken = new Set(sessions.map(({ sessionId }) => sessionId));
  return open.filter(([name]) => taken.has(name));
}

type Judging = {
  readonly request: JudgeRequest;
  readonly ports: Ports;
  readonly client: ModelClient;
  readonly rubric: Rubric;
  readonly author: string;
  readonly asked: QueriedSessions;
};

type Judged = Pick<SessionJudgements, 'judged' | 'unjudged'>;

/** Several at once, each stored when it arrives. The first one over the budget is the last one tried. */
async function judgeAll(sessions: readonly NamedSession[], judging: Judging): Promise<Judged> {
  const { ports, client } = judging;
  const judged: JudgedSession[] = [];
  const unjudged: UnjudgedSession[] = [];
  const queue = sessions.values();
  let ended = false;
  const work = async () => {
    for (const one of queue) {
      if (ended) break;
      try {
        judged.push(await judgeOne(one, judging));
      } catch (error) {
        if (!(error instanceof AssayError) || !MODEL_FAULTS.includes(error.code)) throw error;
        ended ||= error.code === 'COST_CEILING';
        unjudged.push({ sessionId: one[0], why: error.message });
      }
      const spent = client.counts().spentUsd;
      const what = spent === undefined ? 'Judging' : `Judging, $${spent.toFixed(4)} spent`;
      ports.progress({
        what,
        done: judged.length + unjudged.length,
        total: sessions.length,
        unit: 'sessions',
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const order = new Map(sessions.map(([name], i) => [name, i]));
  return {
    judged: judged.sort((a, b) => (order.get(a.sessionId) ?? 0) - (order.get(b.sessionId) ?? 0)),
    unjudged,
  };
}

/** Errors of a single call; any other error ends the work. */
const MODEL_FAULTS: readonly string[] = [
  'MODEL_CALL_FAILED',
  'MODEL_ANSWER_UNUSABLE',
  'COST_CEILING',
  'FILE_NOT_FOUND',
];

async function judgeOne([name, one]: NamedSession, judging: Judging): Promise<JudgedSession> {
  const { request, ports, client, rubric, asked } = judging;
  const { facts, session, file } = await asked.details(one);
  const text = await digestForJudge(file.path, facts, request.env);
  if (text === undefined) {
    throw new AssayError('FILE_NOT_FOUND', `${file.path} no longer contains ${session.sessionId}`);
  }
  const { JUDGE_FORM, readJudgeAnswer } = await import('../../session/model-judge/judge-answer.ts');
  const { output, costUsd } = await client.ask(
    {
      instructions: rubric.text,
      text,
      form: JUDGE_FORM,
      read: (answer, finishReason) => readJudgeAnswer(answer, finishReason, request.model),
    },
    ports.signal,
  );
  await keep({ sessionId: name, sessionKey: one.sessionKey, project: facts.project }, output, judging);
  const { taskType, q, tier } = session;
  return {
    sessionId: name,
    taskType,
    q,
    tier,
    ...output,
    ...(costUsd !== undefined && { costUsd }),
  };
}

/** The reason may quote the transcript, so it goes into the user's own file and not into the store. */
async function keep(
  { sessionId, sessionKey, project }: Pick<SaveRatingRequest, 'sessionId' | 'sessionKey' | 'project'>,
  answer: JudgeAnswer,
  { request, ports, author }: Judging,
): Promise<void> {
  const { rating, reason } = answer;
  const at = ports.now().toISOString();
  const line = { subjectId: sessionId, author, at };
  const record =
    rating === undefined
      ? undefined
      : {
          ...line,
          ratingId: ports.newId(),
          kind: 'session',
          rating,
          ...(project !== undefined && { project }),
        };
  await writeRating(request.file, { ...line, sessionKey, rating, note: reason }, record, ports);
}
