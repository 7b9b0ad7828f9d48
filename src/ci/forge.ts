/** Where a pull or merge request is discussed, and one remark of ours in it that is kept up to date. */

export type Remarked = { readonly id: string; readonly text: string };

export type Forge = {
  readonly list: () => AsyncIterable<Remarked>;
  readonly write: (text: string) => Promise<ForgeAnswer>;
  readonly replace: (id: string, text: string) => Promise<ForgeAnswer>;
};

/** `refused`: whoever asks may not. */
export type ForgeAnswer = { readonly state: 'done' } | { readonly state: 'refused'; readonly status: number };

export type CommentState = 'written' | 'replaced' | 'unchanged' | 'refused';

/** Nobody sees it; the one of another job, or of another project in the same repository, has another name. */
export function markerOf(name: string): string {
  return `<!-- assay:${name.replaceAll(/[^\w.]+/g, '-')} -->`;
}

/**
 * Somebody else may have written our marker: theirs cannot be replaced, so all that begin with it are tried, the latest first.
 */
export async function sayInPlace(forge: Forge, marker: string, report: string): Promise<CommentState> {
  const text = `${marker}\n${report}`;
  const ours: Remarked[] = [];
  try {
    for await (const one of forge.list()) if (one.text.startsWith(marker)) ours.unshift(one);
  } catch (error) {
    if (error instanceof ForgeRefused) return 'refused';
    throw error;
  }
  for (const one of ours) {
    if (one.text.trim() === text.trim()) return 'unchanged';
    if ((await forge.replace(one.id, text)).state === 'done') return 'replaced';
  }
  return (await forge.write(text)).state === 'done' ? 'written' : 'refused';
}

/** Reading is refused, too. */
export class ForgeRefused extends Error {}
