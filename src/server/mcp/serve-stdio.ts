/** MCP over standard input and output, for one agent that started this process. */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { openServices, type ServiceChoices } from '../open-server.ts';
import { ROUTES } from '../resources/resources.ts';
import { mcpServerOf } from './mcp-server.ts';

/** Ends when the agent closes its end. */
export async function serveMcp(choices: ServiceChoices, whenClosed: Promise<unknown>): Promise<void> {
  const services = openServices(choices);
  const handle = serveStdio(() => mcpServerOf(ROUTES, { access: { scope: 'admin' }, services }));
  await whenClosed;
  await handle.close();
}
