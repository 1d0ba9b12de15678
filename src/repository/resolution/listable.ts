// Tells which pages a site's maps may list. They answer at their own URL, may be indexed, and name no other URL as the canonical one.

import { type PagePath, pagePathOfUrl, treePathOf, urlPathOf } from '../../model/paths/page-path.js'
import { literalOf } from './find-file.js'
import { fieldsFor } from './header-fields.js'
import { placeInSite } from './own-place.js'
import { type ResolvableView, resolve } from './resolution.js'
import { rulesOf } from './site-rules.js'

/** The part of a document's head that the index knows. */
interface Head {
  robots: string | null
  canonical: string | null
}

export type IsListable = (path: PagePath, head: Head | undefined) => boolean

/** Fields by which `_headers` can take a page out of the maps. */
const TELLING = ['x-robots-tag', 'link']
/** Robots whose orders count, as in documents; '' is all of them. */
const ROBOTS = ['', '*', 'robots', 'googlebot']
/** Orders of `X-Robots-Tag` that have a value. Any other name before a colon is a robot's. */
const WITH_VALUE = ['unavailable_after', 'max-snippet', 'max-image-preview', 'max-video-preview']

/**
 * Returns a test of the pages of a view that have their URL to themselves. A page whose head is not known passes if no rule keeps it out.
 * Few pages cost a look-up in a folder: one of a folder with many pages takes a millisecond.
 */
export function listableIn(view: ResolvableView): IsListable {
  const { redirects, headers } = rulesOf(view.snapshot)
  const telling = headers.filter(({ fields }) => fields.some(({ name }) => TELLING.includes(name)))
  const isShown = (path: PagePath, url: string) => {
    if (redirects.match(url, '')?.rule.force !== true) return true
    const found = resolve(view, url)
    return found.kind === 'file' && found.file.status === 200 && found.file.treePath === treePathOf(path)
  }
  return (path, head) => {
    const url = urlPathOf(path)
    const fields = fieldsFor(telling, { own: [url, literalOf(url)] })
    const isNamed = (canonical: string) => leadsTo(view, path, canonical)
    return (
      head?.robots?.includes('noindex') !== true &&
      !forbidsIndex(fields['x-robots-tag'] ?? '') &&
      isNamed(head?.canonical ?? url) &&
      isNamed(canonicalIn(fields['link'] ?? '') ?? url) &&
      isShown(path, url)
    )
  }
}

/** Whether the canonical URL leads to the page itself, in any spelling. What is no URL names no other page. */
function leadsTo(view: ResolvableView, path: PagePath, canonical: string): boolean {
  const own = urlPathOf(path)
  if (canonical === own || !URL.canParse(canonical, view.origin + own)) return true
  const place = placeInSite(view.origin, canonical, own)
  if (place === undefined || place.includes('?')) return false
  const named = pagePathOfUrl(place)
  if (named === undefined || named === path) return named === path
  const twin = place.endsWith('/') ? place.slice(0, -1) : `${place}/`
  return pagePathOfUrl(twin) === path && view.snapshot.entry(treePathOf(named)) === undefined
}

function forbidsIndex(tag: string): boolean {
  let robot = ''
  return tag
    .toLowerCase()
    .split(',')
    .some((part) => {
      const [, name, rest] = /^\s*([^\s:]+)\s*:(.*)$/.exec(part) ?? []
      if (name !== undefined && !WITH_VALUE.includes(name)) robot = name
      const order = (rest ?? part).trim()
      return ROBOTS.includes(robot) && (order === 'noindex' || order === 'none')
    })
}

/** Returns the URL of the canonical link in a `Link` field; undefined for several different ones, as in documents. */
function canonicalIn(link: string): string | undefined {
  const urls = new Set<string>()
  for (const [, url = '', parameters = ''] of link.matchAll(/<([^<>]*)>([^<]*)/g)) {
    const [, quoted, plain = ''] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,]*))/i.exec(parameters) ?? []
    if (/(?:^|\s)canonical(?:\s|$)/i.test(quoted ?? plain)) urls.add(url.trim())
  }
  return urls.size === 1 ? [...urls][0] : undefined
}
