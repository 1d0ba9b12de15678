// The public keys that sign the service's commits, shared by all nodes through PostgreSQL. Each node has its own private key, which never
// leaves its disk; before it signs anything, all others can know it. A key in one node's `allowed_signers` is in every node's.

import type { PublicKey, Signer } from '../git/objects/commit-signature.js'
import type { Connections } from './postgres/connections.js'
import { ensureKey, noteSigners, rotateKey } from '../repository/disk/signing-key.js'

/** Changes with every new signer and every end of one: neither is ever taken back. */
export const SIGNERS_MARK = "count(*) || ' ' || count(until) || ' ' || coalesce(sum(until), 0) FROM palimpsest.signers"

export interface KnownSigner extends Signer {
  node: string
  toldAt: Date
}

export interface SignersParts {
  connections: Connections
  dataDir: string
  /** Operators' name for this node. */
  node: string
  clock: () => Date
  /** Called if this node has a new key, because an operator revoked the old one, or the disk is an old copy. */
  onRenewed: () => void
}

const DEADLINE_MS = 3000

export class Signers {
  readonly #parts: SignersParts
  #mark: string | undefined

  constructor(parts: SignersParts) {
    this.#parts = parts
  }

  /** Makes this node's key if it has none, and shares it. Call it before anything is signed. Throws DatabaseUnavailable. */
  async begin(): Promise<void> {
    await this.#bring()
  }

  /** Makes this node know every signer that PostgreSQL has at this mark. Throws DatabaseUnavailable. */
  async follow(mark: string): Promise<void> {
    if (mark === this.#mark) return
    await this.#bring()
    this.#mark = mark
  }

  async #bring(): Promise<void> {
    const { connections, dataDir, node, clock, onRenewed } = this.#parts
    const own = ensureKey(dataDir)
    const signers = await shareSigners(connections, dataDir, node, [{ key: own }])
    const ended = signers.find(({ key, until }) => key === own && until !== undefined)
    if (ended === undefined) return
    await rotateKey(dataDir, {
      now: () => Math.floor(clock().getTime() / 1000),
      until: ended.until,
      share: async (more) => void (await shareSigners(connections, dataDir, node, more)),
    })
    onRenewed()
  }
}

/** Writes the signers known here and `more` to PostgreSQL, and those of PostgreSQL to this folder. Returns all. */
export async function shareSigners(
  connections: Connections,
  dataDir: string,
  node: string,
  more: readonly Signer[] = [],
): Promise<Signer[]> {
  const found = await listSigners(connections)
  noteSigners(dataDir, more)
  const all = noteSigners(dataDir, found)
  const untold = all.filter(({ key, until }) => {
    const told = found.find((signer) => signer.key === key)
    return told === undefined || told.until !== until
  })
  if (untold.length > 0) await tell(connections, node, untold)
  return all
}

/** Lists signers in the order in which they were shared. */
export async function listSigners(connections: Connections): Promise<KnownSigner[]> {
  const { rows } = await connections.use(
    (session) =>
      session.query<{ key: PublicKey; node: string; toldAt: Date; until: string | null }>(
        'select key, node, told_at as "toldAt", until from palimpsest.signers order by told_at, key',
      ),
    DEADLINE_MS,
  )
  return rows.map(({ until, ...signer }) => ({ ...signer, ...(until !== null && { until: Number(until) }) }))
}

/** Writes signers to PostgreSQL. Of two ends of a key the earlier one counts. */
async function tell(connections: Connections, node: string, signers: readonly Signer[]): Promise<void> {
  await connections.use(
    (session) =>
      session.query(
        `insert into palimpsest.signers as known (key, node, until)
         select key, $1, until from unnest($2::text[], $3::bigint[]) as told (key, until)
         on conflict (key) do update set until = least(known.until, excluded.until)`,
        [node, signers.map(({ key }) => key), signers.map(({ until }) => until ?? null)],
      ),
    DEADLINE_MS,
  )
}
