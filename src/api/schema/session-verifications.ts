import { z } from 'zod';
import { outcomeOfVerification, VERIFY_RESULTS } from '../../session/verify/verification.ts';
import { from } from '../wire.ts';
import { head } from './parts.ts';

export const verifiedSession = z.strictObject({
  session_id: z.string(),
  session_key: z.string(),
  project: z.string().nullable(),
  model: z.string().nullable(),
  started_at: z.string().nullable(),
  result: z
    .enum(VERIFY_RESULTS)
    .describe(
      '`fixed`: the check failed before its commits and passes after them; `kept green`: it passes on both sides; `broke`: it passed and fails; `still red`: it fails on both sides',
    ),
  outcome: from(
    outcomeOfVerification,
    z
      .number()
      .nullable()
      .describe('As a label: 1 fixed or kept green, 0 broke, 0.5 still red, `null` could not check'),
  ),
  reason: z.string().nullable().describe('Why it could not be checked, or what to keep in mind'),
  commit: z.string().nullable().describe('The last commit of the session'),
  parent: z.string().nullable().describe('What the first one was made on'),
  at: z.iso.datetime().describe('When the result was written'),
});

export const sessionVerifications = z.strictObject({
  ...head('assay-session-verifications'),
  command: z.string(),
  runs: z.number().describe('How often the check was run on each side'),
  isolated: z
    .boolean()
    .nullable()
    .describe(
      '`false`: this system could not keep the command from writing elsewhere; `null`: it was not run',
    ),
  checkouts: z.strictObject({
    run: z.number().describe('Checkouts on which the command was run now'),
    cached: z.number().describe('Checkouts whose result was stored already'),
  }),
  uncommitted: z.number().describe('Sessions of which no commit is known'),
  sessions: z.array(verifiedSession),
});
