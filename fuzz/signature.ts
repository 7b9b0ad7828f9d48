/** Where something broke: two inputs that break the same place are one finding. */
export function signatureOf(error: unknown): string {
  if (!(error instanceof Error)) return `thrown: ${String(error).slice(0, 80)}`;
  const place = /\/((?:src|fuzz)\/[^):]+\.ts):(\d+)/.exec(error.stack ?? '');
  const what = error.name === 'Broken' ? error.message.replaceAll(/\d+/g, '#').slice(0, 120) : error.name;
  return `${what} at ${place?.[1] ?? 'an unknown place'}:${place?.[2] ?? ''}`;
}
