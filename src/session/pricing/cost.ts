import type { AgentRunFacts, ModelFacts } from '../evidence.ts';
import { countsTooLittle, subtractUsage } from '../usage.ts';
import { type Prices, priceOf } from './prices.ts';

/** If more messages than this share lack their usage, the sum is not a cost. */
const MAX_SHARE_WITHOUT_USAGE = 0.1;

export type RunCost = {
  readonly costUsd?: number;
  /** `stated` by the transcript, `priced` by us, or both. */
  readonly from?: 'stated' | 'priced' | 'stated and priced';
  /** Less output was counted than is visible: it cost at least this. */
  readonly isLowerBound?: true;
  /** Why there is no cost. */
  readonly reason?: string;
};

type PricedRun = Pick<AgentRunFacts, 'models' | 'startedAt'> &
  Partial<Pick<AgentRunFacts, 'outputChars' | 'callChars'>>;

/**
 * The cost of a run: what the transcript states, and tokens × price for the messages that state nothing; undefined as
 * soon as one part is unknown.
 */
export function costOfRun(run: PricedRun, prices: Prices): RunCost {
  const models = run.models.filter((one) => one.messages > 0);
  if (models.length === 0) return { reason: 'no model message was recorded' };
  const reason = whyTooFew(models);
  if (reason !== undefined) return { reason };
  let sum = 0;
  const from = new Set<'stated' | 'priced'>();
  for (const facts of models) {
    if (facts.costUsd !== undefined) {
      sum += facts.costUsd;
      from.add('stated');
    }
    const open = openPart(facts);
    // A message that failed before it began carries no counts; few of them do not hide what the others cost.
    if (open.messages <= open.messagesWithoutUsage) continue;
    const cost = costOfPart(facts, open, run.startedAt, prices);
    if (cost === undefined)
      return { reason: `the price of ${facts.model || 'an unnamed model'} is not known` };
    sum += cost;
    from.add('priced');
  }
  return {
    costUsd: sum,
    from: from.size === 2 ? 'stated and priced' : from.has('stated') ? 'stated' : 'priced',
    ...(from.has('priced') && countsTooLittle(run) && { isLowerBound: true }),
  };
}

type Part = NonNullable<ModelFacts['unpriced']>;
const NOTHING: Part = {
  messages: 0,
  messagesWithoutUsage: 0,
  usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
};

/** The messages without a stated cost: all of them, or the rest. */
function openPart(facts: ModelFacts): Part {
  return facts.costUsd === undefined ? facts : (facts.unpriced ?? NOTHING);
}

/** Long requests by themselves: they are charged at another rate, as a whole. */
function costOfPart(
  { model, provider, long = [] }: ModelFacts,
  { usage, messages, messagesWithoutUsage }: Part,
  at: number | undefined,
  prices: Prices,
): number | undefined {
  const rest = {
    messages: messages - messagesWithoutUsage - long.reduce((sum, one) => sum + one.messages, 0),
    usage: long.reduce((left, one) => subtractUsage(left, one.usage), usage),
  };
  const question = { model, provider, at };
  let sum = 0;
  for (const part of [rest, ...long]) {
    const cost = priceOf(prices, question, part.usage, part.messages);
    if (cost === undefined) return undefined;
    sum += cost;
  }
  return sum;
}

function whyTooFew(models: readonly ModelFacts[]): string | undefined {
  const messages = models.reduce((sum, one) => sum + one.messages, 0);
  const without = models.reduce((sum, one) => sum + openPart(one).messagesWithoutUsage, 0);
  if (without <= messages * MAX_SHARE_WITHOUT_USAGE) return undefined;
  return `${without} of ${messages} messages carry no token counts`;
}
