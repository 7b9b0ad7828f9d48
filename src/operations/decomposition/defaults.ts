import { BASELINE_FILE } from '../../decomposition/baseline.ts';
import { MATCH_LEVELS } from '../../decomposition/evidence.ts';
import { HISTORY_FILE } from '../../decomposition/history.ts';
import { EXTRACTORS } from '../../decomposition/ingest/extractors/open.ts';

/** Where things lie when nobody says. */
export const DEFAULT_FILES = { baseline: BASELINE_FILE, history: HISTORY_FILE } as const;

/** What a caller may choose from. */
export const CHOICES = { matchLevels: MATCH_LEVELS, extractors: EXTRACTORS } as const;
