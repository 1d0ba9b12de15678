// Watches for git processes that begin to serve a fetch or push of a repository on this machine (proc(5)). On a disk without
// access times nothing else shows that an operator's git has begun to read.

import { readdirSync, readFileSync } from 'node:fs'

/** Matches a command as git and ssh start it: `git-receive-pack '/srv/demo.git'`, or as separate words. */
const SERVICE = /\bgit[- ](upload|receive)-pack\b.*?([^/'\s]+?)(?:\.git)?\/?'?\s*$/
/** Minimum time between two looks at the list of processes, which all repositories of a thread share. */
const MIN_LOOK_INTERVAL_MS = 10
/** With thousands of processes a look takes milliseconds; the pause after it is this many times as long. */
const IDLE_RATIO = 19
/** A process is looked at twice: the first time may be between its fork and its exec. */
const MAX_LOOKS = 2

interface GitProcesses {
  /** Number of processes seen so far. */
  count: number
  /** Whether the newest one receives a push. */
  isPush: boolean
}

/** Processes by the repository's folder name without `.git`. Only names are compared, since paths may be relative or links. */
const seen = new Map<string, GitProcesses>()
/** Number of looks at each running process. */
let looks = new Map<string, number>()
let nextLookAt = Number.NEGATIVE_INFINITY
/** Newest process id at the time when all processes had been looked at often enough. */
let settledAt: string | undefined

/** Returns the git processes that were seen to serve a repository `<name>.git`. None without /proc. */
export function gitProcessesAt(name: string): GitProcesses {
  if (performance.now() >= nextLookAt) look()
  return seen.get(name) ?? { count: 0, isPush: false }
}

function look(): void {
  const began = performance.now()
  const newest = newestProcessId()
  if (newest === undefined || newest !== settledAt) lookAtAll(newest)
  nextLookAt = began + Math.max(MIN_LOOK_INTERVAL_MS, IDLE_RATIO * (performance.now() - began))
}

function lookAtAll(newest: string | undefined): void {
  const running = new Map<string, number>()
  for (const pid of processIds()) {
    const before = looks.get(pid) ?? 0
    running.set(pid, Math.min(before + 1, MAX_LOOKS))
    const [, kind, name] = before < MAX_LOOKS ? (SERVICE.exec(commandLineOf(pid)) ?? []) : []
    if (name === undefined) continue
    seen.set(name, { count: (seen.get(name)?.count ?? 0) + 1, isPush: kind === 'receive' })
    running.set(pid, MAX_LOOKS)
  }
  looks = running
  const isSettled = [...running.values()].every((count) => count === MAX_LOOKS)
  settledAt = isSettled ? newest : undefined
}

/** Returns the id that the kernel gave last (proc(5), `loadavg`). If unchanged, no process or thread has begun. Undefined without /proc. */
function newestProcessId(): string | undefined {
  try {
    return readFileSync('/proc/loadavg', 'latin1').trimEnd().split(' ').at(-1)
  } catch {
    return undefined
  }
}

function processIds(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return []
  }
}

/** Returns its words, separated by spaces; empty if it has ended. */
function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').trimEnd()
  } catch {
    return ''
  }
}
