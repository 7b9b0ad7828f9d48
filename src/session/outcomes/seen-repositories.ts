/** What repositories were when they were asked what became of the work of sessions: the same again say the same again. */
import { type FoundRepository, findRepository } from './find-repository.ts';
import type { JudgeOptions } from './judge-work.ts';

export type SeenRepositories = {
  /** Each folder that sessions recorded (`null`: none), and where it is here. */
  readonly places: readonly (readonly [project: string | null, place: FoundRepository])[];
  /** Where the branches of those stood that were asked, and what they left out; nothing of those that could not say all. */
  readonly standings: readonly (readonly [folder: string, standing: string | undefined])[];
};

/** Far more than it takes to say where its branches stand. */
const TIME_MS = 10_000;

/** Whether they would say the same now. */
export async function areAsSeen(
  { places, standings }: SeenRepositories,
  options: Pick<JudgeOptions, 'places' | 'roots' | 'environment' | 'signal'>,
): Promise<boolean> {
  const isThere = places.every(
    ([project, place]) =>
      JSON.stringify(findRepository({ project: project ?? undefined }, options)) === JSON.stringify(place),
  );
  if (!isThere) return false;
  for (const [folder, standing] of standings)
    if (standing === undefined || standing !== (await standingNow(folder, options))) return false;
  return true;
}

/** Undefined where it cannot be told. */
async function standingNow(
  folder: string,
  { environment, signal }: Pick<JudgeOptions, 'environment' | 'signal'>,
): Promise<string | undefined> {
  const { openRepository, standingOf } = await import('./repository.ts');
  const { GitProblem } = await import('./git.ts');
  try {
    const deadline = Date.now() + TIME_MS;
    return standingOf(await openRepository({ folder, environment, signal, deadline }));
  } catch (error) {
    if (error instanceof GitProblem) return undefined;
    throw error;
  }
}
