import { type BaselineSet, SHIPPED_BASELINES } from '../../session/profiles/baselines.ts';

export type ShowBaselinesRequest = {
  /** A file with a set; the shipped one without it. */
  readonly baselines?: string;
};

export async function showBaselines({ baselines }: ShowBaselinesRequest): Promise<BaselineSet> {
  if (baselines === undefined) return SHIPPED_BASELINES;
  const { readBaselines } = await import('../../session/profiles/baselines-file.ts');
  return readBaselines(baselines);
}
