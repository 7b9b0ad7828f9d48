import type { z } from 'zod';
import type { alertList, alertStory } from '../../../../src/api/schema/alert-list.ts';

export type AlertList = z.infer<typeof alertList>;
export type Alert = AlertList['items'][number];
export type AlertStory = z.infer<typeof alertStory>;
