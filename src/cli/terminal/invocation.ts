// Tells how the command line was started, for messages that tell a person what to run next.

import { basename, sep } from 'node:path'

/**
 * Returns the words before the name of a command: `palimpsest` if it is installed, `npm run --silent palimpsest --` in a checkout. A
 * package that is not installed runs in a folder of npx.
 */
export function invocation(): string {
  const { npm_lifecycle_event: script } = process.env
  const [, program = 'palimpsest'] = process.argv
  if (script === 'npx') return program.split(sep).includes('_npx') ? 'npx palimpsest-cli' : 'npx palimpsest'
  if (basename(program) === 'palimpsest') return 'palimpsest'
  return script === undefined ? `node ${program}` : 'npm run --silent palimpsest --'
}
