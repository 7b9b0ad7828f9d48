/** What a test may ask, for the types of both runners; all of it is awaited. */
import type { GoldenCase } from '../decomposition/ingest/golden-case.ts';

export interface AssayMatchers {
  /** `golden`: a golden case, or the path of its file. `line`: `target` unless told. */
  toMeetRow3(golden: GoldenCase | string, options?: { readonly line?: 'target' | 'fail' }): Promise<void>;
  toHaveNoHallucinations(golden: GoldenCase | string): Promise<void>;
  toRecallConcepts(golden: GoldenCase | string, share: number): Promise<void>;
  /** What is expected is the path of a transcript, or of a folder of them. */
  toReachQ(least: number): Promise<void>;
}
