// A site's row in the catalog, as the service uses it.

export interface Site {
  id: string
  workspaceId: string
  slug: string
  /** `creating` reserves id and slug while the repository is made (design §4.7); look-ups find only `live` sites. */
  state: 'creating' | 'live' | 'deleted'
  createdAt: string
  /** Whether everybody may see its past. */
  publicHistory: boolean
  /** Whether its pages answer as Markdown too. */
  markdown: boolean
  /** Whether visitors can search it. */
  search: boolean
  /** Whether everybody may clone its repository and read everything that was ever committed. */
  publicRepository: boolean
  /** Number of withdrawn versions of its pages. */
  withdrawals: number
}

/** The settings that its owners switch on and off. */
export type SiteSettings = Pick<Site, 'publicHistory' | 'markdown' | 'search' | 'publicRepository'>

export type NewSite = Pick<Site, 'id' | 'workspaceId' | 'slug' | 'createdAt'>

export interface SitesPage {
  /** Only these sites, if given: those that a limited key may see. */
  only?: readonly string[] | null
  /** Only the site with this slug. */
  slug?: string | undefined
  /** Only slugs after this one. */
  after?: string | undefined
  limit?: number | undefined
}
