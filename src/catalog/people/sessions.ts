// People's sessions at the dashboard, and the one-time links that begin them. Only hashes are stored, as for keys. Nothing is
// cached, so a session ended by any process ends at once.

import type { CatalogDatabase, Row } from '../database/catalog-database.js'
import type { SqliteStatement } from '../sqlite/statement.js'
import { loanColumns, readLoan, readWayIn, type WithLoan } from './loans.js'

type SessionRow = Row<'sessions'>

export type Session = Omit<WithLoan<SessionRow>, 'hash'>
export type SessionMeans = NonNullable<Session['means']>

export type SignInLink = WithLoan<Row<'signInLinks'>>
export type NewSignInLink = Omit<SignInLink, 'userId' | 'loan'> & Partial<SignInLink>

/** `hash` is `hashKey` of the secret, which only the browser keeps. */
export type NewSession = Pick<Session, 'id' | 'workspaceId' | 'label' | 'expiresAt' | 'createdAt'> &
  Partial<Session> & { hash: string }

const SEEN_EVERY_MS = 3_600_000

export class Sessions {
  readonly #database: CatalogDatabase
  readonly #byHash: SqliteStatement<SessionRow>
  readonly #provenAt: SqliteStatement<Pick<SessionRow, 'provenAt'>>

  constructor(database: CatalogDatabase) {
    this.#database = database
    this.#byHash = database.prepare('SELECT * FROM sessions WHERE hash = ? AND expires_at > ?')
    this.#provenAt = database.prepare('SELECT proven_at FROM sessions WHERE id = ?')
  }

  async addLink({ hash, workspaceId, label, userId = null, expiresAt, loan = null }: NewSignInLink): Promise<void> {
    const row = { hash, workspaceId, label, userId, expiresAt, ...loanColumns(loan) }
    await this.#database.write((db) => [db.insertInto('signInLinks').values(row)])
  }

  /** Uses up the link. Undefined if there is none with that hash or it has expired; only one of several callers gets it. */
  async takeLink(hash: string): Promise<SignInLink | undefined> {
    const [taken] = await this.#database.write((db) => [
      db.deleteFrom('signInLinks').where('hash', '=', hash).returningAll(),
    ])
    const row = taken?.rows[0]
    if (row === undefined || row.expiresAt <= this.#database.now()) return undefined
    return readWayIn(row)
  }

  /** Stores a session, and deletes expired sessions and links. */
  async create({ loan = null, ...session }: NewSession): Promise<void> {
    const now = this.#database.now()
    await this.#database.write((db) => [
      db.deleteFrom('sessions').where('expiresAt', '<=', now),
      db.deleteFrom('signInLinks').where('expiresAt', '<=', now),
      db.insertInto('sessions').values({ ...session, ...loanColumns(loan) }),
    ])
  }

  /** Finds the live session with this hash. Synchronous, as every request of the dashboard asks it. */
  findByHash(hash: string): Session | undefined {
    const row = this.#byHash.first([hash, this.#database.now()])
    return row && readSession(row)
  }

  /** Returns when the person of a session last proved who they are; null if never. Synchronous, as `findByHash`. */
  provenAt(id: string): string | null {
    return this.#provenAt.first([id])?.provenAt ?? null
  }

  /** Notes that the session is used, at most once an hour. The request does not wait for it, and goes on without it. */
  see({ id, seenAt }: Pick<Session, 'id' | 'seenAt'>): void {
    const { seconds, now, write } = this.#database
    if (seenAt !== null && seconds() * 1000 - Date.parse(seenAt) < SEEN_EVERY_MS) return
    write((db) => [db.updateTable('sessions').set({ seenAt: now() }).where('id', '=', id)]).catch(() => undefined)
  }

  /** Makes the workspace the one that requests of the session mean if they name none. */
  async enter(id: string, workspaceId: string): Promise<void> {
    await this.#database.write((db) => [db.updateTable('sessions').set({ workspaceId }).where('id', '=', id)])
  }

  /** Ends the session from now on, for every process. */
  async end(hash: string): Promise<void> {
    await this.#database.write((db) => [db.deleteFrom('sessions').where('hash', '=', hash)])
  }

  /** Ends the sessions of all workspaces, and their sign-in links. */
  async endEverything(): Promise<void> {
    await this.#database.write((db) => [db.deleteFrom('sessions'), db.deleteFrom('signInLinks')])
  }

  /** Lists the live sessions of a person, the newest first. */
  async listOf(userId: string): Promise<Session[]> {
    const rows = await this.#database.db
      .selectFrom('sessions')
      .selectAll()
      .where('userId', '=', userId)
      .where('expiresAt', '>', this.#database.now())
      .orderBy('createdAt', 'desc')
      .orderBy('id')
      .execute()
    return rows.map(readSession)
  }

  /** Ends one session of a person, by its id. False if there is none. */
  async endOne(userId: string, id: string): Promise<boolean> {
    const [ended] = await this.#database.write((db) => [
      db.deleteFrom('sessions').where('userId', '=', userId).where('id', '=', id),
    ])
    return ended?.count === 1
  }

  /** Ends all sessions of a person but one, on all machines, and the person's sign-in links. */
  async endAllOf(userId: string, but = ''): Promise<void> {
    await this.#database.write((db) => [
      db.deleteFrom('sessions').where('userId', '=', userId).where('id', '!=', but),
      db.deleteFrom('signInLinks').where('userId', '=', userId),
    ])
  }

  /** Ends the sessions that a provider began: one of its own, or all of a person. */
  async endOfProvider(issuer: string, { session, userId }: { session?: string; userId?: string }): Promise<void> {
    await this.#database.write((db) => {
      let ended = db.deleteFrom('sessions').where('issuer', '=', issuer)
      if (session !== undefined) ended = ended.where('providerSession', '=', session)
      if (userId !== undefined) ended = ended.where('userId', '=', userId)
      return session === undefined && userId === undefined ? [] : [ended]
    })
  }

  /** Notes that the person proved again who they are. */
  async prove(id: string): Promise<void> {
    await this.#database.write((db) => [
      db.updateTable('sessions').set({ provenAt: this.#database.now() }).where('id', '=', id),
    ])
  }

  /** Ends all sessions of the workspace, on all machines. */
  async endAll(workspaceId: string): Promise<void> {
    await this.#database.write((db) => [db.deleteFrom('sessions').where('workspaceId', '=', workspaceId)])
  }
}

function readSession(row: SessionRow): Session {
  const { id, workspaceId, label, expiresAt, createdAt, userId, means, device, provenAt, issuer } = row
  const { providerSession, seenAt } = row
  return {
    id,
    workspaceId,
    label,
    expiresAt,
    createdAt,
    userId,
    means,
    device,
    provenAt,
    issuer,
    providerSession,
    seenAt,
    loan: readLoan(row),
  }
}
