/** Every failure of ClickHouse or of the way to it becomes an AssayError here and nowhere else. */
import { ClickHouseError } from '@clickhouse/client';
import { AssayError, type ErrorCode } from '../../errors.ts';
import { mask } from '../../secrets.ts';
import type { ServerPlace } from './address.ts';

const UNREACHED = ['STORE_UNREACHABLE', 'cannot reach one of its servers'] as const;

// https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp
const KINDS: Readonly<Record<string, readonly [code: ErrorCode, what: string]>> = {
  '516': ['STORE_UNREADABLE', 'rejects the account or its password'],
  '497': ['STORE_UNREADABLE', 'does not allow this account to do that'],
  '192': ['STORE_UNREADABLE', 'does not know the account'],
  '164': ['STORE_UNREADABLE', 'does not allow this account to do that'],
  '81': ['STORE_UNREADABLE', 'has no such database'],
  '243': ['STORE_FULL', 'has no space left'],
  '252': ['STORE_BUSY', 'has too many parts to merge'],
  '202': ['STORE_BUSY', 'has too many queries at once'],
  '241': ['STORE_BUSY', 'has too little memory right now'],
  '159': ['STORE_BUSY', 'took too long'],
  // Between servers: cut, silent, refused, without an address, all copies gone; and one that is just being stopped.
  '32': UNREACHED,
  '198': UNREACHED,
  '209': UNREACHED,
  '210': UNREACHED,
  '279': UNREACHED,
  '1000': UNREACHED,
  '236': ['STORE_BUSY', 'is being stopped'],
  '394': ['STORE_BUSY', 'cancelled the query'],
  '242': ['STORE_BUSY', 'accepts no writes right now'],
  '999': ['STORE_BUSY', 'cannot reach its coordination service right now'],
  '40': ['STORE_CORRUPT', 'is damaged'],
  '246': ['STORE_CORRUPT', 'is damaged'],
};

const ACCOUNT = 'Set the account in ASSAY_CLICKHOUSE_USER and ASSAY_CLICKHOUSE_PASSWORD.';
const GRANT =
  'Let an administrator grant it: to read and write the database, and once, to make it, CREATE DATABASE, CREATE TABLE and CREATE VIEW.';

/** What the remedy of the code says is about files. */
const REMEDIES: Readonly<Record<string, string>> = {
  '516': ACCOUNT,
  '192': ACCOUNT,
  '497': GRANT,
  '164': `The account may only read (readonly). ${GRANT}`,
  '243':
    'Free space on the disk of ClickHouse, or enlarge it. Acknowledged data is intact; send the rest again.',
  '81': 'Check the name of the database in the address; `assay store migrate` creates it.',
};

/** As the system says it, where the server had not looked before. */
const NO_SPACE = /No space left on device/;

/** Certificates that are refused, and servers that speak without TLS: trying again does not help. */
const UNTRUSTED: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'signed its certificate itself, and this machine does not trust it',
  SELF_SIGNED_CERT_IN_CHAIN: 'has a certificate of an authority that this machine does not trust',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'has a certificate of an authority that this machine does not know',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'has a certificate of an authority that this machine does not know',
  CERT_HAS_EXPIRED: 'has a certificate that has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another name',
  EPROTO: 'does not speak TLS there',
  ERR_SSL_WRONG_VERSION_NUMBER: 'does not speak TLS there',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'does not speak TLS there',
};
const TRUST =
  'Set NODE_EXTRA_CA_CERTS to the certificate of its authority (or its own). For a server without TLS, write clickhouse:// instead of https://.';

export function toAssayError(error: unknown, { address, password }: ServerPlace): AssayError {
  if (error instanceof AssayError) return error;
  // A proxy may repeat what it was sent.
  const message = mask(error instanceof Error ? error.message : String(error), [password ?? '']);
  if (error instanceof ClickHouseError) {
    const number = NO_SPACE.test(message) ? '243' : error.code;
    const [code, what] = KINDS[number] ?? ['INTERNAL', 'refused a statement'];
    const remedy = REMEDIES[number];
    return new AssayError(code, `${address} ${what} (${message})`, {
      cause: error,
      remedy,
    });
  }
  const untrusted = error instanceof Error && 'code' in error ? UNTRUSTED[String(error.code)] : undefined;
  if (untrusted !== undefined)
    return new AssayError('STORE_UNREADABLE', `${address} ${untrusted} (${message})`, {
      cause: error,
      remedy: TRUST,
    });
  // What is left are sockets that were refused, cut or silent.
  return new AssayError('STORE_UNREACHABLE', `${address} does not answer (${message})`, { cause: error });
}
