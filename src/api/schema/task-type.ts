import { z } from 'zod';
import { TASK_TYPES } from '../../session/profiles/task-type.ts';

export const taskType = z.enum(TASK_TYPES);
