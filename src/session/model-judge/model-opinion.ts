/** A named model's opinion of a session. It is shown with Q and never part of it. */
import type { Rubric } from './judge-answer.ts';

export type ModelOpinion = {
  /** 1–5. */
  readonly rating: number;
  /** The model, and the name and hash of its rubric. */
  readonly author: string;
};

/** The author name of a model's ratings. */
export function modelAuthor(model: string, { name, sha256 }: Pick<Rubric, 'name' | 'sha256'>): string {
  return `${model} ${name} ${sha256.slice(0, 12)}`;
}

const MODEL_AUTHOR = /^[^\s/]+\/\S+ .+ [0-9a-f]{12}$/;

/** People rate sessions as well, under names of their own. */
export function isModelAuthor(author: string): boolean {
  return MODEL_AUTHOR.test(author);
}
