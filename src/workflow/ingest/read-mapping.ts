import { mappingSchema, type ValueMaps } from './mapping.ts';
import { readDocument } from './read-file.ts';
import { check } from './validate.ts';

export function readMapping(path: string): ValueMaps {
  const { severity, category } = check(mappingSchema, readDocument(path));
  return {
    ...(severity !== undefined && { severity: new Map(Object.entries(severity)) }),
    ...(category !== undefined && { category: new Map(Object.entries(category)) }),
  };
}
