// People's sessions at the dashboard, and the one-time links that begin them. Only hashes are stored, as for keys. Nothing is
// cached, so a session ended by any process ends at once.

import type { Selectable } from 'kysely'
import { type Clock, toSeconds, toTimestamp } from '../../model/clock.js'
import type { OpenDatabase, Write } from '../database/database.js'
import type { SqliteStatement } from '../sqlite/statement.js'
import type { CatalogTables } from '../database/tables.js'
import { type Loan, loanColumns, readLoan } from './loans.js'

export interface Session {
  id: string
  workspaceId: string
  /** Name of the person, if `userId` is null. */
  label: string
  expiresAt: string
  createdAt: string
  /** Null for sessions that began before people had accounts. */
  userId: string | null
  means: SessionMeans | null
  /** Browser and system, as the person recognizes them. */
  device: string | null
  /** When the person last proved who they are. */
  provenAt: string | null
  /** The identity provider, and its own session, which can end this one. */
  issuer: string | null
  providerSession: string | null
  /** Last use, to the hour. */
  seenAt: string | null
  /** Null: it opens all workspaces of its person. */
  loan: Loan | null
}

/** The proof that began a session. */
export type SessionMeans = 'link' | 'passkey' | 'provider'

export interface SignInLink {
  /** `hashKey` of its token. */
  hash: string
  workspaceId: string
  /** The name of a new person. */
  label: string
  /** The person that it lets in; null: the one with that name, or a new one. */
  userId: string | null
  expiresAt: string
  /** Null for a link of the operator. */
  loan: Loan | null
}

export type NewSignInLink = Omit<SignInLink, 'userId' | 'loan'> & Partial<SignInLink>

/** `hash` is `hashKey` of the secret, which only the browser keeps. */
export type NewSession = Pick<Session, 'id' | 'workspaceId' | 'label' | 'expiresAt' | 'createdAt'> &
  Partial<Session> & { hash: string }

type Row = Selectable<CatalogTables['sessions']>

const SEEN_EVERY_MS = 3_600_000

export class Sessions {
  readonly #db: OpenDatabase<CatalogTables>['db']
  readonly #write: Write<CatalogTables>
  readonly #clock: Clock
  readonly #byHash: SqliteStatement<Row>
  readonly #provenAt: SqliteStatement<Pick<Row, 'proven_at'>>

  constructor({ db, sqlite, write }: OpenDatabase<CatalogTables>, clock: Clock) {
    this.#db = db
    this.#write = write
    this.#clock = clock
    this.#byHash = sqlite.prepare('SELECT * FROM sessions WHERE hash = ? AND expires_at > ?')
    this.#provenAt = sqlite.prepare('SELECT proven_at FROM sessions WHERE id = ?')
  }

  async addLink({ hash, workspaceId, label, userId = null, expiresAt, loan = null }: NewSignInLink): Promise<void> {
    const names = { hash, workspace_id: workspaceId, label, user_id: userId }
    const row = { ...names, expires_at: expiresAt, ...loanColumns(loan) }
    await this.#write((db) => [db.insertInto('sign_in_links').values(row).compile()])
  }

  /** Uses up the link. Undefined if there is none with that hash or it has expired; only one of several callers gets it. */
  async takeLink(hash: string): Promise<Omit<SignInLink, 'hash' | 'expiresAt'> | undefined> {
    const [taken] = await this.#write((db) => [
      db.deleteFrom('sign_in_links').where('hash', '=', hash).returningAll().compile(),
    ])
    const row = taken?.rows[0]
    if (row === undefined || row.expires_at <= this.#now()) return undefined
    return { workspaceId: row.workspace_id, label: row.label, userId: row.user_id, loan: readLoan(row) }
  }

  /** Stores a session, and deletes expired sessions and links. */
  async create(session: NewSession): Promise<void> {
    const { id, hash, label, means = null, device = null, issuer = null } = session
    const row = {
      id,
      hash,
      label,
      means,
      device,
      issuer,
      workspace_id: session.workspaceId,
      expires_at: session.expiresAt,
      created_at: session.createdAt,
      user_id: session.userId ?? null,
      proven_at: session.provenAt ?? null,
      provider_session: session.providerSession ?? null,
      seen_at: session.seenAt ?? null,
      ...loanColumns(session.loan ?? null),
    }
    await this.#write((db) => [
      db.deleteFrom('sessions').where('expires_at', '<=', this.#now()).compile(),
      db.deleteFrom('sign_in_links').where('expires_at', '<=', this.#now()).compile(),
      db.insertInto('sessions').values(row).compile(),
    ])
  }

  /** Finds the live session with this hash. Synchronous, as every request of the dashboard asks it. */
  findByHash(hash: string): Session | undefined {
    return this.#byHash.all([hash, this.#now()]).map(readRow)[0]
  }

  /** Returns when the person of a session last proved who they are; null if never. Synchronous, as `findByHash`. */
  provenAt(id: string): string | null {
    return this.#provenAt.first([id])?.proven_at ?? null
  }

  /** Notes that the session is used, at most once an hour. The request does not wait for it, and goes on without it. */
  see({ id, seenAt }: Pick<Session, 'id' | 'seenAt'>): void {
    const now = this.#clock()
    if (seenAt !== null && now.getTime() - Date.parse(seenAt) < SEEN_EVERY_MS) return
    const seen = toTimestamp(toSeconds(now))
    this.#write((db) => [db.updateTable('sessions').set({ seen_at: seen }).where('id', '=', id).compile()]).catch(
      () => undefined,
    )
  }

  /** Makes the workspace the one that requests of the session mean if they name none. */
  async enter(id: string, workspaceId: string): Promise<void> {
    await this.#write((db) => [
      db.updateTable('sessions').set({ workspace_id: workspaceId }).where('id', '=', id).compile(),
    ])
  }

  /** Ends the session from now on, for every process. */
  async end(hash: string): Promise<void> {
    await this.#write((db) => [db.deleteFrom('sessions').where('hash', '=', hash).compile()])
  }

  /** Ends the sessions of all workspaces, and their sign-in links. */
  async endEverything(): Promise<void> {
    await this.#write((db) => [db.deleteFrom('sessions').compile(), db.deleteFrom('sign_in_links').compile()])
  }

  /** Lists the live sessions of a person, the newest first. */
  async listOf(userId: string): Promise<Session[]> {
    const rows = await this.#db
      .selectFrom('sessions')
      .selectAll()
      .where('user_id', '=', userId)
      .where('expires_at', '>', this.#now())
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .execute()
    return rows.map(readRow)
  }

  /** Ends one session of a person, by its id. False if there is none. */
  async endOne(userId: string, id: string): Promise<boolean> {
    const [ended] = await this.#write((db) => [
      db.deleteFrom('sessions').where('user_id', '=', userId).where('id', '=', id).compile(),
    ])
    return ended?.count === 1
  }

  /** Ends all sessions of a person but one, on all machines, and the person's sign-in links. */
  async endAllOf(userId: string, but = ''): Promise<void> {
    await this.#write((db) => [
      db.deleteFrom('sessions').where('user_id', '=', userId).where('id', '!=', but).compile(),
      db.deleteFrom('sign_in_links').where('user_id', '=', userId).compile(),
    ])
  }

  /** Ends the sessions that a provider began: one of its own, or all of a person. */
  async endOfProvider(issuer: string, { session, userId }: { session?: string; userId?: string }): Promise<void> {
    await this.#write((db) => {
      let ended = db.deleteFrom('sessions').where('issuer', '=', issuer)
      if (session !== undefined) ended = ended.where('provider_session', '=', session)
      if (userId !== undefined) ended = ended.where('user_id', '=', userId)
      return session === undefined && userId === undefined ? [] : [ended.compile()]
    })
  }

  /** Notes that the person proved again who they are. */
  async prove(id: string): Promise<void> {
    await this.#write((db) => [
      db.updateTable('sessions').set({ proven_at: this.#now() }).where('id', '=', id).compile(),
    ])
  }

  /** Ends all sessions of the workspace, on all machines. */
  async endAll(workspaceId: string): Promise<void> {
    await this.#write((db) => [db.deleteFrom('sessions').where('workspace_id', '=', workspaceId).compile()])
  }

  #now(): string {
    return toTimestamp(toSeconds(this.#clock()))
  }
}

function readRow(row: Row): Session {
  const { id, label, device, issuer } = row
  return {
    id,
    label,
    device,
    issuer,
    workspaceId: row.workspace_id,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    userId: row.user_id,
    means: row.means as SessionMeans | null,
    provenAt: row.proven_at,
    providerSession: row.provider_session,
    seenAt: row.seen_at,
    loan: readLoan(row),
  }
}
