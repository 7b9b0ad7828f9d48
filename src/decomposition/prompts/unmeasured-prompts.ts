import type { RunFacts } from '../suite-run.ts';
import { chainHash, stepsOf } from './prompt-folder.ts';

type Hashes = Readonly<Record<string, string>>;

/** Why a comparison proves nothing about new or changed prompts: the run did not use them. */
export function unmeasuredPrompts(
  baseline: Hashes | undefined,
  { promptFiles: now, prompt, promptHash, extractor }: RunFacts,
): string[] {
  if (baseline === undefined || now === undefined) return [];
  const known = new Set(Object.values(baseline));
  const used = usedHashes(now, prompt, promptHash);
  const changed = Object.keys(now).filter(
    (name) => !known.has(now[name] ?? '') && !used.has(now[name] ?? ''),
  );
  if (changed.length === 0) return [];
  const what = promptHash === undefined ? `no prompt (extractor: ${extractor})` : prompt;
  return [
    `${changed.join(', ')} changed since the baseline, and this run measured ${what}: set decomposition.extractor and decomposition.prompt, or name them`,
  ];
}

function usedHashes(now: Hashes, prompt: string | undefined, hash: string | undefined): ReadonlySet<string> {
  if (hash === undefined) return new Set();
  const steps = stepsOf(prompt ?? '').map((name) => ({ hash: now[name] ?? '' }));
  return new Set(steps.length > 1 && chainHash(steps) === hash ? steps.map((one) => one.hash) : [hash]);
}
