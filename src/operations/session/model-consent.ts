/** The user's consent to send digests of sessions to a model, stored per destination. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isOwnFolder, makeOwnFolder } from '../../own-folder.ts';
import type { JudgingPlan } from './judge-sessions.ts';

const FILE = 'sent-to-models.json';

/** Another provider, or another address of it, needs its own consent. */
export function placeOf({ model, address }: Pick<JudgingPlan, 'model' | 'address'>): string {
  return address ?? model.slice(0, model.indexOf('/'));
}

export function hasConsent(folder: string, place: string): boolean {
  return agreed(folder).includes(place);
}

/** False: the consent could not be stored, so the user is asked again. */
export function rememberConsent(folder: string, place: string): boolean {
  if (!makeOwnFolder(folder)) return false;
  try {
    const places = [...new Set([...agreed(folder), place])].sort();
    writeFileSync(join(folder, FILE), `${JSON.stringify({ agreed: places }, undefined, 2)}\n`, {
      mode: 0o600,
    });
    return true;
  } catch {
    return false;
  }
}

function agreed(folder: string): string[] {
  // Another user's folder cannot contain your consent.
  if (!isOwnFolder(folder)) return [];
  try {
    const read: unknown = JSON.parse(readFileSync(join(folder, FILE), 'utf8'));
    if (typeof read !== 'object' || read === null || !('agreed' in read)) return [];
    return Array.isArray(read.agreed) ? read.agreed.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}
