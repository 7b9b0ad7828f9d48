/** Which of the shell's dialogs is open. */
import { signal } from '@preact/signals';

export const open = signal<'palette' | 'keys' | undefined>(undefined);
