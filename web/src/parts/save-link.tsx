import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { addressOf, type Query } from '../api/client.ts';
import { asProblem, type Problem, problemOf } from '../api/problem.ts';
import { token, withToken } from '../api/token.ts';
import { saveAs } from './download.ts';

/**
 * A link to something of the server as a file. Where it asks for a token, a plain link could only carry it in its address,
 * where logs and histories keep it: then the page fetches the file and hands it over.
 */
export function SaveLink({
  path,
  query,
  name,
  label,
  look,
  children,
}: {
  readonly path: string;
  readonly query?: Query;
  /** Of the file. */
  readonly name: string;
  /** For those who do not see what it stands below. */
  readonly label?: string;
  readonly look: 'chip' | 'link';
  readonly children: ComponentChildren;
}) {
  const [problem, setProblem] = useState<Problem>();
  const address = addressOf(path, query);
  const fetched = (event: Event) => {
    if (token.value === '') return;
    event.preventDefault();
    setProblem(undefined);
    saveFrom(address, name).catch((fault: unknown) => setProblem(asProblem(fault)));
  };
  return (
    <>
      {problem !== undefined && (
        <span class="sub tone-bad" role="alert">
          ✗ {problem.message}
        </span>
      )}
      <a class={look} href={address} download={name} aria-label={label} onClick={fetched}>
        {children}
      </a>
    </>
  );
}

async function saveFrom(address: string, name: string): Promise<void> {
  const response = await fetch(address, { headers: withToken() });
  if (!response.ok) throw await problemOf(response);
  saveAs(name, await response.blob());
}
