/** How many sessions, and how many runs, are in a batch of the writer that writes forever. */
export const BATCH = 20;
