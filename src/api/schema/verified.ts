import { z } from 'zod';
import { VERIFIED } from '../../session/verified.ts';

/** Stands with the tier everywhere. */
export const verified = z
  .enum(VERIFIED)
  .nullable()
  .describe(
    'Whether a check after the last change, a merge or an acceptance verified the result; `failed`: it failed, was reverted or rejected',
  );
