import { encode } from '../../api/wire.ts';
import { tokenView } from '../../report/server-views.ts';
import { isOver, listTokens, tokenPath } from '../../server/security/tokens.ts';
import { defineCommand, TABLE_FORMAT_OPTION } from '../command.ts';
import { printResult } from '../print-result.ts';

export const command = defineCommand({
  name: 'token list',
  summary: 'List the tokens of your servers: scope, projects and expiry, never the secrets',
  options: {
    format: TABLE_FORMAT_OPTION,
  },
  examples: ['assay token list'],
  run: async (args, terminal) => {
    const now = new Date().toISOString();
    const tokens = listTokens(tokenPath(terminal.env)).map((one) => ({ ...one, isOver: isOver(one, now) }));
    await printResult(args, terminal, {
      document: () => tokenView(tokens),
      json: async () => encode((await import('../../api/schema/audit.ts')).tokenList, { tokens }),
    });
    return 0;
  },
});
