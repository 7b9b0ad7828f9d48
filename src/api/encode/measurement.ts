import { measurement } from '../schema/parts.ts';
import { encode } from '../wire.ts';

export function encodeMeasurement(one: Parameters<typeof encode<typeof measurement>>[1]) {
  return encode(measurement, one);
}
