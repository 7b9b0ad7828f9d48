/** The two messages that an OTLP endpoint answers with, in both encodings. */
import type { ReceivedTelemetry } from '../../operations/session/session-intake.ts';
import type { TelemetryKind } from '../../session/live/telemetry.ts';

/** Nothing is said where everything was taken. */
export function encodePartialSuccess(
  type: string,
  kind: TelemetryKind,
  { rejected }: ReceivedTelemetry,
  message: string,
): Buffer {
  const isJson = type === 'application/json';
  if (rejected === 0) return Buffer.from(isJson ? '{}' : '');
  const name = kind === 'traces' ? 'rejectedSpans' : 'rejectedLogRecords';
  if (isJson)
    return Buffer.from(
      JSON.stringify({ partialSuccess: { [name]: String(rejected), errorMessage: message } }),
    );
  return field(1, Buffer.concat([Buffer.from([0x08]), varint(rejected), field(2, Buffer.from(message))]));
}

/** `google.rpc.Status`: what went wrong. */
export function encodeStatus(type: string, message: string): Buffer {
  return type === 'application/json'
    ? Buffer.from(JSON.stringify({ message }))
    : field(2, Buffer.from(message));
}

function field(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([number * 8 + 2]), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}
