// The program that the pre-receive hook becomes. It reads lines of "<old> <new> <ref>" from standard input, and ends with 0 if the push
// may enter (githooks). Its words, on standard error, are shown to the person who pushes. `push-judge.js [site id]`.

import { dirname, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseRefChange } from '../../git/objects/ref-change.js'
import { markPush } from '../../git/repository/push-mark.js'
import { judgePush } from '../pushing/judge/judge.js'
import { asRefusal, pushNote } from '../pushing/judge/push-messages.js'
import { readPushLimits } from './push-limits.js'

const [siteId = ''] = process.argv.slice(2)
/** git starts hooks in the repository's folder. */
const gitdir = resolve(process.env['GIT_DIR'] ?? '.')

try {
  const lines = (await text(process.stdin)).split('\n')
  const warnings = await judgePush({
    gitdir,
    quarantine: process.env['GIT_QUARANTINE_PATH'],
    changes: lines.flatMap((line) => parseRefChange(line) ?? []),
    siteId: siteId === '' ? undefined : siteId,
    sizes: readPushLimits(dirname(gitdir)),
  })
  say(warnings)
  markPush(gitdir)
} catch (error) {
  say(asRefusal(error)?.lines ?? [pushNote(`this push cannot be judged: ${String(error)}`)])
  process.exitCode = 1
}

function say(lines: readonly string[]): void {
  for (const line of lines) process.stderr.write(`${line}\n`)
}
