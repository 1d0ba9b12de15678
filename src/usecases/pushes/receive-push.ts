// Receives a push over HTTP. Its objects go into quarantine and are judged there, as in a push by path. Then main moves in the site's
// queue, behind no other write, and tags follow. All refs move, or none.

import { GitFailed } from '../../git/command.js'
import type { PushReport } from '../../git/wire/push-report.js'
import { toSeconds } from '../../model/clock.js'
import { makerNameOf } from '../../model/commits/maker.js'
import { ServiceError } from '../../model/errors.js'
import { MAIN } from '../../store/format/main-ref.js'
import { PushRefused } from '../../store/hooks/judge-push.js'
import { moveTags } from '../../store/pushing/pushed-tags.js'
import { toServiceError } from '../../store/protocol/failure.js'
import type { Push } from '../../store/protocol/push.js'
import type { PackToInstall } from '../../store/protocol/write.js'
import { dropQuarantine, type Quarantine, receivePack } from '../../store/pushing/quarantine.js'
import type { ReviewedPush } from '../../store/pushing/review-push.js'
import type { Services } from '../context/services.js'
import { scopesIn } from '../context/target.js'
import { judge, type Judged } from './judge.js'
import { MOVED, type ReceivedPush, refusalsOf, type Refusals, refuse } from './push.js'
import { linesOf } from './push-lines.js'
import { parsePushOptions, type PushOptions, whyRefused } from './pushed-refs.js'

/** Most refs in one push: git starts a hook three times for each (see hooks/pre-receive.sh). */
export const MAX_PUSH_REFS = 100
const NOT_SET = 'git could not set the tag: another tag has its name as a folder, or it was changed meanwhile'
/** Milliseconds between signs of life of a push in progress. */
const SIGN_MS = 250

/** Carries out the push, reads all of it, and reports the outcome. Rejects if the client has gone, and for faults of the service. */
export async function receivePush(services: Services, push: ReceivedPush): Promise<PushReport> {
  const options = parsePushOptions(push.options)
  const refusals = refusedAtOnce(services, push, options)
  if (refusals !== undefined) {
    await readAndDrop(push.pack, services.limits.maxPushBytes)
    return refuse(push, refusals.lines, refusals.byRef)
  }
  const signs = movesMain(push) ? keepPlace(services, push) : undefined
  let quarantine: Quarantine | undefined
  try {
    quarantine = await receive(services, push)
    const judged = await judge(services, push, quarantine)
    if ('byRef' in judged) return refuse(push, judged.lines, judged.byRef)
    const report = options.isDryRun
      ? showDryRun(services, push, judged)
      : await land(services, push, options, quarantine, judged)
    // Not awaited: the client need not wait for the folder to go.
    if (quarantine !== undefined) void dropQuarantine(quarantine)
    quarantine = undefined
    return report
  } catch (error) {
    const refusal = refusalOf(services, push, error)
    if (refusal === undefined) throw error
    await readAndDrop(push.pack, services.limits.maxPushBytes)
    return refuse(push, refusal)
  } finally {
    clearInterval(signs)
    if (quarantine !== undefined) await dropQuarantine(quarantine)
  }
}

/** Reads the rest, because git reads no answer before it has sent everything. Throws `payload_too_large` if there is no end. */
async function readAndDrop(pack: AsyncIterable<Buffer>, maxBytes: number): Promise<void> {
  let bytes = 0
  for await (const chunk of pack) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new ServiceError('payload_too_large', `The push is larger than ${maxBytes} bytes.`)
  }
}

/** Returns the refusals that need no objects. */
function refusedAtOnce(services: Services, push: ReceivedPush, options: PushOptions): Refusals | undefined {
  const { commands, commandCount, principal, site } = push
  const whole = (line: string) => ({ lines: [`palimpsest: refused: ${line}`], byRef: new Map<string, string>() })
  if (commandCount > MAX_PUSH_REFS)
    return whole(`a push may change at most ${MAX_PUSH_REFS} refs. Push them a part at a time.`)
  if (push.isShallow)
    return whole('your clone is shallow, so a part of the history is missing: git fetch --unshallow, then push again.')
  if (options.unknown.length > 0)
    return whole(`there is no push option "${options.unknown.join('", "')}": there are message=<text> and dry-run.`)
  const scopes = scopesIn(services, principal, site.workspaceId)
  const pusher = { isAdmin: scopes.includes('admin'), isLimited: principal.paths !== undefined }
  const byRef = new Map<string, string>()
  for (const command of commands) {
    const reason = whyRefused(command, pusher)
    if (reason !== undefined) byRef.set(command.ref, reason)
  }
  if (new Set(commands.map(({ ref }) => ref)).size < commands.length) return whole('a ref is named twice.')
  return byRef.size > 0 ? refusalsOf(byRef) : undefined
}

/** Returns the words for an error, also for one of the disk; undefined for faults of the service. */
function refusalOf({ store }: Services, { site }: ReceivedPush, error: unknown): readonly string[] | undefined {
  try {
    store.refuseDeleted(site)
  } catch {
    // Overrides git's words: the repository was taken away while git read it.
    return ['palimpsest: refused: this site was deleted.']
  }
  if (error instanceof PushRefused) return error.lines
  const { code, message } = toServiceError(error)
  return code === 'internal' ? undefined : [`palimpsest: refused: ${message}`]
}

async function receive(services: Services, push: ReceivedPush): Promise<Quarantine | undefined> {
  if (push.commands.every(({ after }) => after === null)) return undefined
  const { limits, store, uploads } = services
  store.refuseDeleted(push.site)
  return await receivePack(store.repositories.gitdir(push.site), push.pack, {
    maxBytes: limits.maxPushBytes,
    maxFileBytes: limits.maxFileBytes,
    checkRoom: (bytes) => uploads.checkRoom(bytes),
    signal: push.signal,
  })
}

/** Keeps main still on a busy site while the push is read and judged. */
function keepPlace({ store, pushLine }: Services, { site, principal }: ReceivedPush): NodeJS.Timeout {
  const maker = makerNameOf(principal)
  if (pushLine.keep(site, maker)) store.pushes.holdStill(site, true)
  return setInterval(() => pushLine.keep(site, maker), SIGN_MS)
}

function movesMain({ commands }: ReceivedPush): boolean {
  return commands.some(({ ref }) => ref === MAIN)
}

function showDryRun(services: Services, push: ReceivedPush, { warnings, review }: Judged): PushReport {
  return {
    unpackError: null,
    refs: push.commands.map(({ ref }) => ({ ref, refusal: 'dry run: it would be taken; nothing was changed' })),
    lines: [...warnings, ...published(services, push, review, true)],
  }
}

async function land(
  services: Services,
  push: ReceivedPush,
  options: PushOptions,
  quarantine: Quarantine | undefined,
  { head, warnings, review }: Judged,
): Promise<PushReport> {
  const { indexFollower, pushLine, store } = services
  const { site, principal, commands } = push
  const main = commands.find(({ ref }) => ref === MAIN)
  const packs = quarantine?.pack === undefined ? [] : [quarantine.pack]
  // In a log, the objects of tags travel with the tags.
  if (main !== undefined || (packs.length > 0 && !store.pushes.isLogged)) {
    const move = { expected: head, next: main?.after ?? head, packs }
    if ((await moveMain(services, push, options.message, move)) === 'moved') return refuse(push, [MOVED])
  }
  if (main !== undefined) {
    pushLine.leave(site, makerNameOf(principal))
    // Runs after the answer. The next read that needs the index reports a failure.
    setImmediate(() => void indexFollower.catchUp(site).catch(() => undefined))
  }
  const tagRefusal = await setTags(services, push, main === undefined ? packs : [])
  return {
    unpackError: null,
    refs: commands.map(({ ref }) => ({ ref, refusal: ref === MAIN ? null : tagRefusal })),
    lines: [...warnings, ...published(services, push, review, false)],
  }
}

/** Records the push, then moves main. The record comes first, so that a crash in between omits no push. */
async function moveMain(
  { store, catalog, clock }: Services,
  { site, principal }: ReceivedPush,
  message: string | null,
  move: Pick<Push, 'expected' | 'next' | 'packs'>,
): Promise<'done' | 'moved'> {
  const maker = makerNameOf(principal)
  const { expected: before, next: after } = move
  const author = principal.label
  const recorded =
    before === after ? undefined : await catalog.pushes.add({ siteId: site.id, before, after, maker, author, message })
  let isLanded = true
  try {
    const outcome = await store.pushes.move(site, { ...move, time: toSeconds(clock()), by: `${author} (${maker})` })
    isLanded = outcome === 'done'
    return outcome
  } catch (error) {
    isLanded = error instanceof ServiceError && error.code === 'outcome_unknown'
    throw error
  } finally {
    if (!isLanded && recorded !== undefined) await catalog.pushes.remove(recorded)
  }
}

/** Returns why the tags could not be set; null if they are set. */
async function setTags(
  { store, clock }: Services,
  { site, commands, principal }: ReceivedPush,
  packs: readonly PackToInstall[],
): Promise<string | null> {
  const changes = commands.filter(({ ref }) => ref !== MAIN)
  if (changes.length === 0) return null
  try {
    if (!store.pushes.isLogged) {
      await moveTags(store.repositories.gitdir(site), changes)
      store.maintainIfDue(site)
      return null
    }
    const by = `${principal.label} (${makerNameOf(principal)})`
    const outcome = await store.pushes.moveTags(site, { changes, packs, time: toSeconds(clock()), by })
    return outcome === 'done' ? null : NOT_SET
  } catch (error) {
    if (error instanceof GitFailed) return NOT_SET
    // Main may have moved: the report must still say so.
    if (error instanceof ServiceError) return error.message
    throw error
  }
}

function published(
  services: Services,
  { site, commands }: ReceivedPush,
  review: ReviewedPush | undefined,
  isDryRun: boolean,
): string[] {
  const main = commands.find(({ ref }) => ref === MAIN)
  if (main?.before == null || main.after === null) return []
  return linesOf(services, site, { before: main.before, after: main.after }, review, isDryRun)
}
