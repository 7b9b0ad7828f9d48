import type { ComponentChildren } from 'preact';

/** Something with more to say: the words come when it is pointed at or focused, and are read out. */
export function Hint({ text, children }: { readonly text: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the words must be within reach of the keyboard.
    <span class="hint" tabIndex={0} data-hint={text}>
      {children}
      <span class="unseen"> ({text})</span>
    </span>
  );
}
