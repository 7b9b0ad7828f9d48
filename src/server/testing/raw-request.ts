import { connect, type Socket } from 'node:net';

/** Bytes to a server as they are, and what comes back until it closes or falls silent. */
export function sendRaw(url: string, bytes: string | Uint8Array, closes = true): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = openSocket(url);
    const chunks: Buffer[] = [];
    const received = () => Buffer.concat(chunks).toString('latin1');
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (!closes) socket.destroy();
    });
    socket.on('close', () => resolve(received()));
    // A client that is disconnected while it sends may still have received the reason.
    socket.on('error', () => (chunks.length > 0 ? resolve(received()) : undefined));
    socket.on('timeout', () => reject(new Error('nothing came back')));
    socket.setTimeout(30_000);
    socket.write(bytes);
  });
}

export function openSocket(url: string): Socket {
  const { hostname, port } = new URL(url);
  return connect({ host: hostname, port: Number(port) });
}

export function statusIn(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
}
