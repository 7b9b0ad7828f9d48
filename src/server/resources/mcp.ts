import { type Route, rawRoute } from '../route.ts';
import { readBody } from '../security/read-body.ts';

/** The Model Context Protocol as streamable HTTP, without sessions: each request is independent. */
export function mcpRoutes(routes: () => readonly Route[]): readonly Route[] {
  return [
    rawRoute({
      method: 'POST',
      path: '/mcp',
      summary: 'The Model Context Protocol for agents: read-only tools and resources',
      scope: 'read',
      consumes: ['application/json'],
      produces: 'application/json',
      handle: async ({ request, access }, services) => {
        // Loaded on demand: most servers get no MCP request.
        const { createMcpHandler } = await import('@modelcontextprotocol/server');
        const { mcpServerOf } = await import('../mcp/mcp-server.ts');
        const body = await readBody(request, services.limits.bodyBytes);
        const handler = createMcpHandler(() => mcpServerOf(routes(), { access, services }));
        return handler.fetch(new Request(request.url, { method: 'POST', headers: request.headers, body }));
      },
    }),
  ];
}
