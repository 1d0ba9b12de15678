import assert from 'node:assert/strict'
import { startTestService, type TestService } from '../../support/service.js'

const HTML = '<title>T</title>\n<h1>One</h1>\n<p>a <b>b</b></p>\n<h2 id="two">Two</h2>\n<p>c</p>\n'

describe('reading a page', () => {
  let service: TestService
  let id: string
  before(async () => {
    service = await startTestService()
    const made = await service.api().post('/pages').send({ path: '/read', html: HTML }).expect(201)
    id = (made.body.data as { id: string }).id
    await service.api().put(`/pages/${id}/content`).send({ html: '<h1>New</h1>' }).expect(200)
  })
  after(() => service.stop())

  const get = async (path: string, status = 200) => {
    const { body } = await service.api().get(path).expect(status)
    return status === 200 ? (body.data as Record<string, unknown>) : (body.error as Record<string, unknown>)
  }

  it('gives each form, by id, by path, and for an old version', async () => {
    const markdown = await get(`/pages/${id}?as=markdown`)
    assert.deepEqual([markdown['as'], markdown['content'], markdown['html']], ['markdown', '# New\n', undefined])
    assert.deepEqual(await get(`/pages/${id}?as=markdown`), markdown)
    const old = `/pages/${id}/versions/1`
    assert.equal((await get(`${old}?as=markdown`))['content'], '# One\n\na **b**\n\n## Two\n\nc\n')
    assert.equal((await get(`${old}?as=text`))['content'], 'One\n\na b\n\nTwo\n\nc\n')
    assert.equal((await get(`${old}?as=outline`))['content'], '2 # One\n4 ## Two #two\n')
    const [page] = (await get('/pages?path=/read&as=text')) as unknown as Record<string, unknown>[]
    assert.equal(page?.['content'], 'New\n')
    assert.equal((await get('/pages?as=text', 400))['code'], 'invalid_query')
  })

  it('gives a part by heading or selector, and lines or characters of it', async () => {
    const old = `/pages/${id}/versions/1`
    const section = await get(`${old}?heading=two&lines=2-`)
    assert.deepEqual(section['html'], '<p>c</p>\n')
    assert.deepEqual([section['found'], section['lines']], [[{ from: 4, to: 5 }], { from: 2, to: 2, total: 2 }])
    const selected = await get(`${old}?selector=p&as=text&chars=1-3`)
    assert.deepEqual([selected['content'], selected['characters']], ['a b', { from: 1, to: 3, total: 7 }])
    assert.equal((await get(`${old}?heading=nothing`, 404))['code'], 'part_not_found')
    assert.equal((await get(`${old}?selector=a%5B`, 400))['code'], 'invalid_query')
    assert.equal((await get(`${old}?selector=a&heading=b`, 400))['code'], 'invalid_query')
    assert.equal((await get(`${old}?lines=1-2&chars=1-2`, 400))['code'], 'invalid_query')
  })

  it('gives the places of a text or a pattern, with lines and characters, without the content', async () => {
    const old = `/pages/${id}/versions/1`
    const found = await get(`${old}?find=${encodeURIComponent('<p>')}`)
    assert.deepEqual([found['html'], found['content']], [undefined, undefined])
    assert.deepEqual(found['matches'], {
      count: 2,
      places: [
        { line: 3, from: 31, to: 33, text: '<p>a <b>b</b></p>' },
        { line: 5, from: 71, to: 73, text: '<p>c</p>' },
      ],
    })
    const [, second] = (found['matches'] as { places: { from: number; to: number }[] }).places
    assert.equal((await get(`${old}?chars=${second?.from}-${second?.to}`))['html'], '<p>')
    const pattern = await get(`${old}?as=text&pattern=${encodeURIComponent('^[a-z] ?b?$')}`)
    assert.deepEqual(pattern['matches'], {
      count: 2,
      places: [
        { line: 3, from: 6, to: 8, text: 'a b' },
        { line: 7, from: 16, to: 16, text: 'c' },
      ],
    })
    assert.deepEqual((await get(`${old}?find=nowhere`))['matches'], { count: 0, places: [] })
    for (const wrong of ['pattern=(', 'pattern=(a)%5C1', 'find=a&pattern=a', 'find=a&heading=two', 'find=a&lines=1-2'])
      assert.equal((await get(`${old}?${wrong}`, 400))['code'], 'invalid_query', wrong)
  })

  it('gives short answers for a text with very many matches, and handles a pattern that other engines never finish', async () => {
    const html = `<p>${'a'.repeat(200_000)}</p>\n`
    const made = await service.api().post('/pages').send({ path: '/many', html }).expect(201)
    const many = `/pages/${(made.body.data as { id: string }).id}`
    const { matches } = (await get(`${many}?find=a`)) as { matches: { count: number; places: { text: string }[] } }
    assert.deepEqual([matches.count, matches.places.length], [100_000, 50])
    assert.ok(matches.places.every(({ text }) => text.length <= 160))
    const none = await get(`${many}?pattern=${encodeURIComponent('(a+)+b')}`)
    assert.deepEqual(none['matches'], { count: 0, places: [] })
  })

  it('encodes a long page in a task, and answers like for a short one', async () => {
    const line = (number: number) => `<p>"${number}" \\ \u0007 é 😀</p>\r\n`
    const html = Array.from({ length: 20_000 }, (_, number) => line(number)).join('')
    const made = await service.api().post('/pages?path=/long&title=Long').type('html').send(html).expect(201)
    const { id: long, etag } = made.body.data as { id: string; etag: string }
    const whole = await service.api().get(`/pages/${long}`).set('Accept-Encoding', 'identity').expect(200)
    assert.deepEqual([whole.body.data.html === html, whole.headers['etag'], whole.body.success], [true, etag, true])
    assert.match(String(whole.headers['content-type']), /^application\/json/)
    assert.equal((await get(`/pages/${long}/versions/1`))['html'], html)
    const part = await get(`/pages/${long}?lines=2-3`)
    assert.deepEqual([part['html'], part['lines']], [line(1) + line(2), { from: 2, to: 3, total: 20_000 }])
    const [listed] = (await get('/pages?path=/long&as=text')) as unknown as Record<string, unknown>[]
    assert.deepEqual([listed?.['as'], String(listed?.['content']).slice(0, 8)], ['text', '"0" \\  é'])
    assert.equal((await get(`/pages/${long}?heading=nothing`, 404))['code'], 'part_not_found')
  })

  it('gives no form of an unpublished version', async () => {
    const gone = await service.api().post('/pages').send({ path: '/gone', html: HTML }).expect(201)
    const other = (gone.body.data as { id: string }).id
    await service.api().delete(`/pages/${other}`).expect(200)
    assert.equal((await get(`/pages/${other}/versions/2?as=markdown`))['html'], null)
    assert.equal((await get(`/pages/${other}/versions/1?as=markdown`))['as'], 'markdown')
  })

  it('refuses a selector that would take for ever, and answers others meanwhile', async () => {
    const html = `<body>${'<div>'.repeat(3000)}${'<p>x</p>'.repeat(30_000)}`
    const made = await service.api().post('/pages').send({ path: '/slow', html }).expect(201)
    const selector = encodeURIComponent('p:not(:has(~ q))')
    const slow = service
      .api()
      .get(`/pages/${(made.body.data as { id: string }).id}?selector=${selector}`)
      .then((answer) => answer)
    assert.equal((await get(`/pages/${id}`))['html'], '<h1>New</h1>')
    // On a busy machine it gets little processor time, and is not blamed.
    assert.match((await slow).body.error.code, /^(too_costly|service_busy)$/)
  })
})
