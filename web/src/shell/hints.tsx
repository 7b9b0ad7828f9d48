/**
 * Words that are shown on demand: whatever has `data-hint` says them when it is pointed at or focused. One element for
 * the whole page, so that no table cuts it off; the words are only ever text.
 */
import { useEffect, useRef, useState } from 'preact/hooks';

type Shown = { readonly text: string; readonly x: number; readonly y: number; readonly above: boolean };

const GAP = 8;
const WIDTH = 320;

function hintOf(
  target: EventTarget | null,
): { readonly element: Element; readonly text: string } | undefined {
  const element = target instanceof Element ? target.closest('[data-hint]') : null;
  const text = element?.getAttribute('data-hint');
  return element === null || text === null || text === undefined || text === ''
    ? undefined
    : { element, text };
}

export function Hints() {
  const [shown, setShown] = useState<Shown>();
  const over = useRef<Element | undefined>(undefined);
  useEffect(() => {
    const show = (event: Event) => {
      const hint = hintOf(event.target);
      if (hint === undefined) {
        over.current = undefined;
        return setShown(undefined);
      }
      if (over.current === hint.element) return;
      over.current = hint.element;
      const box = hint.element.getBoundingClientRect();
      const above = box.bottom > innerHeight - 120;
      const x = Math.max(GAP, Math.min(box.left, innerWidth - WIDTH - GAP));
      setShown({ text: hint.text, x, y: above ? innerHeight - box.top + GAP : box.bottom + GAP, above });
    };
    const hide = (event: Event) => {
      if (event instanceof KeyboardEvent && event.key !== 'Escape') return;
      over.current = undefined;
      setShown(undefined);
    };
    document.addEventListener('pointerover', show);
    document.addEventListener('focusin', show);
    document.addEventListener('keydown', hide);
    addEventListener('scroll', hide, true);
    return () => {
      document.removeEventListener('pointerover', show);
      document.removeEventListener('focusin', show);
      document.removeEventListener('keydown', hide);
      removeEventListener('scroll', hide, true);
    };
  }, []);
  if (shown === undefined) return null;
  const at = shown.above ? { bottom: `${shown.y}px` } : { top: `${shown.y}px` };
  return (
    <div class="hint-box" role="tooltip" style={{ left: `${shown.x}px`, ...at }}>
      {shown.text}
    </div>
  );
}
