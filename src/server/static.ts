/** The files of the dashboard, from the folder that its build made and from nowhere else. */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { gzipSync } from 'node:zlib';

export type ServeFile = (
  path: string,
  headers: Readonly<Record<string, string>>,
) => Promise<Response | undefined>;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
};

const PACKED = /\.(html|js|css|svg|json|webmanifest|txt)$/;

type CachedFile = {
  readonly body: Buffer;
  readonly packed?: Buffer;
  readonly etag: string;
  readonly mtime: number;
};

/**
 * Serves only files in the listing of the folder, so that no address leads out of it. Addresses without a file and
 * without an extension are pages, which `index.html` shows.
 */
export function serveFilesOf(folder: string): ServeFile {
  const cachedFiles = new Map<string, CachedFile>();
  return async (path, headers) => {
    const files = filesIn(folder);
    const name = files.has(path) ? path : extname(path) === '' ? '/index.html' : undefined;
    if (name === undefined) return undefined;
    const file = files.get(name);
    if (file === undefined) return notBuilt();
    return fileResponse(name, cacheFile(cachedFiles, file), headers);
  };
}

function filesIn(folder: string): ReadonlyMap<string, string> {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    return new Map(
      entries.map(({ parentPath, name }) => {
        const path = join(parentPath, name);
        return [`/${relative(folder, path).split(sep).join('/')}`, path];
      }),
    );
  } catch {
    return new Map();
  }
}

/** A new build is served without a restart. */
function cacheFile(cached: Map<string, CachedFile>, path: string): CachedFile {
  const { mtimeMs: mtime } = statSync(path);
  const known = cached.get(path);
  if (known?.mtime === mtime) return known;
  const body = readFileSync(path);
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  const file = { body, etag, mtime, ...(PACKED.test(path) && { packed: gzipSync(body) }) };
  cached.set(path, file);
  return file;
}

function fileResponse(
  name: string,
  { body, packed, etag }: CachedFile,
  headers: Readonly<Record<string, string>>,
): Response {
  const cacheHeaders = {
    etag,
    // What is under assets/ has its hash in its name.
    'cache-control': name.startsWith('/assets/')
      ? 'private, max-age=31536000, immutable'
      : 'private, no-cache',
    vary: 'accept-encoding',
  };
  if (headers['if-none-match'] === etag) return new Response(null, { status: 304, headers: cacheHeaders });
  const type = TYPES[extname(name)] ?? 'application/octet-stream';
  const isPacked = packed !== undefined && /\bgzip\b/.test(headers['accept-encoding'] ?? '');
  const bytes = isPacked ? packed : body;
  return new Response(streamOf(bytes), {
    headers: {
      ...cacheHeaders,
      'content-length': String(bytes.length),
      'content-type': type,
      ...(isPacked && { 'content-encoding': 'gzip' }),
    },
  });
}

const CHUNK_BYTES = 64 * 1024;

/** Streams at the client's pace: an unread answer takes no memory. */
function streamOf(body: Buffer): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull: (controller) => {
      if (at < body.length) controller.enqueue(new Uint8Array(body.subarray(at, at + CHUNK_BYTES)));
      at += CHUNK_BYTES;
      if (at >= body.length) controller.close();
    },
  });
}

function notBuilt(): Response {
  const text = [
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Assay</title>',
    '<h1>The dashboard is not built yet</h1>',
    '<p>Run this in the folder of Assay: <code>npm run build:web</code>, then load this page again.</p>',
    '<p>The HTTP API is described at <a href="/api/docs">/api/docs</a>.</p></html>',
  ].join('\n');
  return new Response(text, {
    status: 503,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  });
}
