import { CONFIG_OPTION, defineCommand } from './command.ts';
import { OWN_STORE_OPTION } from './sessions/options.ts';

export const command = defineCommand({
  name: 'mcp',
  summary: 'Run an MCP server for an agent or an editor on standard input and output',
  dataOnly: true,
  options: { ...OWN_STORE_OPTION, ...CONFIG_OPTION },
  examples: ['assay mcp', 'claude mcp add assay -- node /path/to/assay/bin/assay.js mcp'],
  run: async (args, terminal) => {
    // Loaded here: no other command pays for it.
    const { startMcp } = await import('./start-mcp.ts');
    await startMcp(args, terminal);
    return 0;
  },
});
