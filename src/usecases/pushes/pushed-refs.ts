// Refuses pushes that need no objects for that. main is the site, tags name what was published, and nothing else can be pushed.

import type { RefChange } from '../../git/objects/ref-change.js'
import { MAIN } from '../../repository/format/main-ref.js'
import { refusal, refusalOfRefs } from '../../repository/pushing/judge/push-refused.js'
import { MAX_PUSH_REFS, TOO_MANY_REFS } from '../../repository/pushing/judge/ref-rules.js'
import { isTag } from '../../repository/pushing/pushed-tags.js'
import type { Push } from './push.js'

export interface Pusher {
  isAdmin: boolean
  /** Whether its key is limited to paths. */
  isLimited: boolean
}

export interface PushOptions {
  /** Judges and shows the push, and moves nothing. */
  isDryRun: boolean
  message: string | null
}

const MAX_MESSAGE_CHARACTERS = 1000

/** Returns the options of a push. Throws PushRefused for what the pusher may not do, or this service does not. */
export function readOptions(push: Push, pusher: Pusher): PushOptions {
  const { commands, commandCount, isShallow } = push
  if (commandCount > MAX_PUSH_REFS) throw refusal(TOO_MANY_REFS)
  if (isShallow)
    throw refusal('your clone is shallow, so a part of the history is missing: git fetch --unshallow, then push again.')
  const options = parseOptions(push.options)
  if (new Set(commands.map(({ ref }) => ref)).size < commands.length) throw refusal('a ref is named twice.')
  const byRef = new Map<string, string>()
  for (const command of commands) {
    const reason = whyRefused(command, pusher)
    if (reason !== undefined) byRef.set(command.ref, reason)
  }
  if (byRef.size > 0) throw refusalOfRefs(byRef)
  return options
}

/** Returns why the command is refused, independent of its objects; undefined if they decide. */
function whyRefused({ ref, before, after }: RefChange, { isAdmin, isLimited }: Pusher): string | undefined {
  if (ref === MAIN) return after === null ? 'main is the site and cannot be deleted' : undefined
  if (ref.startsWith('refs/for/')) return 'change requests are not supported: push to main, which publishes'
  if (!isTag(ref)) return 'only main (which publishes) and tags (refs/tags/…) are kept here'
  if (isLimited) return 'this key is limited to paths, and may not set tags'
  if (before !== null && !isAdmin) return 'moving or deleting a tag needs a key with the scope "admin"'
  return undefined
}

function parseOptions(options: readonly string[]): PushOptions {
  const parsed: PushOptions = { isDryRun: false, message: null }
  const unknown: string[] = []
  for (const option of options) {
    const [, message] = /^message=(.*)$/s.exec(option) ?? []
    if (option === 'dry-run') parsed.isDryRun = true
    else if (message !== undefined) parsed.message = message.slice(0, MAX_MESSAGE_CHARACTERS)
    else unknown.push(option)
  }
  if (unknown.length === 0) return parsed
  throw refusal(`there is no push option "${unknown.join('", "')}": there are message=<text> and dry-run.`)
}
