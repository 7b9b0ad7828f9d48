import type { Prices } from './prices.ts';

export type PriceTier = 'small' | 'medium' | 'large';

/**
 * By the price of a million output tokens, because that is what tells a provider's models apart: below $6 small
 * (Haiku, mini, flash), below $20 medium (Sonnet, GPT-5, Gemini Pro), from $20 on large (Opus).
 */
const MEDIUM_FROM = 6;
const LARGE_FROM = 20;

export function priceTierOf(outputUsdPerMillion: number): PriceTier {
  if (outputUsdPerMillion >= LARGE_FROM) return 'large';
  return outputUsdPerMillion >= MEDIUM_FROM ? 'medium' : 'small';
}

export function modelTierOf(
  prices: Prices,
  model: string,
  provider: string | undefined,
  at: number | undefined,
): PriceTier | undefined {
  const rates = prices.ratesOf({ model, provider, at });
  return rates === undefined ? undefined : priceTierOf(rates.output);
}
