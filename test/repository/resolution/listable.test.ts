// Pages that a site's maps leave out, for what their heads, the fields of `_headers` or forced rules say.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import { parsePagePath } from '../../../src/model/paths/page-path.js'
import { listableIn } from '../../../src/repository/resolution/listable.js'
import { Hosting } from '../../protocols/host/hosting.js'
import { put } from '../../scenarios/client.js'
import { startTestService, type TestService } from '../../support/service.js'

const LONG = `/long-${'x'.repeat(300)}`

const HEADERS = `
/tagged/*
  X-Robots-Tag: noindex
/tagged/allowed
  ! X-Robots-Tag
/none
  X-Robots-Tag: noarchive, None
/date
  X-Robots-Tag: unavailable_after: 25 Jun 2040, noindex
/google
  X-Robots-Tag: googlebot: nofollow, noindex
/other-robot
  X-Robots-Tag: otherbot: noindex, nofollow
/literal.html
  X-Robots-Tag: noindex
/linked
  Link: </style.css>; rel=preload, </about>; rel="Canonical"
/self-linked
  Link: </self-linked>; rel=canonical
/nofollow
  X-Robots-Tag: nofollow
${LONG}
  X-Robots-Tag: noindex
`
const REDIRECTS = `
/forced/*    /about    301!
/shown       /about    200!
/closed      /404.html 404!
/asked q=:q  /about    301!
/weak        /about    301
/itself      /itself   200!
`
/** The canonical URL that each of these pages names; ORIGIN stands for the site's own. */
const CANONICAL: Record<string, string> = {
  '/elsewhere': 'https://www.example.org/elsewhere',
  '/twin': '/about',
  '/with-query': '/with-query?page=2',
  '/gone': '/no-such-page',
  '/own': 'ORIGIN/own',
  '/own-tls': 'https:ORIGIN/own-tls#top',
  '/own-file': '/own-file.html',
  '/own-slash': '/own-slash/',
  '/own-spelling': '/own%2Dspelling',
  '/no-url': 'http://[',
}
const LEFT_OUT = `
  /meta /meta-none /tagged/a /none /date /google /literal /linked ${LONG} /forced/a /shown /closed /elsewhere
  /twin /with-query /gone
`
  .trim()
  .split(/\s+/)
const LISTED = `
  / /about /tagged/allowed /other-robot /self-linked /nofollow /asked /weak /itself /own /own-tls /own-file
  /own-slash /own-spelling /no-url
`
  .trim()
  .split(/\s+/)

describe("the pages of a site's maps", () => {
  let service: TestService
  let origin: string
  before(async () => {
    service = await startTestService()
    const api = service.api()
    const admin = service.api((await service.mint({ scopes: ['admin'] })).key)
    await admin.patch(`/sites/${service.site.id}`).send({ markdown: true }).expect(200)
    origin = new URL((await put(api, '/about', '<title>x</title>')).url).origin
    for (const path of [...LEFT_OUT, ...LISTED]) await put(api, path, `<title>x</title>${headOf(path)}`)
    await api.put('/files?path=/_headers').type('text/plain').send(HEADERS)
    await api.put('/files?path=/_redirects').type('text/plain').send(REDIRECTS)
  })
  after(() => service.stop())

  function headOf(path: string): string {
    if (path === '/meta') return '<META NAME="Robots" CONTENT="Follow, NoIndex">'
    if (path === '/meta-none') return '<meta name="googlebot" content="NONE">'
    const url = CANONICAL[path]?.replace('https:ORIGIN', origin.replace('http:', 'https:')).replace('ORIGIN', origin)
    return url === undefined ? '' : `<link rel="canonical" href="${url}">`
  }

  /** Waits until the index is at the head: until then, maps list pages whose heads it does not know. */
  const read = async (path: string) => {
    await service.api().get('/pages?limit=1').expect(200)
    return (await service.visit(path, service.site.slug).expect(200)).text
  }

  it('are those that answer at their own URL, may be indexed, and name no other URL as canonical', async () => {
    const xml = await read('/sitemap.xml')
    const paths = Array.from(xml.matchAll(/<loc>(.*?)<\/loc>/g), ([, url = '']) => new URL(url).pathname)
    assert.deepEqual(paths.toSorted(), [...LISTED].toSorted())
  })

  it('are the same in llms.txt', async () => {
    const text = await read('/llms.txt')
    const paths = Array.from(text.matchAll(/\]\((.*?)\.md\)/g), ([, url = '']) => new URL(url).pathname)
    assert.deepEqual(paths.toSorted(), LISTED.map((path) => (path === '/' ? '/index' : path)).toSorted())
  })

  it('lack a page that names its twin with a slash, and have it if there is no such twin', async () => {
    const hosting = new Hosting()
    const site = await hosting.createSite('twins', { 'a.html': '', 'a/index.html': '', 'b.html': '' })
    const isListable = listableIn({ snapshot: hosting.store.reader.snapshot(site), origin })
    const lists = (path: string) => isListable(parsePagePath(path), { robots: null, canonical: `${path}/` })
    assert.deepEqual([lists('/a'), lists('/b')], [false, true])
    await hosting.stop()
  })
})
