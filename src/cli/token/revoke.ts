import { AssayError } from '../../errors.ts';
import { plain } from '../../report/unsafe-text.ts';
import { revokeToken, tokenPath } from '../../server/security/tokens.ts';
import { defineCommand, STORE_OPTIONS } from '../command.ts';
import { noteToken } from './create.ts';

export const command = defineCommand({
  name: 'token revoke',
  summary: 'Revoke a token by its id or label; a running server rejects it at once',
  positionals: { usage: 'ID', min: 1, max: 1 },
  options: { ...STORE_OPTIONS },
  examples: ['assay token revoke 3f2a9c01', 'assay token revoke ci'],
  run: async (args, terminal) => {
    const [named = ''] = args.positionals;
    const revoked = await revokeToken(tokenPath(terminal.env), named);
    if (revoked.length === 0)
      throw new AssayError('USAGE', `no token has the id or label "${named}"`, {
        remedy: [{ say: 'See the list', step: { operation: 'token list' } }],
      });
    for (const one of revoked) {
      terminal.print(`Revoked ${plain(one.name)} (${one.id}).\n`);
      // The token is revoked even if the log cannot be written.
      await noteToken('token revoke', one, args, terminal);
    }
    return 0;
  },
});
