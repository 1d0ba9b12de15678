// The way of a push over HTTP: its objects are received into quarantine, judged there, and landed. Tags move after main.

import type { PushReport } from '../../git/wire/push-report.js'
import { makerNameOf } from '../../model/commits/maker.js'
import { ServiceError } from '../../model/errors.js'
import { asRefusal, type PushRefused, refusal } from '../../repository/pushing/judge/push-refused.js'
import { dropQuarantine, packsOf, type Quarantine, receivePack } from '../../repository/pushing/quarantine.js'
import type { Services } from '../context/services.js'
import { findRepository } from '../access/repository-access.js'
import { scopesIn } from '../context/target.js'
import { refusePushBeyond } from '../quotas/refuse-beyond.js'
import { type JudgedPush, judgeReceived } from './judge-received.js'
import { onFirstCommit } from './first-push.js'
import { landPush } from './land-push.js'
import { mainIn, type Push } from './push.js'
import { linesOf } from './push-lines.js'
import { type Pusher, readOptions } from './pushed-refs.js'

/** Milliseconds between signs of life of a push in progress. */
const SIGN_MS = 250

/** Carries out the push, reads all of it, and reports the outcome. Rejects if the client has gone, and for faults of the service. */
export async function receivePush(services: Services, push: Push): Promise<PushReport> {
  let signs: NodeJS.Timeout | undefined
  let quarantine: Quarantine | undefined
  try {
    const options = readOptions(push, pusherOf(services, push))
    signs = keepPlace(services, push)
    quarantine = await receive(services, push)
    const joined = await onFirstCommit(services, push, quarantine)
    quarantine = joined.quarantine
    const received = await judgeReceived(services, joined.push, quarantine)
    const judged = withWarnings(
      [...options.warnings, ...joined.lines],
      joined.isJoined ? withoutUndo(received) : received,
    )
    await refuseBeyondQuota(services, joined.push, quarantine, judged)
    if (options.isDryRun) return reportDryRun(services, joined.push, judged)
    await refuseEnded(services, push)
    return await landPush(services, joined.push, options.message, quarantine, judged)
  } catch (error) {
    const refused = refusedBy(services, push, error)
    if (refused === undefined) throw error
    await readAndDrop(push.pack, services.limits.maxPushBytes)
    return reportRefused(push, refused)
  } finally {
    clearInterval(signs)
    // Not awaited: the client need not wait for the folder to go.
    if (quarantine !== undefined) void dropQuarantine(quarantine)
  }
}

/** The clone lacks the commits that the command would name. */
function withoutUndo(judged: JudgedPush): JudgedPush {
  return judged.review === undefined ? judged : { ...judged, review: { ...judged.review, undo: 'nothing' } }
}

function withWarnings(more: readonly string[], judged: JudgedPush): JudgedPush {
  return { ...judged, warnings: [...more, ...judged.warnings] }
}

function pusherOf(services: Services, { principal, site }: Push): Pusher {
  const scopes = scopesIn(services, principal, site.workspaceId)
  return { isAdmin: scopes.includes('admin'), isLimited: principal.paths !== undefined }
}

/** Asks for the rights again: they may have ended while the push was read and judged. Throws as at its beginning. */
async function refuseEnded(services: Services, push: Push): Promise<void> {
  const principal = await push.authenticate()
  findRepository(services, principal, push.site.slug, 'write')
  if (principal !== undefined) readOptions(push, pusherOf(services, { ...push, principal }))
}

/** Keeps main still on a busy site while the push is read and judged. */
function keepPlace({ store, pushLine }: Services, push: Push): NodeJS.Timeout | undefined {
  if (mainIn(push) === undefined) return undefined
  const maker = makerNameOf(push.principal)
  if (pushLine.keep(push.site, maker)) store.refMover.holdStill(push.site)
  return setInterval(() => pushLine.keep(push.site, maker), SIGN_MS)
}

async function receive(services: Services, push: Push): Promise<Quarantine | undefined> {
  if (push.commands.every(({ after }) => after === null)) return undefined
  const { limits, store, uploads } = services
  store.refuseDeleted(push.site)
  return await receivePack(store.repositories.gitdir(push.site), push.pack, {
    maxBytes: limits.maxPushBytes,
    maxFileBytes: limits.maxFileBytes,
    checkSpace: (bytes) => uploads.checkSpace(bytes),
    signal: push.signal,
  })
}

/** Returns the refusal for an error, as `asRefusal` does. */
function refusedBy({ store }: Services, { site }: Push, error: unknown): PushRefused | undefined {
  try {
    store.refuseDeleted(site)
  } catch {
    // Overrides git's words: the repository was taken away while git read it.
    return refusal('this site was deleted.')
  }
  return asRefusal(error)
}

/** Reads the rest, because git reads no answer before it has sent everything. Throws `payload_too_large` if there is no end. */
async function readAndDrop(pack: AsyncIterable<Buffer>, maxBytes: number): Promise<void> {
  let bytes = 0
  for await (const chunk of pack) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new ServiceError('payload_too_large', `The push is larger than ${maxBytes} bytes.`)
  }
}

/** Throws `page_quota_exceeded` and `byte_quota_exceeded`. */
async function refuseBeyondQuota(
  services: Services,
  push: Push,
  quarantine: Quarantine | undefined,
  { head }: JudgedPush,
): Promise<void> {
  const { site } = push
  const after = mainIn(push)?.after
  const packs = packsOf(quarantine).map(({ path }) => path)
  const span =
    after == null ? undefined : { gitdir: services.store.repositories.gitdir(site), before: head, after, packs }
  await refusePushBeyond(services, site.workspaceId, quarantine?.pack?.bytes ?? 0, span)
}

/** Refuses all refs: if one is refused, so are the others. */
function reportRefused({ commands }: Push, { lines, byRef }: PushRefused): PushReport {
  const reason = byRef.size === 0 ? 'see the lines above' : 'refused with another ref of this push'
  return { unpackError: null, refs: commands.map(({ ref }) => ({ ref, refusal: byRef.get(ref) ?? reason })), lines }
}

function reportDryRun(services: Services, push: Push, judged: JudgedPush): PushReport {
  return {
    unpackError: null,
    refs: push.commands.map(({ ref }) => ({ ref, refusal: 'dry run: it would be taken; nothing was changed' })),
    lines: linesOf(services, push, judged, true),
  }
}
