import type { AgentRunFacts } from '../evidence.ts';

export type Complexity = 'simple' | 'moderate' | 'complex';

const MANY = { files: 6, systems: 4, parts: 8 } as const;
const SEVERAL = { files: 2, systems: 2, parts: 3 } as const;

/**
 * The scope of the request, never the effort spent: the files, systems and items it names, and whether it says many or
 * few. Undefined when it names too little.
 */
export function complexityOf({
  scope,
}: Pick<AgentRunFacts, 'scope'>): { readonly complexity: Complexity; readonly reason: string } | undefined {
  if (scope === undefined) return undefined;
  const { files, systems, parts, wide, narrow } = scope;
  const reaches = (line: typeof MANY | typeof SEVERAL) =>
    files >= line.files || systems >= line.systems || parts >= line.parts;
  const named = [count(files, 'file'), count(systems, 'system'), count(parts, 'item')].filter(Boolean);
  const reason = `the request names ${named.join(', ') || 'nothing'}${wide ? ' and says it is about many places' : ''}`;
  if (reaches(MANY) || (wide && reaches(SEVERAL))) return { complexity: 'complex', reason };
  if (wide || reaches(SEVERAL)) return { complexity: 'moderate', reason };
  if (narrow) return { complexity: 'simple', reason: 'the request says that it is small' };
  return undefined;
}

function count(n: number, what: string): string {
  return n === 0 ? '' : `${n} ${what}${n === 1 ? '' : 's'}`;
}
