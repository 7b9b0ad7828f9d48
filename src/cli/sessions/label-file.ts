import { AssayError } from '../../errors.ts';
import type { LabelFile } from '../../operations/session/labels-request.ts';
import type { Arguments } from '../command.ts';
import { textOf } from '../text-of.ts';

/** The file of ratings or of outcomes that a command needs. */
export function labelFile(args: Arguments, command: string): LabelFile {
  const [ratings, outcomes] = [textOf(args, 'ratings'), textOf(args, 'outcomes')];
  if (ratings !== undefined && outcomes === undefined) return { ratings };
  if (outcomes !== undefined && ratings === undefined) return { outcomes };
  throw new AssayError('USAGE', `assay ${command} needs either --ratings FILE or --outcomes FILE`);
}
