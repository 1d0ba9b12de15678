// Commands on a terminal of their own, which `script` of util-linux gives them.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { MAIN } from '../scenarios/serve-process.js'

export interface OnTerminal {
  /** Resolves once the terminal has shown the text so many times. Rejects if the command ends before. */
  shows(text: string, times?: number): Promise<void>
  type(text: string): void
  /** Returns what it has shown until now. */
  seen(): string
  ended: Promise<{ code: number | null; stdout: string }>
}

/** Starts a command of the command line on a terminal of 120 columns and 30 rows. */
export function startOnTerminal(
  args: readonly string[],
  options: { env: NodeJS.ProcessEnv; cwd?: string },
): OnTerminal {
  return startProgram(`"${process.execPath}" "${MAIN}" ${args.join(' ')}`, options)
}

/** Starts a shell's command on such a terminal. */
export function startProgram(command: string, options: { env: NodeJS.ProcessEnv; cwd?: string }): OnTerminal {
  const sized = `stty cols 120 rows 30; ${command}`
  const child = spawn('script', ['--quiet', '--return', '--command', sized, '/dev/null'], {
    ...options,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let stdout = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout }))
  return {
    async shows(text, times = 1) {
      while (stdout.split(text).length <= times) {
        const next = await Promise.race([once(child.stdout, 'data'), ended])
        if (!Array.isArray(next)) throw new Error(`ended with ${next.code} before it showed "${text}": ${next.stdout}`)
      }
    },
    seen: () => stdout,
    type: (text) => void child.stdin.write(text),
    ended,
  }
}
