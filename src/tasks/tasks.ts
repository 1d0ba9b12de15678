// The table of the service's tasks: work whose cost nobody can bound beforehand, done away from the serving thread. A task is
// a function of its input alone, may throw a ServiceError, and may be killed at any moment.

import { editText, type TextEdit } from '../texts/edit-text.js'
import type { TaskPool } from './task-pool.js'

export const TASKS = {
  editText: ({ text, edits }: { text: string; edits: readonly TextEdit[] }) => editText(text, edits),
} as const

export type Tasks = TaskPool<typeof TASKS>
