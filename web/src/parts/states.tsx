/** Nothing yet, nothing there, nothing new, nothing works: each says so, and what to do. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Problem } from '../api/client.ts';
import type { Resource } from '../api/use-resource.ts';
import { timeOfDay } from './when.tsx';

export function Loading({ rows = 3 }: { readonly rows?: number }) {
  return (
    <div class="loading" role="status">
      <span class="unseen">Loading</span>
      {Array.from({ length: rows }, (_, row) => (
        <i key={row} />
      ))}
    </div>
  );
}

/** An empty page shows the one command that fills it. */
export function Empty({
  children,
  command,
}: {
  readonly children: ComponentChildren;
  readonly command?: string | undefined;
}) {
  return (
    <div class="empty">
      <p>{children}</p>
      {command !== undefined && <Command text={command} />}
    </div>
  );
}

export function Failed({
  title,
  detail,
  retry,
  command,
}: {
  readonly title: string;
  readonly detail?: string | undefined;
  readonly retry?: (() => void) | undefined;
  readonly command?: string | undefined;
}) {
  return (
    <div class="failed" role="alert">
      <p>
        <b>
          <span class="tone-bad">✗</span> {title}
        </b>
        {detail !== undefined && detail !== '' && <span class="sub"> {detail}</span>}
      </p>
      <div class="row">
        {retry !== undefined && (
          <button type="button" class="chip" onClick={retry}>
            Try again
          </button>
        )}
        {command !== undefined && <Command text={command} />}
      </div>
    </div>
  );
}

export function ProblemNote({ problem, retry }: { readonly problem: Problem; readonly retry: () => void }) {
  // No error: the user may not see it.
  if (problem.code === 'FOLDER_UNSEEN')
    return (
      <Empty>
        This is read from the folder of the server, which is of another project than your token. What is
        stored of your projects is on the other pages.
      </Empty>
    );
  return (
    <Failed
      title={problem.message}
      detail={problem.detail}
      retry={retry}
      command={problem.status === 0 ? 'assay serve' : undefined}
    />
  );
}

/** What was shown stays, with the time it is from, when a newer answer could not be had. */
function Stale({
  at,
  problem,
  retry,
}: {
  readonly at: number;
  readonly problem: Problem;
  readonly retry: () => void;
}) {
  return (
    <div class="stale" role="status">
      <span class="tone-caution">▲</span> As of {timeOfDay(at)}: {problem.message.toLowerCase()}.{' '}
      <button type="button" class="chip" onClick={retry}>
        Try again
      </button>
    </div>
  );
}

/** Shows the data, and until then, in its place or next to it, the state of loading. */
export function Show<Data>({
  of,
  rows,
  children,
}: {
  readonly of: Resource<Data>;
  /** Placeholder lines while it loads. */
  readonly rows?: number;
  readonly children: (data: Data) => ComponentChildren;
}) {
  const { data, at, problem, reload } = of;
  if (data === undefined) {
    return problem === undefined ? (
      <Loading {...(rows !== undefined && { rows })} />
    ) : (
      <ProblemNote problem={problem} retry={reload} />
    );
  }
  return (
    <>
      {problem !== undefined && <Stale at={at ?? Date.now()} problem={problem} retry={reload} />}
      {children(data)}
    </>
  );
}

const SAID_MS = 1600;

/** A command to type, with a button that copies it. */
export function Command({ text }: { readonly text: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), SAID_MS);
    } catch {
      // Without permission the text can still be selected.
    }
  };
  return (
    <span class="command">
      <code>{text}</code>
      <button type="button" class="chip" onClick={copy} aria-label={`Copy: ${text}`}>
        {copied ? 'copied' : 'copy'}
      </button>
    </span>
  );
}
