import assert from 'node:assert/strict'
import supertest from 'supertest'
import { codeOf, dataOf, publish, UNKNOWN_ID, useService } from '../../spec/use-service.js'

interface Tried {
  path: string
  answer: string
  status: number
  location: string | null
  file: string | null
  mediaType: string | null
  fields: { name: string; value: string }[]
  redirectLine: number | null
  headerLines: number[]
  isLoop: boolean
  wrongLines: { file: string; line: number; message: string }[]
  warnings: { file: string; line: number; message: string }[]
}

const REDIRECTS = `# moved
/old            /about
/news/*         /blog/:splat   302
/shop id=:id    /products/:id
/app/*          /about         200
/about/team     /nowhere
/round          /circle
/circle         /round
/forced         /about         301!
/gone           /about         410`

const HEADERS = `/*
  X-Frame-Options: DENY
  Access-Control-Allow-Origin: *
/about
  Cache-Control: public, max-age=60`

/** Every way in which a path is answered. */
const TARGETS = (
  '/ /about /about.html /about/ /old?x=1 /news/a/b%20c /shop?id=7 /shop /app/x/y /style.css /round /forced ' +
  '/gone /missing /robots.txt /sitemap.xml /caf\u00e9 /% /a//b /news/a%2Fb /app/%E9 /missing/%5C'
).split(' ')

describe('rules', () => {
  const service = useService('trials')
  const put = (path: string, text: string) =>
    service().api().put(`/files?path=${path}`).type('text/plain').send(text).expect(201)
  const url = () => `/sites/${service().site.id}/resolve`
  const attempt = async (body: object) => dataOf<Tried>(await service().api().post(url()).send(body).expect(200))

  before(async () => {
    await publish(service(), { path: '/about', html: '<title>About</title>' })
    await put('/style.css', 'h1 { color: teal }')
    await put('/forced', 'a file')
  })

  it("can be tried before they are published: the answer is the site's later answer, at every kind of path", async () => {
    const drafts = await Promise.all(TARGETS.map((path) => attempt({ path, redirects: REDIRECTS, headers: HEADERS })))
    await service().visit('/old').expect(404)
    await put('/_redirects', REDIRECTS)
    await put('/_headers', HEADERS)
    for (const [at, path] of TARGETS.entries()) {
      const visited = await service().visit(encodeURI(path).replaceAll('%25', '%'))
      const { status, location, fields } = drafts[at] as Tried
      assert.deepEqual([path, status, location], [path, visited.status, visited.get('Location') ?? null])
      for (const { name, value } of fields) assert.ok((visited.get(name) ?? '').includes(value), `${path} ${name}`)
    }
  })

  it('are tried with a warning for a rule that is skipped, as it leads to the URL that is asked for', async () => {
    const own = service().visit('/').url.replace(/\/$/, '')
    const site = dataOf<{ url: string }>(await service().api().get(`/sites/${service().site.id}`).expect(200)).url
    const origin = site === '' ? own : site.replace(/\/$/, '')
    const skipped = await attempt({ path: '/about', redirects: `/* ${origin}/:splat 301!` })
    assert.deepEqual([skipped.answer, skipped.redirectLine], ['page', null])
    assert.deepEqual(
      skipped.warnings.map(({ file, line, message }) => [file, line, /leads to the URL/.test(message)]),
      [['_redirects', 1, true]],
    )
    const taken = await attempt({ path: '/about', redirects: `/about ${origin}/ 301!` })
    assert.deepEqual([taken.answer, taken.warnings.length], ['redirect', 0])
  })

  it('are tried with an answer that names the deciding lines and the file that is sent', async () => {
    const redirect = await attempt({ path: '/news/today' })
    assert.deepEqual([redirect.answer, redirect.redirectLine, redirect.location], ['redirect', 3, '/blog/today'])
    assert.deepEqual(redirect.fields, [{ name: 'access-control-allow-origin', value: '*' }])
    assert.deepEqual(redirect.headerLines, [1])
    const page = await attempt({ path: '/about' })
    assert.deepEqual([page.answer, page.file, page.headerLines], ['page', '/about.html', [1, 4]])
    assert.deepEqual(page.fields, [
      { name: 'x-frame-options', value: 'DENY' },
      { name: 'access-control-allow-origin', value: '*' },
      { name: 'cache-control', value: 'public, max-age=60' },
    ])
    const inPlace = await attempt({ path: '/app/x' })
    assert.deepEqual([inPlace.status, inPlace.file, inPlace.redirectLine], [200, '/about.html', 5])
    const file = await attempt({ path: '/style.css' })
    assert.deepEqual([file.answer, file.mediaType], ['file', 'text/css; charset=utf-8'])
    assert.equal((await attempt({ path: '/round' })).isLoop, true)
  })

  it('are tried with the reason for each wrong line, and a warning for each rule without effect', async () => {
    const redirects = '/about /style.css\nnonsense\n/a /b\n/a /c\n/in /none 200\n/ok /about\n/by/:name /people-:name\n'
    const { wrongLines, warnings } = await attempt({ path: '/', redirects, headers: 'X-Frame-Options: DENY' })
    assert.deepEqual(
      wrongLines.map(({ file, line }) => [file, line]),
      [
        ['_redirects', 2],
        ['_headers', 1],
      ],
    )
    assert.deepEqual(
      warnings.map(({ line, message }) => [line, message]),
      [
        [1, 'It never applies: the site has /about. With "!" after the status the rule wins.'],
        [3, 'The site has nothing at /b: visitors get 404 there.'],
        [4, 'It never applies: line 3 matches this path first.'],
        [5, 'The site has no page /none to show: visitors get 404.'],
      ],
    )
  })

  it('are tried with a warning for each line that applies in part', async () => {
    const redirects = '/a /nowhere\n/share https://x.sharepoint.com/:w:/g/a 301!\n/b /nowhere'
    const headers = '/*\n  Strict-Transport-Security: max-age=60; includeSubDomains'
    const { wrongLines, warnings, fields } = await attempt({ path: '/about', redirects, headers })
    assert.deepEqual(wrongLines, [])
    assert.deepEqual(
      warnings.map(({ file, line }) => [file, line]),
      [
        ['_redirects', 1],
        ['_redirects', 2],
        ['_redirects', 3],
        ['_headers', 2],
      ],
    )
    assert.deepEqual(fields, [{ name: 'strict-transport-security', value: 'max-age=60' }])
  })

  it("are treated alike with targets at the site's own URL and at its paths, on the host of a preview too", async () => {
    const { url: origin } = dataOf<{ url: string }>(
      await service().api().get(`/sites/${service().site.id}`).expect(200),
    )
    const other = origin.replace('http://trials', 'https://%54RIALS')
    const redirects = `/zz ${other}/zz\n/left ${origin}/right\n/right ${other}/left\n/old ${other}/about`
    const tried = async (path: string) => {
      const { status, location, redirectLine, isLoop } = await attempt({ path, redirects })
      return { status, location, redirectLine, isLoop }
    }
    const MISSING = { status: 404, location: null, redirectLine: null }
    assert.deepEqual(await tried('/zz'), { ...MISSING, isLoop: false })
    assert.deepEqual(await tried('/left'), { ...MISSING, isLoop: true })
    const moved = { status: 301, location: `${other}/about`, redirectLine: 4, isLoop: false }
    assert.deepEqual(await tried('/old'), moved)
    const { warnings } = await attempt({ path: '/', redirects: `/a ${origin}/none\n/b ${origin}/about` })
    assert.deepEqual(
      warnings.map(({ line, message }) => [line, message]),
      [[1, `The site has nothing at ${origin}/none: visitors get 404 there.`]],
    )
    const draft = await service().api().put('/files?path=/_redirects&dryRun=true').type('text/plain').send(redirects)
    const { host } = new URL(dataOf<{ dryRun: { previewUrl: string } }>(draft).dryRun.previewUrl)
    for (const path of ['/zz', '/left', '/right'])
      await supertest(service().origin).get(path).set('Host', host).expect(404)
    const preflight = await supertest(service().origin).options('/old').set('Host', host).expect(204)
    assert.equal(preflight.get('Access-Control-Allow-Origin'), '*')
    await supertest(service().origin).get('/old').set('Host', host).expect(301).expect('Location', `${other}/about`)
  })

  it('are reported as one wrong line if too long, and refused far beyond the limit', async () => {
    const { wrongLines } = await attempt({ path: '/', redirects: '#'.repeat(600 * 1024) })
    assert.match(wrongLines[0]?.message ?? '', /614400 bytes, so no line of it is read/)
    const refusal = await service()
      .api()
      .post(url())
      .send({ path: '/', redirects: '#'.repeat(2 * 1024 * 1024) })
    assert.equal(refusal.status, 400)
  })

  it('can be tried without writing, by any key that reads, and on no site of others', async () => {
    const { key } = await service().mint({ scopes: ['read'] })
    const api = service().api(key)
    await api.post(url()).send({ path: '/', redirects: '/* /about 301!' }).expect(200)
    await service().visit('/old').expect(301)
    assert.equal(
      codeOf(await api.post(`/sites/${UNKNOWN_ID}/resolve`).send({ path: '/' }).expect(404)),
      'site_not_found',
    )
    assert.equal(codeOf(await api.post(url()).send({ path: 'about' }).expect(400)), 'invalid_path')
  })

  const WRONG = '/a /b\nnonsense\n'

  it('are refused with every wrong line in a batch and by JSON, unless the client insists', async () => {
    const api = service().api()
    const batch = (more: object) =>
      api.post('/batch').send({ operations: [{ op: 'putFile', path: '/_redirects', ...more }] })
    const refusal = await batch({ text: WRONG }).expect(409)
    const { errors } = (refusal.body as { error: { details: { errors: { code: string; message: string }[] } } }).error
      .details
    assert.equal(errors[0]?.code, 'invalid_rules')
    assert.match(errors[0].message, /Line 2: .*With force=true the file is taken/)
    assert.equal(
      codeOf(await api.post('/files').send({ path: '/_redirects', text: WRONG }).expect(400)),
      'invalid_rules',
    )
    await batch({ text: WRONG, force: true }).expect(200)
    await service().visit('/a').expect(301)
    await api
      .post('/files')
      .send({ path: '/_redirects', text: `${WRONG}# more`, force: true })
      .expect(200)
  })

  it('are refused with wrong lines if their bytes are named by their id', async () => {
    const api = service().api()
    const made = await api
      .post('/files')
      .send({ path: '/notes.txt', text: `${WRONG}# known` })
      .expect(201)
    const { oid } = dataOf<{ oid: string }>(made)
    assert.equal(codeOf(await api.post('/files').send({ path: '/_headers', oid }).expect(400)), 'invalid_rules')
    await api.post('/files').send({ path: '/_headers', oid, force: true }).expect(200)
  })
})
