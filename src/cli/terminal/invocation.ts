// Tells how the command line was started, for messages that tell a person what to run next.

import { basename } from 'node:path'

/** Returns the words before the name of a command: `palimpsest` if it is installed, `npm run --silent palimpsest --` in a checkout. */
export function invocation(): string {
  const { npm_lifecycle_event: script } = process.env
  const [, program = 'palimpsest'] = process.argv
  if (script === 'npx') return 'npx palimpsest'
  if (basename(program) === 'palimpsest') return 'palimpsest'
  return script === undefined ? `node ${program}` : 'npm run --silent palimpsest --'
}
