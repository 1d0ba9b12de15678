// The mail domains whose people may join a workspace by themselves, once a provider has verified their address.

import { isRole, type Rights } from '../../model/rights/roles.js'
import type { CatalogDatabase, Row } from '../database/catalog-database.js'
import { joinWords, splitWords } from '../database/word-list.js'

type MailDomainRow = Row<'mailDomains'>

export type MailDomain = Omit<MailDomainRow, 'sites'> & Rights

export class MailDomains {
  readonly #database: CatalogDatabase

  constructor(database: CatalogDatabase) {
    this.#database = database
  }

  /** Lists the domains of a workspace by name. */
  async list(workspaceId: string): Promise<MailDomain[]> {
    const rows = this.#database.db.selectFrom('mailDomains').selectAll().where('workspaceId', '=', workspaceId)
    return (await rows.orderBy('domain').orderBy('issuer').execute()).flatMap(readMailDomain)
  }

  /** Lists what a verified address of this issuer and domain may join. */
  async joinable(issuer: string, domain: string): Promise<MailDomain[]> {
    const rows = this.#database.db.selectFrom('mailDomains').selectAll().where('issuer', '=', issuer)
    return (await rows.where('domain', '=', domain).orderBy('workspaceId').execute()).flatMap(readMailDomain)
  }

  /** Allows a domain, or changes the rights that it gives from now on. */
  async put({ workspaceId, issuer, domain, role, sites }: Omit<MailDomain, 'createdAt'>): Promise<void> {
    const rights = { role, sites: joinWords(sites) }
    const row = { workspaceId, issuer, domain, createdAt: this.#database.now() }
    await this.#database.write((db) => [
      db
        .insertInto('mailDomains')
        .values({ ...row, ...rights })
        .onConflict((conflict) => conflict.columns(['workspaceId', 'issuer', 'domain']).doUpdateSet(rights)),
    ])
  }

  /** False if the workspace does not allow it. */
  async remove(workspaceId: string, issuer: string, domain: string): Promise<boolean> {
    const [removed] = await this.#database.write((db) => [
      db
        .deleteFrom('mailDomains')
        .where('workspaceId', '=', workspaceId)
        .where('issuer', '=', issuer)
        .where('domain', '=', domain),
    ])
    return removed?.count === 1
  }
}

/** Reads a row. A role of a newer version lets nobody in. */
function readMailDomain(row: MailDomainRow): MailDomain[] {
  return isRole(row.role) ? [{ ...row, sites: splitWords(row.sites) }] : []
}
