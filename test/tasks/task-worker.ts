// Tasks for the tests of the pool: the possible faults of a task.

import { serveTasks } from '../../src/tasks/serve-tasks.js'
import { ServiceError } from '../../src/model/errors.js'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { promisify } from 'node:util'
import { DatabaseSync } from '@photostructure/sqlite'

export const TEST_TASKS = {
  echo: (value: unknown) => value,
  pid: () => process.pid,
  niceness: () => getPriority(),
  sessionNiceness: () => Number(/ nice (-?\d+)$/m.exec(readFileSync('/proc/self/autogroup', 'utf8'))?.[1]),
  oomScoreAdj: () => Number(readFileSync('/proc/self/oom_score_adj', 'utf8')),
  wait: async (ms: number) => new Promise((resolve) => setTimeout(resolve, ms)),
  refuse: (message: string) => {
    throw new ServiceError('conflict', message, { field: '/a' })
  },
  fail: () => {
    throw new TypeError('a fault of the task')
  },
  hang: () => {
    for (;;);
  },
  /** Gets no processor time from here on. */
  stop: () => process.kill(process.pid, 'SIGSTOP'),
  hangInNativeCode: () =>
    new DatabaseSync(':memory:')
      .prepare('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n')
      .get(),
  fillHeap: () => {
    const kept: number[][] = []
    for (;;) kept.push(Array.from({ length: 100_000 }, (_, n) => n + 0.5))
  },
  fillBuffers: () => {
    const kept: Buffer[] = []
    for (;;) kept.push(Buffer.alloc(16 * 2 ** 20, 1))
  },
  startProgram: async (pidFile: string) => promisify(execFile)('/bin/sh', ['-c', `echo $$ > ${pidFile}; sleep 60`]),
  exit: (code: number) => process.exit(code),
} as const

serveTasks(TEST_TASKS)
