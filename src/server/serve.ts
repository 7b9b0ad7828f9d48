/** The server with its socket: starts, and stops without losing what was acknowledged. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { AssayError } from '../errors.ts';
import { makeApp } from './app.ts';
import { BACKGROUND } from './background.ts';
import type { FindToken } from './security/access.ts';
import { guardConnections, limitRate } from './security/limits.ts';
import { localKey, localKeyPath } from './security/local-key.ts';
import { isLoopback, machineHosts, openableHost, ownHosts } from './security/origin.ts';
import { repeat, type ServerServices } from './services.ts';
import { serveFilesOf } from './static.ts';

export type ServeChoices = {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** How many of the ports after it are tried when it is in use. */
  readonly morePorts?: number;
  /** Names under which others reach it, as a proxy or a name server has them. */
  readonly allowedHosts?: readonly string[];
  /** The folder of the built dashboard. */
  readonly web: string;
  readonly findToken: FindToken;
};

export type Serving = {
  /** As a person at this machine would type it. */
  readonly url: string;
  /** The address of a page with the key in it. Browsers send no fragment. */
  readonly pageAt: (path?: string) => string;
  /** Where others reach it, when it listens at every address of the machine. */
  readonly elsewhere: readonly string[];
  readonly stop: () => Promise<void>;
};

/** Only this machine reaches it, and by no other name. */
export function needsToken({
  host,
  allowedHosts = [],
}: Pick<ServeChoices, 'host' | 'allowedHosts'>): boolean {
  return !isLoopback(host) || allowedHosts.length > 0;
}

export async function startServer(choices: ServeChoices, services: ServerServices): Promise<Serving> {
  const { host, port, morePorts = 0, allowedHosts = [] } = choices;
  const { limits, audit } = services;
  for (const { check } of BACKGROUND) check?.(services);
  const key = needsToken(choices) ? undefined : localKey(localKeyPath(services.machine.environment));
  const app = makeApp({
    services,
    access: { key, findToken: choices.findToken },
    origin: { hosts: ownHosts(host, allowedHosts), refusesProxies: key !== undefined },
    takeRequest: limitRate(limits.rate, () => performance.now()),
    serveFile: serveFilesOf(choices.web),
  });
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: 1_000,
    },
    getRequestListener(app.fetch, { overrideGlobalObjects: false }),
  );
  server.timeout = limits.idleMs;
  guardConnections(server, limits);
  await listen(server, host, port, morePorts);
  const running: { readonly stop: () => Promise<void> }[] = [];
  try {
    for (const { start } of BACKGROUND) running.push(await start(services));
    // What was counted in a minute is written soon after it.
    const flushes = repeat(FLUSH_MS, () => audit.flush());
    running.push({ stop: () => flushes.stop().then(() => audit.flush(true)) });
  } catch (error) {
    for (const one of running.toReversed()) await one.stop();
    await closeServer(server, 0);
    throw error;
  }
  const { port: taken } = server.address() as AddressInfo;
  services.log('info', 'started', { host, port: taken });
  const at = (name: string) => `http://${name}:${taken}/`;
  return {
    url: at(openableHost(host)),
    pageAt: (path = '') => `${at(openableHost(host))}${path}${key === undefined ? '' : `#key=${key}`}`,
    elsewhere: machineHosts(host).map(at),
    stop: async () => {
      services.events.close();
      await closeServer(server, limits.graceMs);
      for (const one of running.toReversed()) await one.stop();
      services.log('info', 'stopped');
    },
  };
}

const FLUSH_MS = 15_000;

/** At the port, or at the first of those after it that is free. */
async function listen(server: Server, host: string, port: number, morePorts: number): Promise<void> {
  try {
    server.listen({ host, port, backlog: 1024 });
    await once(server, 'listening');
  } catch (cause) {
    const isInUse = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
    if (isInUse && morePorts > 0 && port < 65_535) return listen(server, host, port + 1, morePorts - 1);
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AssayError(
      'ADDRESS_TAKEN',
      isInUse ? `port ${port} is already in use` : `Assay cannot listen at ${host}:${port}: ${why}`,
      { cause },
    );
  }
}

/** No new requests; those on their way are answered, for as long as the grace lasts. */
function closeServer(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const end = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(end);
      resolve();
    });
    server.closeIdleConnections();
  });
}
