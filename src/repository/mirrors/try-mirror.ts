// Tries a mirror once, and computes its next state, with sentences for the person who set it.

import type { Catalog } from '../../catalog/catalog.js'
import type { Mirror } from '../../catalog/remotes/mirrors.js'
import type { Site } from '../../catalog/site.js'
import { type Clock, toSeconds, toTimestamp } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import type { PrivateRemotes } from '../../git/remotes/remote-address.js'
import { RemoteFailed } from '../../git/remotes/remote-failed.js'
import { withinTime } from '../../git/remotes/within-time.js'
import type { Store } from '../store.js'
import { pushMirror } from './push-mirror.js'
import { openCredentials } from './sealed-credentials.js'
import type { SecretBox } from '../../catalog/database/secret-box.js'
import { isSameSet } from './tag-changes.js'

export interface TryParts {
  catalog: Catalog
  store: Store
  clock: Clock
  privateRemotes: PrivateRemotes
  /** Undefined if the service has no key for secrets. */
  secrets: SecretBox | undefined
}

export interface Tried {
  mirror: Mirror
  /** The failure on this side, for the log; undefined if there was none. */
  cause?: unknown
}

const MAX_PUSH_MS = 30 * 60_000
/** Delays before the next try: after the first failure, the second, and so on. */
const RETRY_MS = [5_000, 30_000, 120_000, 600_000, 1_800_000]
const MAX_RETRY_MS = 3_600_000

const NEEDS_CREDENTIALS =
  'The mirror needs its credentials: the service cannot read those that it keeps. Set the mirror again, with its user name and password, or retry once the operator has put SECRETS_KEY_FILE back.'
const FAILED_HERE = 'The service could not push. Its log has the reason.'

/** Pushes unless `stopped` aborts. Never rejects. */
export async function tryMirror(parts: TryParts, site: Site, mirror: Mirror, stopped: AbortSignal): Promise<Tried> {
  try {
    return { mirror: { ...mirror, ...(await push(parts, site, mirror, stopped)) } }
  } catch (error) {
    return { mirror: { ...mirror, ...failed(parts, mirror, sentenceOf(error)) }, cause: error }
  }
}

async function push(parts: TryParts, site: Site, mirror: Mirror, stopped: AbortSignal): Promise<Partial<Mirror>> {
  const { catalog, store, privateRemotes, secrets, clock } = parts
  let kept = catalog.mirrors.tagsOf(site.id)
  const credentials = openCredentials(secrets, mirror)
  if (credentials === undefined) return { state: 'off', error: NEEDS_CREDENTIALS }
  const tooLate = new RemoteFailed(`The push took longer than ${MAX_PUSH_MS / 60_000} minutes.`)
  const seen = await withinTime({ ms: MAX_PUSH_MS, stopped, tooLate }, (signal) =>
    pushMirror(store, site, {
      url: new URL(mirror.url),
      credentials: credentials ?? undefined,
      exceptions: privateRemotes,
      signal,
      tags: kept,
      keepTags: async (tags) => {
        if (isSameSet(tags, kept)) return
        kept = tags
        await catalog.mirrors.keepTags(mirror, tags)
      },
      maxMs: MAX_PUSH_MS,
    }),
  )
  if (seen.state === 'failed') return { ...failed(parts, mirror, seen.error), remoteOid: seen.remoteOid }
  if (seen.state === 'diverged') return seen
  return { ...seen, failures: 0, nextTryAt: 0, okAt: toTimestamp(toSeconds(clock())) }
}

function failed({ clock }: TryParts, { failures }: Mirror, error: string | null): Partial<Mirror> {
  const nextTryAt = clock().getTime() + (RETRY_MS[failures] ?? MAX_RETRY_MS)
  return { state: 'failed', error, failures: failures + 1, nextTryAt }
}

function sentenceOf(error: unknown): string {
  return error instanceof RemoteFailed || error instanceof ServiceError ? error.message : FAILED_HERE
}
