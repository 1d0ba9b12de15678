// A page's content in the form and the part that a request wants.

import type { ContentQuery } from '../../../schemas/pages.js'
import type { Site } from '../../catalog/sites.js'
import type { DocumentWishes, ReadDocument } from '../../documents/read-document.js'
import { ServiceError } from '../../model/errors.js'
import { partOf, type Range } from '../../model/text-parts.js'
import type { Matches } from '../../texts/find-places.js'
import type { Services } from '../context/services.js'

/** The fields of an answer that hold content. */
export interface Content {
  html?: string
  as?: NonNullable<ContentQuery['as']>
  content?: string
  found?: { from: number; to: number }[]
  matches?: Matches
  lines?: Range
  characters?: Range
}

/** Throws `invalid_query` for wishes that exclude each other, `part_not_found`, `too_costly`, `queue_full`. */
export async function readForm(services: Services, site: Site, blob: string, query: ContentQuery): Promise<Content> {
  const { as = 'html', heading, selector, find, pattern, lines, chars } = query
  refuseBoth({ lines, chars, find, pattern })
  refuseBoth({ heading, selector, find, pattern })
  const { content, found, matches } = await read(services, site, blob, { as, heading, selector, find, pattern })
  if (matches !== undefined) return { ...(as !== 'html' && { as }), matches }
  const { text, ...ranges } = partOf(content, { lines, chars })
  return {
    ...(as === 'html' ? { html: text } : { as, content: text }),
    ...(found && { found }),
    ...((lines ?? chars) !== undefined && ranges),
  }
}

async function read(services: Services, site: Site, blob: string, wishes: DocumentWishes): Promise<ReadDocument> {
  const { as } = wishes
  const isWhole = Object.values({ ...wishes, as: undefined }).every((wish) => wish === undefined)
  if (isWhole && as === 'html')
    return { content: services.store.snapshot(site).blob(blob, services.limits.maxHtmlBytes).toString() }
  const known = isWhole ? services.forms.get(`${blob} ${as}`) : undefined
  if (known !== undefined) return { content: known }
  const source = services.store.sourceOf(site)
  const result = await services.tasks.run('readDocument', { source, blob, wishes }, site)
  if (isWhole) services.forms.set(`${blob} ${as}`, result.content)
  return result
}

function refuseBoth(wishes: Readonly<Record<string, string | undefined>>): void {
  const given = Object.keys(wishes).filter((name) => wishes[name] !== undefined)
  if (given.length > 1) throw new ServiceError('invalid_query', `Send ${given.join(' or ')}, not both.`)
}
