// The mail domains whose people may join a workspace by themselves, once a provider has verified their address.

import type { Selectable } from 'kysely'
import { type Clock, toSeconds, toTimestamp } from '../../model/clock.js'
import { isRole, type Rights } from '../../model/rights/roles.js'
import type { OpenDatabase, Write } from '../database/database.js'
import type { CatalogTables } from '../database/tables.js'
import { joinWords, splitWords } from '../database/word-list.js'

export interface MailDomain extends Rights {
  workspaceId: string
  issuer: string
  /** In lower case. */
  domain: string
  createdAt: string
}

type Row = Selectable<CatalogTables['mail_domains']>

export class MailDomains {
  readonly #db: OpenDatabase<CatalogTables>['db']
  readonly #write: Write<CatalogTables>
  readonly #clock: Clock

  constructor({ db, write }: OpenDatabase<CatalogTables>, clock: Clock) {
    this.#db = db
    this.#write = write
    this.#clock = clock
  }

  /** Lists the domains of a workspace by name. */
  async list(workspaceId: string): Promise<MailDomain[]> {
    const rows = this.#db.selectFrom('mail_domains').selectAll().where('workspace_id', '=', workspaceId)
    return (await rows.orderBy('domain').orderBy('issuer').execute()).flatMap(readRow)
  }

  /** Lists what a verified address of this issuer and domain may join. */
  async joinable(issuer: string, domain: string): Promise<MailDomain[]> {
    const rows = this.#db.selectFrom('mail_domains').selectAll().where('issuer', '=', issuer)
    return (await rows.where('domain', '=', domain).orderBy('workspace_id').execute()).flatMap(readRow)
  }

  /** Allows a domain, or changes the rights that it gives from now on. */
  async put({ workspaceId, issuer, domain, role, sites }: Omit<MailDomain, 'createdAt'>): Promise<void> {
    const rights = { role, sites: sites === null ? null : joinWords(sites) }
    const row = { workspace_id: workspaceId, issuer, domain, created_at: toTimestamp(toSeconds(this.#clock())) }
    await this.#write((db) => [
      db
        .insertInto('mail_domains')
        .values({ ...row, ...rights })
        .onConflict((conflict) => conflict.columns(['workspace_id', 'issuer', 'domain']).doUpdateSet(rights))
        .compile(),
    ])
  }

  /** False if the workspace does not allow it. */
  async remove(workspaceId: string, issuer: string, domain: string): Promise<boolean> {
    const [removed] = await this.#write((db) => [
      db
        .deleteFrom('mail_domains')
        .where('workspace_id', '=', workspaceId)
        .where('issuer', '=', issuer)
        .where('domain', '=', domain)
        .compile(),
    ])
    return removed?.count === 1
  }
}

/** Reads a row. A role of a newer version lets nobody in. */
function readRow({ role, sites, issuer, domain, ...row }: Row): MailDomain[] {
  if (!isRole(role)) return []
  const rights = { role, sites: sites === null ? null : splitWords(sites) }
  return [{ workspaceId: row.workspace_id, issuer, domain, createdAt: row.created_at, ...rights }]
}
