import { check } from './fields.ts';
import { mappingSchema, type ValueMaps } from './mapping.ts';
import { readDocument } from './read-file.ts';

export function readMapping(path: string): ValueMaps {
  const { severity, category } = check(mappingSchema, readDocument(path));
  return {
    ...(severity !== undefined && { severity: new Map(Object.entries(severity)) }),
    ...(category !== undefined && { category: new Map(Object.entries(category)) }),
  };
}
