/** The domain of a text that nobody has put into one, by the words of the golden cases that somebody has. */
import type { GoldenCase } from '../ingest/golden-case.ts';
import { normalise } from '../match/normalise.ts';

type Placed = Pick<GoldenCase, 'domain' | 'sourceText' | 'topic'>;

/**
 * A guess, for a draft that somebody corrects: naive Bayes over the words that a case has, each domain as likely as
 * another. Undefined where there is no case to learn from, or none but of one domain.
 */
export function likelyDomain(
  text: string,
  cases: readonly Placed[],
  domains: readonly string[],
): string | undefined {
  const placed = Map.groupBy(
    cases.filter(({ domain }) => domains.includes(domain)),
    ({ domain }) => domain,
  );
  if (placed.size < 2) return undefined;
  const seen = new Map([...placed].map(([domain, some]) => [domain, some.map(wordsOfCase)]));
  const all = [...seen.values()].flat();
  const scores = new Map<string, number>();
  for (const word of wordsOf(text)) {
    const usual = shareWith(word, all);
    // A word that no case has speaks for none.
    if (usual === 0) continue;
    for (const [domain, own] of seen) {
      // As if a case more had it as often as cases have it: few cases of a domain say little.
      const share = (own.length * shareWith(word, own) + usual) / (own.length + 1);
      scores.set(domain, (scores.get(domain) ?? 0) + Math.log(share / usual));
    }
  }
  return [...scores].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

function shareWith(word: string, cases: readonly ReadonlySet<string>[]): number {
  return cases.filter((words) => words.has(word)).length / cases.length;
}

function wordsOfCase({ topic, sourceText }: Placed): ReadonlySet<string> {
  return wordsOf(`${topic} ${sourceText}`);
}

/** Short words are of every domain. */
function wordsOf(text: string): ReadonlySet<string> {
  return new Set(
    normalise(text)
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word.length > 3),
  );
}
