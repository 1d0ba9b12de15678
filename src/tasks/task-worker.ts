// The entry of a task process.

import { serveTasks } from './serve-tasks.js'
import { TASKS } from './tasks.js'

serveTasks(TASKS)
