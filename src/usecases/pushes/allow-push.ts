// Says whether a caller may push to these refs; no objects are needed. Main is the site, tags name what was published, refs/for/main proposes
// changes, and nothing else can be pushed.

import type { RefChange } from '../../git/objects/ref-change.js'
import { MAIN } from '../../repository/format/main-ref.js'
import { refusal, refusalOfRefs } from '../../repository/pushing/judge/push-messages.js'
import { isProposal, isTag, MAX_PUSH_REFS, TOO_MANY_REFS } from '../../repository/pushing/judge/ref-rules.js'
import { mayPublish } from '../access/repository-access.js'
import { scopesIn } from '../context/target.js'
import { isHeld } from '../protection/refuse-protected.js'
import { proposalIn, PROPOSE, whyNoProposal } from './proposal.js'
import type { AllowedPush, Push } from './push.js'
import { parseOptions } from './push-options.js'

const OTHER_REF =
  'only main (which publishes) and tags (refs/tags/…) are kept here, and refs/for/main makes a change request'

/** Throws PushRefused for what the pusher may not do, or this service does not. */
export function allowPush(push: Push): AllowedPush {
  const { commands, commandCount, isCutOff, site } = push
  if (commandCount > MAX_PUSH_REFS) throw refusal(TOO_MANY_REFS)
  if (isCutOff)
    throw refusal('your clone is shallow, so a part of the history is missing: git fetch --unshallow, then push again.')
  const isProposing = commands.some(({ ref }) => isProposal(ref))
  const options = parseOptions(push.options, isProposing)
  if (new Set(commands.map(({ ref }) => ref)).size < commands.length) throw refusal('a ref is named twice.')
  const byRef = new Map<string, string>()
  for (const command of commands) {
    const reason = whyRefused(command, push, options)
    if (reason !== undefined) byRef.set(command.ref, reason)
  }
  if (byRef.size > 0) throw refusalOfRefs(byRef, site.slug, whyNotMain(push) === undefined)
  return { ...push, ...options, proposal: proposalIn(commands, options) }
}

/** Returns why the command is refused, independent of its objects; undefined if they decide. */
function whyRefused(command: RefChange, push: Push, { isDryRun }: Pick<AllowedPush, 'isDryRun'>): string | undefined {
  const { ref, before, after } = command
  if (ref === MAIN && after === null) return 'main is the site and cannot be deleted'
  // A dry run changes nothing.
  if (ref === MAIN) return isDryRun ? undefined : whyNotMain(push)
  if (isProposal(ref)) return whyNoProposal(command, push.commandCount)
  if (!isTag(ref)) return OTHER_REF
  if (!mayPublish(push, push.principal, push.site)) return 'tags need a key with the scope "write"'
  if (push.principal.paths !== undefined) return 'this key is limited to paths, and may not set tags'
  const isAdmin = scopesIn(push, push.principal, push.site.workspaceId).includes('admin')
  if (before !== null && !isAdmin) return 'moving or deleting a tag needs a key with the scope "admin"'
  return undefined
}

/** Names the command that proposes the same. */
function whyNotMain(push: Push): string | undefined {
  if (!mayPublish(push, push.principal, push.site))
    return `publishing needs a key with the scope "write". ${PROPOSE} proposes the same`
  return isHeld(push) ? `this site is protected. ${PROPOSE} proposes the same` : undefined
}
