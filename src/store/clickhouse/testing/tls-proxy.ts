/** TLS before a server that speaks without it, with a certificate that it signed itself. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';

export type TlsProxy = {
  readonly port: number;
  readonly certificate: string;
  readonly close: () => Promise<void>;
};

export async function startTlsProxy(target: number, folder: string): Promise<TlsProxy> {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
  const named = ['-addext', 'subjectAltName=DNS:localhost'];
  execFileSync('openssl', [...made, ...named, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (secure) => {
    const plain = connect(target, '127.0.0.1');
    for (const socket of [secure, plain])
      socket.on('error', () => {
        secure.destroy();
        plain.destroy();
      });
    secure.pipe(plain).pipe(secure);
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((done) => server.listen(0, 'localhost', done));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    certificate,
    close: () => new Promise((done) => void server.close(() => done())),
  };
}
