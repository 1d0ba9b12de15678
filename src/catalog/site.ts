// A site's row in the catalog, as the service uses it.

import type { Approvers, Protection } from '../model/rights/protection.js'
import type { Row } from './database/catalog-database.js'

/** The settings that its owners change. */
export interface SiteSettings {
  /** The name that people gave it; null for none. */
  name: string | null
  /** Whether everybody may see its past. */
  publicHistory: boolean
  /** Whether its pages answer as Markdown too. */
  markdown: boolean
  /** Whether visitors can search it. */
  search: boolean
  /** Whether everybody may clone its repository and read everything that was ever committed. */
  publicRepository: boolean
  /** Whether guests with a review link may comment. */
  guestComments: boolean
}

/** The rights of changing the site. */
export interface SiteProtection {
  protection: Protection
  approvers: Approvers
}

export interface Site extends Omit<Row<'sites'>, keyof (SiteSettings & SiteProtection)>, SiteSettings, SiteProtection {
  /** The id of the change request that a call reads and writes in place of main. No row has it. */
  request?: string | undefined
}

export type NewSite = Pick<Site, 'id' | 'workspaceId' | 'slug' | 'createdAt'> & { name?: string | null | undefined }

export interface SitesPage {
  /** Only these sites, if given: those that a limited key may see. */
  only?: readonly string[] | null
  /** Only the site with this slug. */
  slug?: string | undefined
  /** Only slugs after this one. */
  after?: string | undefined
  limit?: number | undefined
}
