/** What people meet who set it up: each failure says what, where and what to do, and never the password. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { AssayError } from '../../errors.ts';
import { freePort } from '../../testing/free-port.ts';
import { seededByRun } from '../../testing/seed.ts';
import { startProcess } from '../sqlite/testing/processes.ts';
import { session } from '../testing/records.ts';
import { openClickHouseStore } from './clickhouse-store.ts';
import { ClickHouseServer, missingClickHouse } from './testing/clickhouse-server.ts';
import { startTlsProxy } from './testing/tls-proxy.ts';

const missing = missingClickHouse();
const chance = seededByRun();
const textThatDoesNotShrink = () =>
  Buffer.from(Uint32Array.from({ length: 250 }, () => chance.bits()).buffer).toString('base64');
const PASSWORD = 'a-word-that-nobody-may-see';
const WRITER = new URL('testing/writer.ts', import.meta.url);

const ACCOUNT = '<networks><ip>::/0</ip></networks><quota>default</quota>';
const USERS = `<clickhouse>
  <profiles><default></default><reading><readonly>1</readonly></reading></profiles><quotas><default></default></quotas>
  <users>
    <default><password></password>${ACCOUNT}<profile>default</profile></default>
    <writer><password>${PASSWORD}</password>${ACCOUNT}<profile>default</profile></writer>
    <reader><password>${PASSWORD}</password>${ACCOUNT}<profile>reading</profile></reader>
    <watcher><password>${PASSWORD}</password>${ACCOUNT}<profile>default</profile>
      <grants><query>GRANT SELECT ON *.*</query></grants></watcher>
  </users></clickhouse>`;

/** A disk of its own that is soon full; undefined where none may be made. */
function smallDisk(within: string): string | undefined {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'tmpfs', within], { stdio: 'ignore' });
    return within;
  } catch {
    return undefined;
  }
}

function signIn(user: string, password = PASSWORD): void {
  vi.stubEnv('ASSAY_CLICKHOUSE_USER', user);
  vi.stubEnv('ASSAY_CLICKHOUSE_PASSWORD', password);
  onTestFinished(() => void vi.unstubAllEnvs());
}

/** All that is shown of it, wherever. */
async function failureOf(work: Promise<unknown>): Promise<AssayError> {
  const error = await work.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  if (!(error instanceof AssayError)) throw new Error(`expected a failure, not ${String(error)}`);
  expect(`${error.message} ${error.remedy} ${JSON.stringify(error)}`).not.toContain(PASSWORD);
  return error;
}

if (missing !== undefined) it.skip(`a ClickHouse that refuses (${missing})`, () => {});
else
  describe('a ClickHouse that refuses', () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-refused-'));
    const disk = smallDisk(folder);
    let server: ClickHouseServer;
    beforeAll(async () => {
      server = await ClickHouseServer.start({
        within: disk,
        settings: (place) => {
          writeFileSync(join(place, 'users.xml'), USERS);
          return [`--users_config=${join(place, 'users.xml')}`];
        },
      });
    }, 120_000);
    afterAll(async () => {
      await server.stop();
      if (disk !== undefined) execFileSync('umount', [disk]);
      rmSync(folder, { recursive: true, force: true });
    });

    const open = async (address = server.address('refused')) => {
      const store = await openClickHouseStore(address);
      onTestFinished(() => store.close());
      return store;
    };

    it.each([
      ['a wrong password', 'writer', 'another'],
      ['an unknown account', 'nobody', PASSWORD],
    ])('names the account and the variables on %s', async (_, user, password) => {
      signIn(user, password);
      const error = await failureOf(open());
      expect(error.code).toBe('STORE_UNREADABLE');
      expect(error.message).toContain(`${server.address('refused')} rejects the account`);
      expect(error.message).toContain(user);
      expect(error.remedy).toContain('ASSAY_CLICKHOUSE_PASSWORD');
    });

    it.each(['reader', 'watcher'])('names what the account %s has to be granted', async (user) => {
      signIn('writer');
      await open();
      signIn(user);
      // It has the schema: what is missing is the right to write.
      const error = await failureOf(open().then((store) => store.appendSessions([session('a', 'r')])));
      expect(error.code).toBe('STORE_UNREADABLE');
      expect(error.message).toContain('does not allow this account to do that');
      expect(error.remedy).toContain('administrator');
    });

    it('makes a database that is not there, or says who has to', async () => {
      signIn('watcher');
      const error = await failureOf(open(server.address('nobodys')));
      expect(error).toMatchObject({
        code: 'STORE_UNREADABLE',
        remedy: expect.stringContaining('CREATE DATABASE'),
      });
      signIn('writer');
      const store = await open();
      await server.ask('DROP DATABASE refused SYNC');
      const gone = await failureOf(store.appendSessions([session('a', 'r')]));
      expect(gone.message).toContain('has no such database');
      expect(gone.remedy).toContain('assay store migrate');
      await (await open()).appendSessions([session('a', 'r')]);
    });

    it('says which address does not answer, and goes on when it is back', async () => {
      const port = await freePort();
      const error = await failureOf(open(`clickhouse://127.0.0.1:${port}/assay`));
      expect(error.code).toBe('STORE_UNREACHABLE');
      expect(error.message).toContain(`clickhouse://127.0.0.1:${port}/assay does not answer`);
      signIn('writer');
      const store = await open();
      await store.appendSessions([session('before', 'r')]);
      await server.kill();
      expect((await failureOf(store.appendSessions([session('meanwhile', 'r')]))).code).toBe(
        'STORE_UNREACHABLE',
      );
      expect((await failureOf(store.countSessions())).code).toBe('STORE_UNREACHABLE');
      await server.resume();
      await store.appendSessions([session('meanwhile', 'r')]);
      expect(await store.countSessions({ search: 'meanwhile' })).toBe(1);
    });

    it('refuses a certificate that nobody vouches for, and takes it where NODE_EXTRA_CA_CERTS names it', async () => {
      const place = mkdtempSync(join(tmpdir(), 'assay-tls-'));
      const proxy = await startTlsProxy(server.httpPort, place);
      onTestFinished(async () => {
        await proxy.close();
        rmSync(place, { recursive: true, force: true });
      });
      signIn('writer');
      const address = `https://localhost:${proxy.port}/refused`;
      const error = await failureOf(open(address));
      expect(error).toMatchObject({
        code: 'STORE_UNREADABLE',
        message: expect.stringContaining(`${address} signed its certificate itself`),
        remedy: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
      });
      expect((await failureOf(open(`https://localhost:${server.httpPort}/refused`))).message).toContain(
        'does not speak TLS there',
      );
      vi.stubEnv('NODE_EXTRA_CA_CERTS', proxy.certificate);
      await startProcess(WRITER, address, 'over-tls', '1', '2').end();
      const store = await open();
      expect(
        (await store.listSessions()).filter(({ sessionKey }) => sessionKey.startsWith('over-tls')),
      ).toHaveLength(2);
    });

    const says = 'says that its disk is full, keeps what it acknowledged, and goes on when there is space';
    if (disk === undefined) it.skip(`${says} (no disk may be mounted here)`, () => {});
    else
      it(says, async () => {
        signIn('writer');
        const store = await open();
        const before = await store.countSessions();
        const batch = (name: string) =>
          Array.from({ length: 20 }, (_, i) =>
            session(`${name}-${i}`, 'r', { facts: { text: textThatDoesNotShrink() } }),
          );
        await store.appendSessions(batch('kept'));
        const ballast = join(disk, 'ballast');
        execFileSync('sh', ['-c', 'dd if=/dev/zero of="$0" bs=1M 2> /dev/null || true', ballast]);
        const error = await failureOf(store.appendSessions(batch('refused')));
        expect(error.code).toBe('STORE_FULL');
        expect(error.message).toContain(`${store.address} has no space left`);
        expect(error.remedy).toContain('disk of ClickHouse');
        expect(await store.countSessions()).toBeGreaterThanOrEqual(before + 20);
        rmSync(ballast);
        await store.appendSessions(batch('refused'));
        expect(await store.countSessions()).toBe(before + 40);
      });
  });
