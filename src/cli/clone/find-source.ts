// Finds the repository that `palimpsest clone` is asked for. A key is sent only to the service at PALIMPSEST_URL.

import { isSlug } from '../../model/hosts/slug.js'
import { isUuid } from '../../model/ids.js'
import { findBearer } from '../connection/access.js'
import { connect } from '../connection/connection.js'
import { apiBaseUrl } from '../connection/credentials.js'
import { Unusable } from '../connection/unusable.js'

export interface CloneSource {
  /** The URL that git clones, without user and key. */
  url: string
  slug: string
  baseUrl: string
  /** Undefined if there is none: a public repository needs none. */
  key: string | undefined
}

const REPOSITORY = /^(.*)\/git\/([^/]+)\.git\/?$/

/** Takes the URL of a repository, or the slug or id of a site. Throws Unusable, and as `connect` does for an id. */
export async function findSource(named: string): Promise<CloneSource> {
  const baseUrl = apiBaseUrl(process.env)
  const slug = await slugOf(named, baseUrl)
  return { url: `${baseUrl}/git/${slug}.git`, slug, baseUrl, key: await findBearer(process.env, baseUrl) }
}

async function slugOf(named: string, baseUrl: string): Promise<string> {
  if (named.includes('://')) return slugInUrl(named, baseUrl)
  const slug = isUuid(named) ? ((await connect({ site: named })).named?.slug ?? '') : named
  if (isSlug(slug)) return slug
  throw new Unusable(
    'Name a site by its slug or id, or a repository by its URL, such as http://localhost:8080/git/demo.git.',
  )
}

/** No message repeats the URL, which may hold a password. */
function slugInUrl(text: string, baseUrl: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const [, base = '', slug = ''] = REPOSITORY.exec(url === undefined ? '' : url.origin + url.pathname) ?? []
  if (url === undefined || !isSlug(slug))
    throw new Unusable(`This is not the URL of a repository: it has the form ${baseUrl}/git/<slug>.git.`)
  if (url.username !== '' || url.password !== '')
    throw new Unusable('Leave user and key out of the URL: set PALIMPSEST_TOKEN, or run "palimpsest login".')
  if (base !== new URL(baseUrl).href.replace(/\/+$/, ''))
    throw new Unusable(`The repository is not at ${baseUrl}, where the key belongs: set PALIMPSEST_URL=${base}.`)
  return slug
}
