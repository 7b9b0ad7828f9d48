/**
 * Pages of other sites run in the same browser as the dashboard and can send requests here: by name, once a name of theirs
 * is made to point here, or across sites. Neither gets an answer.
 */
import { networkInterfaces } from 'node:os';
import { AssayError } from '../../errors.ts';

/** A name, or an address of this machine, without its port. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

export type OriginRules = {
  /** Accepted names in `Host`, without a port. */
  readonly hosts: readonly string[];
  /** A proxy makes everybody look like this machine; where no token is needed nothing that came through one is answered. */
  readonly refusesProxies: boolean;
};

/** What listens at one of these is reached at every address of the machine. */
const EVERYWHERE = ['', '0', '0.0.0.0', '::'];

/** The addresses by which other hosts reach a server that listens everywhere; empty for a named address. */
export function machineHosts(address: string): readonly string[] {
  if (!EVERYWHERE.includes(address)) return [];
  const takes6 = address === '' || address === '::';
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family, scopeid }) => !internal && (family === 'IPv4' || (takes6 && !scopeid)))
    .map((one) => asHost(one.address));
}

/** The name to type where the server listens at this address. */
export function openableHost(address: string): string {
  return EVERYWHERE.includes(address) ? '127.0.0.1' : asHost(address);
}

function asHost(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

/** The machine's own addresses; DNS cannot make another name equal one of them. */
export function ownHosts(address: string, others: readonly string[]): readonly string[] {
  const own = [...LOOPBACK, asHost(address), ...machineHosts(address), ...others];
  return [...new Set(own.map((name) => name.toLowerCase()))];
}

export const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

export function checkOrigin(request: Request, { hosts, refusesProxies }: OriginRules): void {
  const { headers, method } = request;
  const host = headers.get('host')?.toLowerCase() ?? '';
  const [, name = ''] = /^(\[[0-9a-f:.]+\]|[^:[\]/@\s]+)(?::\d{1,5})?$/.exec(host) ?? [];
  if (!hosts.includes(name)) throw refused('the server does not accept the name in Host');
  if (refusesProxies && PROXY_HEADERS.some((header) => headers.has(header)))
    throw refused('the request came through a proxy, and the server requires no token');
  const origin = headers.get('origin');
  if (origin !== null && !isOwn(origin, host)) throw refused('the request comes from a page of another site');
  const site = headers.get('sec-fetch-site') ?? 'none';
  const isVisit = method === 'GET' && headers.get('sec-fetch-mode') === 'navigate';
  if (site !== 'none' && site !== 'same-origin' && !isVisit)
    throw refused('the request comes from a page of another site');
}

function isOwn(origin: string, host: string): boolean {
  return origin.toLowerCase() === `http://${host}` || origin.toLowerCase() === `https://${host}`;
}

function refused(why: string): AssayError {
  return new AssayError('REQUEST_REFUSED', why);
}

/** Sent with every answer. Nothing is loaded from anywhere else, and no page may hold script or style in its text. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};
