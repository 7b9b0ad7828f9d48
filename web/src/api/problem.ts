/** An error as the server words it (RFC 9457), or as this page words it where the server said nothing. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly detail: string;

  constructor(status: number, code: string, title: string, detail: string) {
    super(title);
    this.status = status;
    this.code = code;
    this.detail = detail;
  }
}

export async function problemOf(response: Response): Promise<Problem> {
  const body: unknown = await response.json().catch(() => undefined);
  const text = (key: string): string | undefined => {
    const value = typeof body === 'object' && body !== null ? Reflect.get(body, key) : undefined;
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  return new Problem(
    response.status,
    text('code') ?? '',
    text('title') ?? `The server answered ${response.status}`,
    text('detail') ?? '',
  );
}

export function asProblem(fault: unknown): Problem {
  if (fault instanceof Problem) return fault;
  return new Problem(
    0,
    '',
    'The server does not answer',
    'It may have been stopped; start it with the command below.',
  );
}
