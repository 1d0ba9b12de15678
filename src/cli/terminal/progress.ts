// Progress of long work on standard error: a bar on a terminal, plain lines elsewhere.

import { progress } from '@clack/prompts'
import { cell } from './printable.js'

export interface Progress {
  /** `steps` is 1 unless given. */
  advance(message: string, steps?: number): void
  /** Shows a state that changes all the time; only on a terminal. */
  show(message: string): void
  done(message: string): void
}

/** The exit code that a shell reports for a program that Ctrl-C ended (128 + SIGINT). */
export const INTERRUPTED = 130

/** Shows `total` steps of work called `title`. Messages may hold text of a client. Ctrl-C ends the process, with exit code 130. */
export function startProgress(title: string, total: number): Progress {
  if (!process.stderr.isTTY) {
    console.error(title)
    const print = (message: string) => console.error(message)
    return { advance: print, show: () => undefined, done: print }
  }
  const bar = progress({ max: Math.max(total, 1), output: process.stderr, onCancel: () => process.exit(INTERRUPTED) })
  // The bar reads the terminal's keys, and at Ctrl-C ends the process with exit code 0.
  const endInterrupted = (code: number): void => void (process.exitCode = code || INTERRUPTED)
  process.once('exit', endInterrupted)
  bar.start(cell(title, process.stderr))
  return {
    advance: (message, steps = 1) => bar.advance(steps, cell(message, process.stderr)),
    show: (message) => bar.message(cell(message, process.stderr)),
    done(message) {
      process.off('exit', endInterrupted)
      bar.stop(cell(message, process.stderr))
    },
  }
}
