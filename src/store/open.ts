import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AssayError } from '../errors.ts';
import type { Store } from './store.ts';
import type { StoreState } from './upkeep.ts';

/** What Assay writes into a project, such as a store that its configuration names. */
const PROJECT_FOLDER = '.assay';

/** How long a store waits for other processes before it says that it is busy; by default as long as a person would. */
export type StoreWaiting = { readonly waitMs?: number | undefined };

type OpenBackend = (address: string, waiting: StoreWaiting) => Promise<Store>;

/** What opens a kind of address. A new backend is a folder and a line here; a path without a scheme is a SQLite file. */
const BACKENDS: Readonly<Record<string, OpenBackend>> = {
  file: openFile,
  sqlite: openFile,
  clickhouse: openClickHouse,
  https: openClickHouse,
};

/** A path, a `file:` or `sqlite:` URL, or `:memory:`. Makes the store, and its folder, if there is none yet. */
export async function openStore(address: string, waiting: StoreWaiting = {}): Promise<Store> {
  return backendOf(address)(address, waiting);
}

/** False when opening it would create a new, empty store. Only for a file can that be known without opening it. */
export function storeExists(address: string): boolean {
  if (backendOf(address) !== openFile) return true;
  const path = pathOf(address);
  return path === ':memory:' || existsSync(path);
}

/** The file of a store, also where it is named by a URL or through a link. */
export function fileOfStore(address: string): string | undefined {
  return backendOf(address) === openFile ? realPath(pathOf(address)) : undefined;
}

/** A store that is not made yet is where its folder is. */
function realPath(path: string): string {
  if (path === ':memory:' || dirname(path) === path) return path;
  return existsSync(path) ? realpathSync(path) : join(realPath(dirname(path)), basename(path));
}

/** The state of a store without opening it, which would create or migrate it. */
export async function inspectStore(address: string): Promise<StoreState> {
  if (backendOf(address) === openClickHouse) {
    const { inspectClickHouse } = await import('./clickhouse/migrate.ts');
    return inspectClickHouse(address);
  }
  const { inspectSqlite } = await import('./sqlite/connection.ts');
  return inspectSqlite(pathOf(address), address);
}

/** What there is at an address where no store is: nothing, and it stays so. */
export async function openEmptyStore(address: string): Promise<Store> {
  const { openSqliteStore } = await import('./sqlite/sqlite-store.ts');
  return openSqliteStore(':memory:', address);
}

function backendOf(address: string): OpenBackend {
  return BACKENDS[schemeOf(address) ?? 'file'] ?? openFile;
}

async function openFile(address: string, { waitMs }: StoreWaiting): Promise<Store> {
  const path = pathOf(address);
  if (path !== ':memory:') makeFolder(dirname(path));
  // Loaded here, so that a command that needs no store does not pay for SQLite.
  const { openSqliteStore } = await import('./sqlite/sqlite-store.ts');
  return openSqliteStore(path, address, waitMs === undefined ? {} : { busyTimeoutMs: waitMs });
}

async function openClickHouse(address: string): Promise<Store> {
  const { openClickHouseStore } = await import('./clickhouse/clickhouse-store.ts');
  return openClickHouseStore(address);
}

function schemeOf(address: string): string | undefined {
  // One letter is a drive of Windows.
  return /^([a-z][a-z0-9+.-]+):/i.exec(address)?.[1]?.toLowerCase();
}

function pathOf(address: string): string {
  if (address === '' || address.includes('\0')) {
    throw new AssayError('STORE_UNREADABLE', `${JSON.stringify(address)} is not the path of a file`);
  }
  if (address === ':memory:') return address;
  const scheme = schemeOf(address);
  if (scheme === 'file') return resolve(pathOfFileUrl(address));
  if (scheme === 'sqlite') return resolve(address.slice('sqlite:'.length).replace(/^\/\/(?!\/\/)/, ''));
  if (scheme === 'http') throw unsupported(scheme, 'plain HTTP');
  if (scheme !== undefined && address.startsWith(`${scheme}://`)) throw unsupported(scheme, `"${scheme}"`);
  return resolve(address);
}

function pathOfFileUrl(address: string): string {
  // A URL has no relative form, but people write one.
  if (!address.startsWith('file:/')) return address.slice('file:'.length);
  try {
    return fileURLToPath(address);
  } catch (cause) {
    throw new AssayError('STORE_UNREADABLE', `${address} does not name a file on this machine`, { cause });
  }
}

/** The address itself may hold a password and is not repeated. */
function unsupported(scheme: string, kind: string): AssayError {
  return new AssayError(
    'STORE_UNSUPPORTED',
    `The store address begins with ${scheme}:, but this version of Assay has no ${kind} store, only SQLite files and clickhouse://`,
  );
}

function makeFolder(folder: string): void {
  try {
    const first = makeMissing(folder);
    if (first === undefined) return;
    // Nobody should commit measurements by accident.
    if (basename(folder) === PROJECT_FOLDER) writeFileSync(join(folder, '.gitignore'), '*\n');
    // What is acknowledged must be found after a power cut, so the way to it must be on the disk as well.
    for (let made = folder; made.length >= first.length; made = dirname(made)) syncFolder(dirname(made));
  } catch (cause) {
    const full = cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC';
    throw new AssayError(full ? 'STORE_FULL' : 'STORE_UNREADABLE', `The folder ${folder} cannot be created`, {
      cause,
    });
  }
}

/**
 * The outermost folder that was missing. One by one: where a folder takes no others, as in /proc, Node's own way of making
 * several at once never ends.
 */
function makeMissing(folder: string): string | undefined {
  if (existsSync(folder)) return undefined;
  const outer = dirname(folder) === folder ? undefined : makeMissing(dirname(folder));
  // A store in a project may be read by others; anywhere else it is private.
  const mode = basename(folder) === PROJECT_FOLDER ? 0o777 : 0o700;
  try {
    mkdirSync(folder, { mode });
  } catch (cause) {
    // Another process was faster.
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) throw cause;
  }
  return outer ?? folder;
}

function syncFolder(folder: string): void {
  // Windows has no such thing.
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
