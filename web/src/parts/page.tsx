import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { connection, liveUntil } from '../api/events.ts';
import { timeOfDay } from './when.tsx';

let opened = false;

/**
 * The frame of every page: title, answer, actions. A new page moves the focus to its title, so that screen readers
 * announce it.
 */
export function Page({
  title,
  lead,
  actions,
  live,
  children,
}: {
  readonly title: string;
  /** Answers first: one sentence with the facts that decide it. */
  readonly lead?: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** True where the page changes by itself. */
  readonly live?: boolean;
  readonly children?: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Assay`;
  }, [title]);
  useEffect(() => {
    if (opened) heading.current?.focus({ preventScroll: true });
    opened = true;
  }, []);
  return (
    <>
      <div class="bar">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {live && <LiveMark />}
        {actions}
      </div>
      {lead !== undefined && <p class="lead">{lead}</p>}
      {children}
    </>
  );
}

const WORDS = {
  connecting: ['○', 'connecting', 'quiet'],
  live: ['●', 'live', 'good'],
  lost: ['▲', 'not live', 'caution'],
  closed: ['–', 'not live', 'quiet'],
} as const;

/** Whether the page is updated live. */
function LiveMark() {
  const [mark, word, tone] = WORDS[connection.value];
  return (
    <span class={`live tone-${tone}`} role="status">
      <i aria-hidden="true">{mark}</i> {word}
      {connection.value === 'lost' &&
        liveUntil.value !== undefined &&
        ` since ${timeOfDay(liveUntil.value)}: trying again`}
    </span>
  );
}
