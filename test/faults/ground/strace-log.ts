// Reads the log of strace: which calls a process made, in the order of each thread, and which of them was harmed.

import { existsSync, readFileSync, rmSync } from 'node:fs'

export interface SeenCall {
  thread: number
  /** The call by its own name. */
  name: string
  /** Its number among the calls of this name that its thread made, from 1: strace counts like this. */
  number: number
  /** Its kind of file: a path in the data directory without ids and numbers, or a word. */
  file: string
  /** Whether it may change a file or a folder. */
  isChange: boolean
  /** Calls of one name that do the same to files of one kind are one step. */
  step: string
  /** Its line in the log, without the thread. */
  line: string
}

/** Calls that change nothing. */
const READS: ReadonlySet<string> = new Set(['read', 'pread64'])
/** Threads wake one another by writes to what has no path. */
const THREADS = 'threads'

/** Returns the lines of the log, and removes it. */
export function takeLog(log: string): string[] {
  if (!existsSync(log)) return []
  const lines = readFileSync(log, 'utf8').split('\n')
  rmSync(log)
  return lines
}

/** Returns the calls that begin in these lines. A log of one thread names none: it has number 0. */
export function readCalls(lines: readonly string[], dataDir: string): SeenCall[] {
  const made = new Map<string, number>()
  return lines.flatMap((line) => {
    const [, thread = '0', name = ''] = /^(?:(\d+) +)?(\w+)\(/.exec(line) ?? []
    if (name === '') return []
    const key = `${thread} ${name}`
    const number = (made.get(key) ?? 0) + 1
    made.set(key, number)
    const [, opened] = /^(?:\d+ +)?\w+\(\d+<([^>]*)>/.exec(line) ?? []
    const named = [...line.matchAll(/"([^"]+)"/g)].at(-1)?.[1]
    const file = kindOf(opened ?? named ?? '', dataDir)
    const isChange = changes(name, file, line)
    const step = `${name} that ${isChange ? 'changes' : 'reads'} ${file}`
    return [{ thread: Number(thread), name, number, file, isChange, step, line: line.replace(/^\d+ +/, '') }]
  })
}

/** Returns the harmed call: the failed one, or the k-th of the thread that was killed in it. */
export function findHarmed(lines: readonly string[], k: number, dataDir: string): SeenCall | undefined {
  const [, failed] = /^(\d*).*\(INJECTED\)/m.exec(lines.join('\n')) ?? []
  const isKilled = lines.some((line) => line.includes('+++ killed by SIGKILL'))
  if (failed === undefined && !isKilled) return undefined
  return readCalls(lines, dataDir).findLast(
    ({ thread, number }) => number === k && (failed === undefined || thread === Number(failed)),
  )
}

function changes(name: string, file: string, line: string): boolean {
  if (READS.has(name)) return false
  if (name === 'openat') return /O_CREAT|O_TRUNC/.test(line)
  return name !== 'write' || file !== THREADS
}

/** Returns the path without what differs from one case to the next; files elsewhere, and what threads wake one another by, are one kind each. */
function kindOf(path: string, dataDir: string): string {
  if (!path.startsWith(dataDir)) return path.startsWith('/') ? 'elsewhere' : THREADS
  // Ids, numbers and names of cases have a digit. The start of an id may have none, and git's names of temporary files neither.
  return path
    .slice(dataDir.length)
    .replace(/tmp_([a-z]+)_\w+/g, 'tmp_$1')
    .replace(/\/[0-9a-f]{2}\//g, '/*/')
    .replace(/[\w-]*\d[\w-]*/g, '*')
}
