/** What the sessions of a cell have in common: a row of its group, with a number that is never given to another one. */
import type { SQLInputValue } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { DIMENSIONS, type Dimension } from '../rollup.ts';
import type { Connection, SqlRow } from './connection.ts';
import { SCORING_CUBE } from './session-cubes.ts';
import { damaged } from './table.ts';

const FIND = 'SELECT id FROM session_group WHERE cube = ? AND key = ?';
const ADD = 'INSERT INTO session_group (cube, key, project, checksum) VALUES (?, ?, ?, ?)';
const READ = 'SELECT cube, key, project, checksum, id FROM session_group WHERE cube = ? AND id > ?';
const PROJECT = DIMENSIONS.indexOf('project');

/** Made where it is not there yet. `key` is what they have in common as JSON, in the order of the dimensions. */
export function groupId(connection: Connection, cube: number, key: string): number {
  const known = connection.get(FIND, [cube, key])?.[0];
  if (typeof known === 'number') return known;
  const project = cube === SCORING_CUBE ? null : ((JSON.parse(key) as SQLInputValue[])[PROJECT] ?? null);
  return connection.run(ADD, [cube, key, project, checksumOf([cube, key, project])]).id;
}

function checksumOf([cube, key, project]: readonly unknown[]): number {
  return crc32(`${cube} ${key} ${project}`);
}

/** `[cube, key, project, checksum]` of a row → what its sessions have in common, in the order of the key. */
export function namesOfGroup(connection: Connection, row: SqlRow): readonly (string | null)[] {
  if (checksumOf(row) !== row[3]) throw damaged(connection, 'session_group', 'key');
  return JSON.parse(String(row[1])) as (string | null)[];
}

type Named = { readonly [Name in Dimension]: string | undefined };
type CubeGroups = { readonly named: Map<unknown, Named>; last: number };

const remembered = new WeakMap<Connection, { cubes: Map<number, CubeGroups>; rollbacks: number }>();

/** The groups of a cube by their numbers. What was read once is remembered; some of them may be no more. */
export function groupsIn(connection: Connection, cube: number): ReadonlyMap<unknown, Named> {
  const { rollbacks } = connection;
  let known = remembered.get(connection);
  if (known?.rollbacks !== rollbacks) {
    known = { cubes: new Map(), rollbacks };
    remembered.set(connection, known);
  }
  const groups = known.cubes.get(cube) ?? { named: new Map<unknown, Named>(), last: 0 };
  known.cubes.set(cube, groups);
  for (const row of connection.all(READ, [cube, groups.last])) {
    const names = namesOfGroup(connection, row);
    const named = DIMENSIONS.map((name, i) => [name, names[i] ?? undefined]);
    groups.named.set(row[4], Object.fromEntries(named) as Named);
    groups.last = Math.max(groups.last, Number(row[4]));
  }
  return groups.named;
}
