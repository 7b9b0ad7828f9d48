import type { LanguageModelUsage } from 'ai';
import type { ProviderName } from './model.ts';

/** What tokens of one model cost. Undefined where the counts are missing. */
export type Price = {
  readonly ofUsage: (usage: LanguageModelUsage) => number | undefined;
  readonly of: (inputTokens: number, outputTokens: number) => number | undefined;
};

/** USD per million tokens. */
export type TokenRates = {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
};

export function priceAt({ input, output, cacheRead, cacheWrite }: TokenRates): Price {
  const dearest = Math.max(input, cacheRead, cacheWrite);
  return {
    of: (inputTokens, outputTokens) => (inputTokens * dearest + outputTokens * output) / 1e6,
    ofUsage: ({ inputTokens, outputTokens, inputTokenDetails: details }) => {
      if (inputTokens === undefined || outputTokens === undefined) return undefined;
      const { cacheReadTokens: read = 0, cacheWriteTokens: written = 0 } = details;
      const plain = Math.max(0, inputTokens - read - written);
      return (plain * input + read * cacheRead + written * cacheWrite + outputTokens * output) / 1e6;
    },
  };
}

/** The published price of a model, or undefined. What runs on a server of one's own has none. */
export async function loadPrice(provider: ProviderName, model: string): Promise<Price | undefined> {
  if (provider === 'compatible' || provider === 'ollama') return undefined;
  const { calcPrice } = await import('@pydantic/genai-prices');
  const total = (tokens: Record<string, number | undefined>): number | undefined => {
    try {
      const found = calcPrice(tokens, model, { providerId: provider });
      const { input_mtok, output_mtok } = found?.model_price ?? {};
      return input_mtok === undefined || output_mtok === undefined ? undefined : found?.total_price;
    } catch {
      // A model that is priced by the image or the minute: not a price per token.
      return undefined;
    }
  };
  if (total({ input_tokens: 1, output_tokens: 1 }) === undefined) return undefined;
  return {
    of: (inputTokens, outputTokens) => total({ input_tokens: inputTokens, output_tokens: outputTokens }),
    ofUsage: ({ inputTokens, outputTokens, inputTokenDetails: details }) =>
      inputTokens === undefined || outputTokens === undefined
        ? undefined
        : total({
            input_tokens: inputTokens,
            output_tokens: outputTokens,
            cache_read_tokens: details.cacheReadTokens,
            cache_write_tokens: details.cacheWriteTokens,
          }),
  };
}
