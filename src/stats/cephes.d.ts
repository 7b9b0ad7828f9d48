/**
 * cephes 3.3.3 ships types, but its `exports` map does not name them, so TypeScript cannot see them under
 * `module: nodenext`. Declared here: the functions that `distributions.ts` uses, and no more.
 */
declare module 'cephes' {
  export const compiled: Promise<void>;
  export function ndtr(x: number): number;
  export function ndtri(probability: number): number;
  export function bdtr(k: number, n: number, probability: number): number;
  export function incbet(a: number, b: number, x: number): number;
  export function incbi(a: number, b: number, y: number): number;
  export function igamc(a: number, x: number): number;
  export function lgam(x: number): number;
}
