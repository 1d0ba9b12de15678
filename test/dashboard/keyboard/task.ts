// The form of a task that a person does by keyboard alone, and what a task can use. The search over everything is walked by keys in
// `settings/palette.test.ts`.

import type { Desk } from '../desk.js'
import type { Keys } from './keys.js'

export interface Task {
  /** Follows "a person with a keyboard alone". */
  does: string
  /** The calls that write, as `<module> <method> <route>`: the task makes each of them. */
  calls?: readonly string[]
  /** The screens that the task comes to, as the table of screens has them. */
  screens?: readonly string[]
  /** The name of the owner who does it. Default: Ada, who does most of them. */
  as?: string
  by: (keys: Keys, desk: Desk, passTime: (seconds: number) => void) => Promise<void>
}
