// The processes of this machine: as /proc lists them, and where there is none, as `ps` does.

import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'

export interface Process {
  pid: number
  parent: number
  /** Its command line, with blanks between the words. */
  command: string
  /** The folder that it works in; '' where that is not told. */
  cwd: string
}

/** All that run. One that has ended and waits for its parent to notice has no command line, and is left out. */
export function listProcesses(): Process[] {
  if (!existsSync('/proc/self/stat')) return listByPs()
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? readProcess(Number(name)) : []))
}

function readProcess(pid: number): Process[] {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
    // The name in parentheses may itself hold parentheses and blanks.
    const parent = /^.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1]
    return command === '' ? [] : [{ pid, parent: Number(parent), command, cwd: readlinkSync(`/proc/${pid}/cwd`) }]
  } catch {
    // It has ended, or is of another user.
    return []
  }
}

function listByPs(): Process[] {
  const lines = execFileSync('ps', ['-Ao', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n')
  return lines.flatMap((line) => {
    const [, pid, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command, cwd: '' }]
  })
}

/** Kills the processes whose command line matches; throws where there is none. */
export function killProcesses(command: RegExp): void {
  const found = listProcesses().filter((process) => command.test(process.command))
  if (found.length === 0) throw new Error(`no process runs ${command}`)
  for (const { pid } of found) killIfThere(pid)
}

/** One may end with another one, before its turn to be ended. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}
