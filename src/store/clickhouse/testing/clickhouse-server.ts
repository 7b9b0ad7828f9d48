/**
 * A real ClickHouse for tests: the library libchdb from npm, which contains the whole server, opened to connections by
 * a few lines of Python, because it needs the stack of an ordinary thread. Installed on demand; never part of an
 * installation.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '../../../testing/free-port.ts';

const PACKAGE = '@chdb/lib-linux-x64-gnu';
const VERSION = '26.7.3-stable.1';
const CACHE = resolve(import.meta.dirname, '../../../../node_modules/.cache/assay-clickhouse', VERSION);
const LIBRARY = join(CACHE, 'libchdb.so');

/** Writing through to the disk takes no time here, and a killed process loses as little as it would on one. */
const MEMORY = '/dev/shm';

const LAUNCHER = `
import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
words = [word.encode() for word in sys.argv[2:]]
main = library.chdb_query_cmdline
main.argtypes = [ctypes.c_int, ctypes.POINTER(ctypes.c_char_p)]
main(len(words), (ctypes.c_char_p * (len(words) + 1))(*words, None))
`;

const LISTEN = `SYSTEM START LISTEN HTTP; SYSTEM START LISTEN TCP; SELECT sleepEachRow(1) FROM numbers(36000)
  SETTINGS function_sleep_max_microseconds_per_block = 36000000000, max_block_size = 1 FORMAT Null`;

const CONFIG = 'config.xml';

/** Why there is none here; undefined when there is. */
export function missingClickHouse(): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'libchdb is for Linux on x64';
  if (existsSync(LIBRARY)) return undefined;
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' });
    fetchLibrary();
    return undefined;
  } catch (error) {
    return `libchdb could not be had from npm (${error instanceof Error ? error.message.split('\n')[0] : error})`;
  }
}

function fetchLibrary(): void {
  mkdirSync(CACHE, { recursive: true });
  const scratch = mkdtempSync(join(CACHE, 'fetching-'));
  try {
    const name = execFileSync('npm', ['pack', `${PACKAGE}@${VERSION}`, '--silent'], {
      cwd: scratch,
      encoding: 'utf8',
    });
    execFileSync('tar', ['xzf', name.trim(), 'package/libchdb.so'], { cwd: scratch });
    renameSync(join(scratch, 'package/libchdb.so'), LIBRARY);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Whether a test failed because the library crashed. */
export function isFatalThere({ message, cause }: { message?: string; cause?: unknown }): boolean {
  const isOf = (text: unknown) => /shutting down due to a fatal error/.test(String(text));
  return isOf(message) || (cause instanceof Object && isFatalThere(cause as Error));
}

export type ServerOptions = {
  /** Elements of its configuration. */
  readonly config?: string;
  /** Settings as a command line names them, by the folder of the server. */
  readonly settings?: (folder: string) => readonly string[];
  readonly ports?: { readonly http: number; readonly tcp: number };
  /** The folder of its data; in memory without one. */
  readonly within?: string;
  /** A folder that it uses again and does not remove. */
  readonly at?: string;
};

export class ClickHouseServer {
  readonly folder: string;
  readonly httpPort: number;
  readonly tcpPort: number;
  readonly #settings: readonly string[];
  readonly #isKept: boolean;
  #process: ChildProcess | undefined;

  private constructor(
    folder: string,
    ports: { readonly http: number; readonly tcp: number },
    settings: readonly string[],
    isKept: boolean,
  ) {
    this.folder = folder;
    this.#settings = settings;
    this.#isKept = isKept;
    this.httpPort = ports.http;
    this.tcpPort = ports.tcp;
  }

  static async start(options: ServerOptions = {}): Promise<ClickHouseServer> {
    const { config = '', settings = () => [], ports, within, at } = options;
    const parent = within ?? (existsSync(MEMORY) ? MEMORY : tmpdir());
    const folder = at ?? mkdtempSync(join(parent, 'assay-clickhouse-'));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, CONFIG), `<clickhouse>${config}</clickhouse>`);
    const own = ports ?? { http: await freePort(), tcp: await freePort() };
    const server = new ClickHouseServer(folder, own, settings(folder), at !== undefined);
    await server.resume();
    return server;
  }

  /** Starts again with the same data. */
  async resume(): Promise<void> {
    const config = `--config-file=${join(this.folder, CONFIG)}`;
    const words = ['clickhouse', config, `--path=${this.folder}`, '--multiquery', `--query=${LISTEN}`, '--'];
    const ports = [`--http_port=${this.httpPort}`, `--tcp_port=${this.tcpPort}`, '--listen_host=127.0.0.1'];
    const child = spawn('python3', ['-c', LAUNCHER, LIBRARY, ...words, ...ports, ...this.#settings], {
      stdio: 'ignore',
    });
    this.#process = child;
    // The library ends when a connection of its native protocol is cut, where a server only notes it: it is started again, as
    // a service would be.
    child.once('exit', () => {
      if (this.#process === child) this.resume().catch(() => {});
    });
    await this.#answers();
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  address(database: string): string {
    return `clickhouse://127.0.0.1:${this.httpPort}/${database}`;
  }

  /** The address of an empty database: truncating tables is faster than creating them. */
  async emptied(database: string): Promise<string> {
    await this.ask('SELECT 1').catch(() => this.#restart());
    const tables = await this.ask(
      `SELECT name FROM system.tables WHERE database = '${database}' AND total_rows > 0
       AND name NOT IN ('schema_step', 'schema_reader') AND engine LIKE '%MergeTree' FORMAT TSV`,
    );
    for (const name of tables.split('\n').filter(Boolean))
      await this.ask(`TRUNCATE TABLE ${database}.${name} SYNC`);
    return this.address(database);
  }

  async ask(sql: string): Promise<string> {
    const answer = await fetch(`http://127.0.0.1:${this.httpPort}/`, { method: 'POST', body: sql });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return text;
  }

  /** After a crash the library answers that it is shutting down, and never ends. */
  async #restart(): Promise<void> {
    await this.kill();
    await this.resume();
  }

  get isStopped(): boolean {
    return this.#process === undefined;
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }

  async stop(): Promise<void> {
    await this.kill();
    if (!this.#isKept) rmSync(this.folder, { recursive: true, force: true });
  }

  async #answers(): Promise<void> {
    for (let tries = 0; tries < 600; tries += 1) {
      if (this.#process === undefined) throw new Error('ClickHouse was stopped before it listened');
      try {
        if ((await fetch(`http://127.0.0.1:${this.httpPort}/ping`)).ok) return;
      } catch {
        // Not yet.
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error('ClickHouse did not answer');
  }
}
