import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { placeOf } from './address.ts';

describe('the address of a store on ClickHouse', () => {
  it('names a server and a database, and takes the account from the environment', () => {
    const env = { ASSAY_CLICKHOUSE_USER: 'assay', ASSAY_CLICKHOUSE_PASSWORD: 'hidden' };
    expect(placeOf('clickhouse://db.example:9123/team', env)).toEqual({
      address: 'clickhouse://db.example:9123/team',
      urls: ['http://db.example:9123'],
      database: 'team',
      username: 'assay',
      password: 'hidden',
      cluster: undefined,
    });
  });

  it('takes the password from a file, as containers have it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-password-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'password');
    writeFileSync(file, ' hidden \n');
    const passwordOf = (env: NodeJS.ProcessEnv) => placeOf('clickhouse://host', env).password;
    expect(passwordOf({ ASSAY_CLICKHOUSE_PASSWORD_FILE: file })).toBe(' hidden ');
    expect(passwordOf({ ASSAY_CLICKHOUSE_PASSWORD_FILE: file, ASSAY_CLICKHOUSE_PASSWORD: 'x' })).toBe('x');
    expect(passwordOf({ ASSAY_CLICKHOUSE_PASSWORD: 'made of a file\n' })).toBe('made of a file');
    expect(() => passwordOf({ ASSAY_CLICKHOUSE_PASSWORD_FILE: `${file}-gone` })).toThrow(
      /names cannot be read/,
    );
  });

  it.each([
    ['clickhouse://host', 'http://host:8123', 'assay'],
    ['clickhouse://host?secure=true', 'https://host:8443', 'assay'],
    ['https://host/team', 'https://host:8443', 'team'],
    ['https://host:443/team', 'https://host:443', 'team'],
    ['clickhouse://[::1]:8123/team', 'http://[::1]:8123', 'team'],
  ])('%s is %s', (address, url, database) => {
    expect(placeOf(address, {})).toMatchObject({ urls: [url], database, username: 'default' });
  });

  it('names every server of a cluster', () => {
    expect(placeOf('clickhouse://a,b:9000,[::1]:8123/team?cluster=fleet', {})).toMatchObject({
      urls: ['http://a:8123', 'http://b:9000', 'http://[::1]:8123'],
      cluster: 'fleet',
    });
    expect(placeOf('https://a,b/team?cluster=fleet', {}).urls).toEqual(['https://a:8443', 'https://b:8443']);
  });

  it.each([
    ['clickhouse:', /names no server/],
    ['clickhouse://host/a;drop', /not a plain name/],
    ['clickhouse://host/team?cluster=a`b', /not a plain name/],
    ['clickhouse://host/team?sercure=true', /unknown option sercure/],
    ['clickhouse://me@host/team', /logs/],
    ['clickhouse://host,me:secret@other/team?cluster=fleet', /logs/],
    ['clickhouse://a,b/team', /but no cluster/],
    ['clickhouse://a,/team?cluster=fleet', /names no server/],
  ])('%s is refused', (address, message) => {
    expect(() => placeOf(address, {})).toThrow(message);
    expect(() => placeOf(address, {})).toThrow(expect.objectContaining({ code: 'STORE_UNREADABLE' }));
  });
});
