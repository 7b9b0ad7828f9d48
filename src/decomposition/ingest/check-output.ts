import { AssayError } from '../../errors.ts';
import { normalise } from '../match/normalise.ts';
import type { ExtractionOutput } from './output.ts';

/**
 * Every end of a relationship is a concept of the same output, by label or alias, or a name that the golden case knows:
 * then it is clear what is meant, although the extractor did not list it. `where` names the output.
 */
export function checkOutput(
  { concepts, relationships }: ExtractionOutput,
  where: string,
  isKnown: (name: string) => boolean = () => false,
): void {
  if (relationships.length === 0) return;
  const names = new Set<string>();
  for (const { label, aliases = [] } of concepts) {
    names.add(normalise(label));
    for (const alias of aliases) names.add(normalise(alias));
  }
  const missing: string[] = [];
  for (const [i, edge] of relationships.entries()) {
    for (const end of ['source', 'target'] as const) {
      if (names.has(normalise(edge[end])) || isKnown(edge[end])) continue;
      missing.push(`relationships.${i}.${end}: "${edge[end]}" is not among the extracted concepts`);
    }
  }
  const [first] = missing;
  if (first === undefined) return;
  const more = missing.length - 1;
  throw new AssayError('INPUT_INVALID', `${where}: ${first}${more > 0 ? ` (and ${more} more)` : ''}`);
}
