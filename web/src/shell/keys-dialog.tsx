import { Dialog } from './dialog.tsx';
import { open } from './open.ts';

const KEYS: readonly (readonly [string, string])[] = [
  ['Ctrl K or ⌘ K', 'find a page, a session, a saved view'],
  ['/', 'search on this page'],
  ['j  k', 'next and previous row of a table'],
  ['Enter', 'open the row'],
  ['g then o s d w a c', 'go to overview, sessions, decomposition, workflow, alerts, calibration'],
  ['Escape', 'close what is open'],
  ['?', 'this list'],
];

export function KeysDialog() {
  if (open.value !== 'keys') return null;
  return (
    <Dialog
      label="Keys"
      onClose={() => {
        // It is told late: another dialog may be open by then.
        if (open.value === 'keys') open.value = undefined;
      }}
    >
      <h2>Keys</h2>
      <dl class="keys">
        {KEYS.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
