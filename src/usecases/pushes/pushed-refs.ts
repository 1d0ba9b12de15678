// The refs that a push may change, and how: main is the site, tags name what was published, and there is nothing else.

import type { RefCommand } from '../../git/wire/push-request.js'
import { MAIN } from '../../store/format/main-ref.js'
import { isTag } from '../../store/pushing/pushed-tags.js'

export interface Pusher {
  isAdmin: boolean
  /** Whether its key is limited to paths. */
  isLimited: boolean
}

/** Returns why the command is refused, independent of its objects; undefined if they decide. */
export function whyRefused({ ref, before, after }: RefCommand, { isAdmin, isLimited }: Pusher): string | undefined {
  if (ref === MAIN) return after === null ? 'main is the site and cannot be deleted' : undefined
  if (ref.startsWith('refs/for/')) return 'change requests are not there yet: push to main, which publishes'
  if (!isTag(ref)) return 'only main (which publishes) and tags (refs/tags/…) are kept here'
  if (isLimited) return 'this key is limited to paths, and may not set tags'
  if (before !== null && !isAdmin) return 'a tag is moved or deleted with a key that has the scope "admin" alone'
  return undefined
}

export interface PushOptions {
  /** Judges and shows the push, and moves nothing. */
  isDryRun: boolean
  message: string | null
  /** The unknown options. */
  unknown: string[]
}

const MAX_MESSAGE_CHARACTERS = 1000

export function parsePushOptions(options: readonly string[]): PushOptions {
  const parsed: PushOptions = { isDryRun: false, message: null, unknown: [] }
  for (const option of options) {
    const [, message] = /^message=(.*)$/s.exec(option) ?? []
    if (option === 'dry-run') parsed.isDryRun = true
    else if (message !== undefined) parsed.message = message.slice(0, MAX_MESSAGE_CHARACTERS)
    else parsed.unknown.push(option)
  }
  return parsed
}
