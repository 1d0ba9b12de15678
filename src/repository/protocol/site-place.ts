// Names the places that a `SiteRef` can mean: a site's main, or the branch of one of its change requests.

import { MAIN } from '../format/main-ref.js'
import type { SiteRef } from './write.js'

/** Returns a key of the place: no other site and no other change request has it. */
export function placeOf(site: Pick<SiteRef, 'slug' | 'request'>): string {
  const repository = repositoryNameOf(site)
  return site.request === undefined ? repository : `${repository} ${site.request}`
}

/** Returns the id of the change request, or of the site for main. */
export function placeIdOf({ id, request }: Pick<SiteRef, 'id' | 'request'>): string {
  return request ?? id
}

/** Whether the place is the site's, or that of one of its change requests. */
export function isOfSite(place: string, { slug }: Pick<SiteRef, 'slug'>): boolean {
  return place === slug || place.startsWith(`drafts/${slug} `)
}

/** Returns the name of the repository that holds the place. The change requests of a site share one. */
export function repositoryNameOf({ slug, request }: Pick<SiteRef, 'slug' | 'request'>): string {
  return request === undefined ? slug : `drafts/${slug}`
}

/** Returns the full name of the branch. */
export function branchOf({ request }: Pick<SiteRef, 'request'>): string {
  return request === undefined ? MAIN : `refs/heads/${request}`
}

/** Returns the site itself, also for one of its change requests. */
export function mainOf<T extends SiteRef>(site: T): Omit<T, 'request'> & { request: undefined } {
  return { ...site, request: undefined }
}

/** Returns the repository of the site's change requests, as a place without a branch: for the care of all of them. */
export function draftsOf<T extends SiteRef>(site: T): T & { request: string } {
  return { ...site, request: '' }
}
