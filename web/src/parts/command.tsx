import { useState } from 'preact/hooks';

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
