import type { AuditOrigin } from '../../operations/audit/audit-writer.ts';
import { PROXY_HEADERS } from '../security/origin.ts';

/** From where a request came, as a class: whose address it is is nobody's business here. */
export function auditOriginOf(address: string, headers: Headers): AuditOrigin {
  if (PROXY_HEADERS.some((name) => headers.has(name))) return 'proxy';
  const plain = address.replace(/^::ffff:(?=\d)/i, '').toLowerCase();
  if (plain === '' || plain === '::1' || plain.startsWith('127.')) return 'this machine';
  return PRIVATE.test(plain) ? 'private network' : 'internet';
}

const PRIVATE = /^(10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:)/;
