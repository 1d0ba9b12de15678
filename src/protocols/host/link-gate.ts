// Lets visitors in by links. A link's URL holds a secret in its path, `/.open/<secret>/<path>`. The visitor exchanges it once for a
// cookie of this host. The host name itself is no secret, since browsers tell it to other origins (`Origin`, `Referer`, DNS).

import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseLinkLabel } from '../../model/hosts/version-label.js'
import { ISOLATION, sendPlainPage } from './answer/plain-page.js'
import type { ViewParts } from './views/site-view.js'

/** Names with a leading dot are never served, so no site has such a path. */
const OPEN = /^\/\.open\/([A-Za-z0-9_-]{43})(?:[/\\]+(.*))?$/
const NO_LINK = 'There is no site here. Open the link with its complete URL. It may also have expired or been deleted.'

/** Answers a request for a link's host. Returns false if the request has the cookie, and for other labels. */
export type LinkGate = (request: IncomingMessage, response: ServerResponse, label: string) => boolean

export function createLinkGate({ address, links }: Pick<ViewParts, 'address' | 'links'>): LinkGate {
  const isSecure = address.baseUrl.startsWith('https:')
  const cookie = isSecure ? '__Host-link' : 'link'

  return (request, response, label) => {
    const id = parseLinkLabel(label)
    if (id === undefined) return false
    const link = links.find(id)
    const [, secret, path = ''] = OPEN.exec(request.url ?? '') ?? []
    if (link !== undefined && secret === undefined && hasSecret(request, cookie, link.hash)) return false
    if (link === undefined || secret === undefined || !isSecretOf(link.hash, secret)) {
      sendPlainPage(response, { status: 404, sentence: NO_LINK })
      return true
    }
    const end = new Date(link.expiresAt).toUTCString()
    const secure = isSecure ? '; Secure' : ''
    response
      .writeHead(302, {
        ...ISOLATION,
        Location: `/${path}`,
        'Set-Cookie': `${cookie}=${secret}; Path=/; Expires=${end}; HttpOnly; SameSite=Lax${secure}`,
        'Cache-Control': 'no-store',
        'Referrer-Policy': 'no-referrer',
        'Content-Length': 0,
      })
      .end()
    return true
  }
}

/** Whether any of the cookies with the name holds the secret: a sibling host can set one with the same name. */
function hasSecret({ headers }: IncomingMessage, name: string, hash: string): boolean {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim())
  return pairs.some((pair) => pair.startsWith(`${name}=`) && isSecretOf(hash, pair.slice(name.length + 1)))
}

function isSecretOf(hash: string, secret: string): boolean {
  return timingSafeEqual(createHash('sha256').update(secret).digest(), Buffer.from(hash, 'hex'))
}
