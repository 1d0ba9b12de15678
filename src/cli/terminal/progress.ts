// Progress of long work: a bar on a terminal, plain lines elsewhere. Both on standard error.

import { progress } from '@clack/prompts'

export interface Progress {
  advance(message: string): void
  done(message: string): void
}

/** `total` steps of work called `title`. */
export function startProgress(title: string, total: number): Progress {
  if (!process.stderr.isTTY) {
    console.error(title)
    return { advance: (message) => console.error(message), done: (message) => console.error(message) }
  }
  const bar = progress({ max: Math.max(total, 1), output: process.stderr })
  bar.start(title)
  return { advance: (message) => bar.advance(1, message), done: (message) => bar.stop(message) }
}
