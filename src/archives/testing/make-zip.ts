/** Writes a ZIP archive, member by member, packed as told. */
import { deflateRawSync, zstdCompressSync } from 'node:zlib';

const PACKERS = {
  stored: [0, (bytes: Buffer) => bytes],
  deflate: [8, (bytes: Buffer) => deflateRawSync(bytes)],
  zstd: [93, (bytes: Buffer) => zstdCompressSync(bytes)],
  /** In two frames. */
  'zstd twice': [
    93,
    (bytes: Buffer) =>
      Buffer.concat([zstdCompressSync(bytes.subarray(0, 10)), zstdCompressSync(bytes.subarray(10))]),
  ],
} as const;

export function makeZip(
  members: Readonly<Record<string, string>>,
  how: keyof typeof PACKERS = 'deflate',
): Buffer {
  const [method, pack] = PACKERS[how];
  const [bodies, entries]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const [name, text] of Object.entries(members)) {
    const packed = pack(Buffer.from(text));
    const local = header(30, 0x04034b50, [[8, method]], [[18, packed.length]], [[26, name.length]]);
    const entry = header(
      46,
      0x02014b50,
      [[10, method]],
      [
        [20, packed.length],
        [42, offset],
      ],
      [[28, name.length]],
    );
    const body = Buffer.concat([local, Buffer.from(name), packed]);
    bodies.push(body);
    entries.push(entry, Buffer.from(name));
    offset += body.length;
  }
  const directory = Buffer.concat(entries);
  const count = Object.keys(members).length;
  const end = header(
    22,
    0x06054b50,
    [[10, count]],
    [
      [12, directory.length],
      [16, offset],
    ],
    [],
  );
  return Buffer.concat([...bodies, directory, end]);
}

type Fields = readonly (readonly [place: number, value: number])[];

function header(bytes: number, magic: number, short: Fields, long: Fields, lengths: Fields): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUInt32LE(magic, 0);
  for (const [place, value] of [...short, ...lengths]) buffer.writeUInt16LE(value, place);
  for (const [place, value] of long) buffer.writeUInt32LE(value, place);
  return buffer;
}
