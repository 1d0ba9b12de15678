// Refuses pushes that need no objects for that. main is the site, tags name what was published, and nothing else can be pushed.

import type { RefChange } from '../../git/objects/ref-change.js'
import { MAIN } from '../../repository/format/main-ref.js'
import { publishInstead, refusal, refusalOfRefs } from '../../repository/pushing/judge/push-refused.js'
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
  /** Lines for the person who pushes. */
  warnings: readonly string[]
}

const MAX_MESSAGE_CHARACTERS = 1000
/** The longest part of unknown options that is repeated. */
const MAX_SHOWN_CHARACTERS = 200
const KNOWN_OPTIONS = 'There are message=<text> and dry-run.'

/** Returns the options of a push. Throws PushRefused for what the pusher may not do, or this service does not. */
export function readOptions(push: Push, pusher: Pusher): PushOptions {
  const { commands, commandCount, isCutOff } = push
  if (commandCount > MAX_PUSH_REFS) throw refusal(TOO_MANY_REFS)
  if (isCutOff)
    throw refusal('your clone is shallow, so a part of the history is missing: git fetch --unshallow, then push again.')
  const options = parseOptions(push.options)
  if (new Set(commands.map(({ ref }) => ref)).size < commands.length) throw refusal('a ref is named twice.')
  const byRef = new Map<string, string>()
  for (const command of commands) {
    const reason = whyRefused(command, pusher)
    if (reason !== undefined) byRef.set(command.ref, reason)
  }
  if (byRef.size > 0) throw refusalOfRefs(byRef, adviceFor(push.site.slug, [...byRef.keys()]))
  return options
}

/** Returns the commands that work, if a branch is refused. */
function adviceFor(slug: string, refs: readonly string[]): string[] {
  if (!refs.some((ref) => ref.startsWith('refs/heads/') && ref !== MAIN)) return []
  return ['palimpsest: to publish what is checked out: git push <remote> HEAD:main', publishInstead(slug)]
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

/**
 * Options for other services are common in people's settings, so unknown ones only lead to a warning. One that could mean dry-run is
 * refused: such a push must not publish.
 */
function parseOptions(options: readonly string[]): PushOptions {
  const parsed = { isDryRun: false, message: null as string | null }
  const unknown: string[] = []
  for (const option of options) {
    const [, message] = /^message=(.*)$/s.exec(option) ?? []
    if (option === 'dry-run') parsed.isDryRun = true
    else if (message !== undefined) parsed.message = message.slice(0, MAX_MESSAGE_CHARACTERS)
    else if (isLikeDryRun(option)) throw refusal(`there is no push option "${show(option)}". ${KNOWN_OPTIONS}`)
    else unknown.push(option)
  }
  const words = `there is no push option "${show(unknown.join('", "'))}", so it did nothing. ${KNOWN_OPTIONS}`
  return { ...parsed, warnings: unknown.length === 0 ? [] : [`palimpsest: warning: ${words}`] }
}

/** Whether the option's name has most letters of dry-run: dryrun, DRY_RUN, dry-run=true, rdy-run. */
function isLikeDryRun(option: string): boolean {
  const [name = ''] = option.split('=', 1)
  return /dry|run$/.test(name.toLowerCase().replaceAll(/[^a-z]/g, ''))
}

function show(option: string): string {
  return option.slice(0, MAX_SHOWN_CHARACTERS).replaceAll(/\p{Cc}/gu, '?')
}
