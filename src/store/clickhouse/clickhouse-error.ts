/** Every failure of ClickHouse or of the way to it becomes an AssayError here and nowhere else. */
import { ClickHouseError } from '@clickhouse/client';
import { AssayError, type ErrorCode } from '../../errors.ts';
import type { ServerPlace } from './address.ts';

const UNREACHED = ['STORE_UNREACHABLE', 'cannot reach one of its servers'] as const;

// https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp
const KINDS: Readonly<Record<string, readonly [code: ErrorCode, what: string]>> = {
  '516': ['STORE_UNREADABLE', 'does not know the account'],
  '497': ['STORE_UNREADABLE', 'does not allow this account to do that'],
  '192': ['STORE_UNREADABLE', 'does not know the account'],
  '164': ['STORE_UNREADABLE', 'does not allow this account to do that'],
  '81': ['STORE_UNREADABLE', 'has no such database'],
  '243': ['STORE_FULL', 'has no space left'],
  '252': ['STORE_BUSY', 'has too many parts to merge'],
  '202': ['STORE_BUSY', 'is asked too much at once'],
  '241': ['STORE_BUSY', 'has too little memory at the moment'],
  '159': ['STORE_BUSY', 'took too long'],
  // Between servers: cut, silent, refused, without an address, all copies gone; and one that is just being stopped.
  '32': UNREACHED,
  '198': UNREACHED,
  '209': UNREACHED,
  '210': UNREACHED,
  '279': UNREACHED,
  '1000': UNREACHED,
  '236': ['STORE_BUSY', 'is being stopped'],
  '394': ['STORE_BUSY', 'ended the question'],
  '242': ['STORE_BUSY', 'takes no writing at the moment'],
  '999': ['STORE_BUSY', 'has no coordination at the moment'],
  '40': ['STORE_CORRUPT', 'is damaged'],
  '246': ['STORE_CORRUPT', 'is damaged'],
};

/** What the remedy of the code says is about files. */
const REMEDIES: Readonly<Record<string, string>> = {
  '516': 'Give the account in ASSAY_CLICKHOUSE_USER and ASSAY_CLICKHOUSE_PASSWORD.',
  '192': 'Give the account in ASSAY_CLICKHOUSE_USER and ASSAY_CLICKHOUSE_PASSWORD.',
  '497':
    'Let an administrator grant it: to read and write the database, and once, to make it, CREATE DATABASE, CREATE TABLE and CREATE VIEW.',
  '81': 'Check the name of the database in the address; `assay store migrate` makes it.',
};

export function toAssayError(error: unknown, { address }: ServerPlace): AssayError {
  if (error instanceof AssayError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ClickHouseError) {
    const [code, what] = KINDS[error.code] ?? ['INTERNAL', 'refused a statement'];
    const remedy = REMEDIES[error.code];
    return new AssayError(code, `${address} ${what} (${message})`, {
      cause: error,
      ...(remedy !== undefined && { remedy }),
    });
  }
  // What is left are sockets that were refused, cut or silent.
  return new AssayError('STORE_UNREACHABLE', `${address} does not answer (${message})`, { cause: error });
}
