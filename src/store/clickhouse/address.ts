/** Where a ClickHouse is, from what a person types. Its password is never part of that: addresses end up in logs. */
import { readFileSync } from 'node:fs';
import { AssayError } from '../../errors.ts';

export type ServerPlace = {
  /** What may be shown. */
  readonly address: string;
  /** One for each server; all of them know the same records. */
  readonly urls: readonly string[];
  readonly database: string;
  readonly username: string;
  readonly password: string | undefined;
  /** The name under which the servers of a cluster know it. */
  readonly cluster: string | undefined;
};

const DEFAULT_DATABASE = 'assay';
const NAME = /^[a-zA-Z_][a-zA-Z0-9_-]{0,62}$/;
const KNOWN = new Set(['secure', 'cluster']);

/**
 * `clickhouse://host:8123/database`, with `?secure=true` or as `https://…` over TLS. A cluster is all of its servers and its
 * name: `clickhouse://a:8123,b:8123/database?cluster=name`.
 */
export function placeOf(address: string, env: NodeJS.ProcessEnv = process.env): ServerPlace {
  const [, scheme = '', hosts = '', rest = ''] = /^([a-z]+):\/\/([^/?#]*)(.*)$/is.exec(address) ?? [];
  const names = hosts.split(',');
  const servers = names.map((host) => URL.parse(`${scheme}://${host}${rest}`));
  const [url] = servers;
  if (
    url === null ||
    url === undefined ||
    servers.some((server) => server === null || server.hostname === '')
  )
    throw wrong('it names no server');
  if (hosts.includes('@')) throw wrong('it contains a name or a password, and addresses end up in logs');
  const unknown = [...url.searchParams.keys()].find((name) => !KNOWN.has(name));
  if (unknown !== undefined) throw wrong(`it has the unknown option ${unknown}`);
  const isSecure = url.protocol === 'https:' || url.searchParams.get('secure') === 'true';
  const database = decodeURIComponent(url.pathname.slice(1)) || DEFAULT_DATABASE;
  const cluster = url.searchParams.get('cluster') ?? undefined;
  for (const name of [database, cluster])
    if (name !== undefined && !NAME.test(name)) throw wrong(`${JSON.stringify(name)} is not a plain name`);
  if (cluster === undefined && servers.length > 1)
    throw wrong('it names several servers but no cluster, as in ?cluster=name');
  return {
    address,
    urls: servers.map((server, index) => urlOf(server as URL, portIn(names[index]), isSecure)),
    database,
    username: env.ASSAY_CLICKHOUSE_USER ?? 'default',
    password: lineOf(env.ASSAY_CLICKHOUSE_PASSWORD) ?? passwordIn(env.ASSAY_CLICKHOUSE_PASSWORD_FILE),
    cluster,
  };
}

function urlOf({ hostname }: URL, port: string | undefined, isSecure: boolean): string {
  return `${isSecure ? 'https' : 'http'}://${hostname}:${port ?? (isSecure ? '8443' : '8123')}`;
}

/** As it is typed: a URL forgets the port that its scheme has by itself, and ClickHouse has others. */
function portIn(host = ''): string | undefined {
  return /:(\d+)$/.exec(host)?.[1];
}

/** Editors and `openssl` end a file with a line break that is not part of the secret. */
function lineOf(text: string | undefined): string | undefined {
  return text?.replace(/\r?\n$/, '');
}

/** As containers get their secrets. */
function passwordIn(path: string | undefined): string | undefined {
  if (path === undefined || path === '') return undefined;
  try {
    return lineOf(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new AssayError(
      'FILE_UNREADABLE',
      'The file that ASSAY_CLICKHOUSE_PASSWORD_FILE names cannot be read',
      {
        cause,
      },
    );
  }
}

function wrong(why: string): AssayError {
  return new AssayError('STORE_UNREADABLE', `The address of the ClickHouse store is invalid: ${why}`, {
    remedy:
      'Write clickhouse://host:8123/assay (or https://host:8443/assay), and set the account in ASSAY_CLICKHOUSE_USER and ASSAY_CLICKHOUSE_PASSWORD.',
  });
}
