import type { ModelFacts, RunFacts } from '../evidence.ts';
import { tokensOf } from '../usage.ts';
import { type Prices, priceOf } from './prices.ts';

/** With more messages than this share lacking their usage, the sum says too little to be called a cost. */
const MAX_SHARE_WITHOUT_USAGE = 0.1;

export type RunCost = {
  readonly costUsd?: number;
  /** `stated` by the transcript, `priced` by us, or both. */
  readonly from?: 'stated' | 'priced' | 'stated and priced';
  /** Why there is no cost. */
  readonly reason?: string;
};

/** The cost of a run: what the transcript states, else tokens × price; undefined as soon as one part is unknown. */
export function costOfRun(run: Pick<RunFacts, 'models' | 'startedAt'>, prices: Prices): RunCost {
  const models = run.models.filter((one) => one.messages > 0);
  if (models.length === 0) return { reason: 'no model message was recorded' };
  const uncounted = models.filter((one) => !isStated(one) && !isCounted(one));
  const reason = whyTooFew(models);
  if (reason !== undefined) return { reason };
  let sum = 0;
  const from = new Set<'stated' | 'priced'>();
  for (const facts of models) {
    // A message that failed before it began carries no counts; few of them do not hide what the others cost.
    if (uncounted.includes(facts)) continue;
    const cost = isStated(facts) ? facts.costUsd : costOfModel(facts, run.startedAt, prices);
    if (cost === undefined)
      return { reason: `the price of ${facts.model || 'an unnamed model'} is not known` };
    sum += cost;
    from.add(isStated(facts) ? 'stated' : 'priced');
  }
  return {
    costUsd: sum,
    from: from.size === 2 ? 'stated and priced' : from.has('stated') ? 'stated' : 'priced',
  };
}

function costOfModel(
  { model, provider, messages, messagesWithoutUsage, usage }: ModelFacts,
  at: number | undefined,
  prices: Prices,
): number | undefined {
  return priceOf(prices, { model, provider, at }, usage, messages - messagesWithoutUsage);
}

function whyTooFew(models: readonly ModelFacts[]): string | undefined {
  const open = models.filter((one) => !isStated(one));
  const messages = models.reduce((sum, one) => sum + one.messages, 0);
  const without = open.reduce((sum, one) => sum + one.messagesWithoutUsage, 0);
  if (without <= messages * MAX_SHARE_WITHOUT_USAGE) return undefined;
  return `${without} of ${messages} messages carry no token counts`;
}

/** A stated 0 for tokens that were used is a runtime without a price, not a gift. */
function isStated(facts: ModelFacts): boolean {
  return facts.costUsd !== undefined && (facts.costUsd > 0 || isFreeOfTokens(facts));
}

function isCounted({ messages, messagesWithoutUsage }: ModelFacts): boolean {
  return messages > messagesWithoutUsage;
}

function isFreeOfTokens({ usage, messages, messagesWithoutUsage }: ModelFacts): boolean {
  return tokensOf(usage) === 0 && messagesWithoutUsage < messages;
}
