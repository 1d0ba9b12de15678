import assert from 'node:assert/strict'
import { codeOf, dataOf, useService } from '../../spec/use-service.js'
import { connectHttp, fail, succeed } from '../../protocols/mcp/clients.js'

interface Warned {
  path: string
  warnings?: { code: string; path: string; message: string }[]
}

describe('a page at the path of a file', () => {
  const service = useService()
  const codesOf = ({ warnings = [] }: Warned) => warnings.map(({ code }) => code)

  it('is refused with 415 if the body has no media type, with a pointer to the files API', async () => {
    for (const path of ['/style.css', '/_redirects', '/img/logo.svg']) {
      const refusal = await fetch(`${service().origin}/api/v1/pages?path=${path}`, {
        method: 'PUT',
        headers: { Authorization: `Bearer ${service().key}` },
        body: Buffer.from('h1 {}'),
      })
      assert.equal(refusal.status, 415, path)
      assert.ok((await refusal.text()).includes(`PUT /files?path=${path}`))
    }
  })

  it('is created from JSON with a warning; a repeated request gets the same answer', async () => {
    const send = () =>
      service().api().post('/pages').set('Idempotency-Key', 'once').send({ path: '/main.css', html: 'h1 {}' })
    const made = dataOf<Warned>(await send().expect(201))
    assert.deepEqual(codesOf(made), ['named_as_file'])
    assert.match(made.warnings?.[0]?.message ?? '', /^\/main\.css is sent as HTML.*PUT \/files/)
    assert.deepEqual(dataOf<Warned>(await send()), made)
    const put = await service().api().put('/pages?path=/theme.css').send({ html: 'h1 {}' }).expect(201)
    assert.deepEqual(codesOf(dataOf<Warned>(put)), ['named_as_file'])
  })

  it('is accepted without a warning if the client sets asPage to true, and refused if it sets false', async () => {
    const api = service().api()
    const page = { path: '/node.js', html: '<h1>Node.js</h1>' }
    assert.equal(
      codeOf(
        await api
          .post('/pages')
          .send({ ...page, asPage: false })
          .expect(400),
      ),
      'invalid_path',
    )
    assert.deepEqual(
      codesOf(
        dataOf<Warned>(
          await api
            .post('/pages')
            .send({ ...page, asPage: true })
            .expect(201),
        ),
      ),
      [],
    )
  })

  it('gets no warning if the path is one of a page, with or without dots', async () => {
    for (const path of ['/about', '/v1.2', '/docs/', '/old.htm', '/mr.smith']) {
      const made = await service().api().put(`/pages?path=${path}`).send({ html: '<p>x', asPage: false }).expect(201)
      assert.deepEqual(codesOf(dataOf<Warned>(made)), [], path)
    }
  })

  it('gets a warning for each operation of a batch, and in a dry run too', async () => {
    const operations = [
      { op: 'putPage', path: '/one.css', html: 'h1 {}' },
      { op: 'createPage', path: '/two', html: '<p>2' },
      { op: 'createPage', path: '/three.js', html: '<p>3', asPage: true },
    ]
    for (const query of ['?dryRun=true', '']) {
      const answer = await service().api().post(`/batch${query}`).send({ operations }).expect(200)
      const { items } = dataOf<{ items: Warned[] }>(answer)
      assert.deepEqual(items.map(codesOf), [['named_as_file'], [], []])
    }
    const refusal = await service().api().post('/batch').send({ operations, asPage: false }).expect(409)
    assert.equal(codeOf(refusal), 'batch_refused')
  })

  it('is refused by the tools, which name the tool for files, unless the agent says asPage', async () => {
    const client = await connectHttp(service().origin, service().key, 'modern')
    try {
      const page = { path: '/agent.css', html: 'h1 {}' }
      assert.match((await fail(client, 'create_page', page)).message, /Use put_file for a file, or asPage=true/)
      const operations = [{ op: 'putPage', ...page }]
      assert.match((await fail(client, 'batch', { operations })).text, /asPage=true/)
      await succeed(client, 'batch', { operations: [{ ...operations[0], asPage: true }] })
      await succeed(client, 'create_page', { path: '/agent.js', html: '<p>x', asPage: true })
    } finally {
      await client.close()
    }
  })

  it('is reported by the checks', async () => {
    const answer = await service().api().get(`/sites/${service().site.id}/checks`).expect(200)
    const { findings } = dataOf<{ findings: { code: string; path: string; message: string }[] }>(answer)
    const named = findings.filter(({ code }) => code === 'named_as_file')
    assert.ok(
      named.some(({ path, message }) => path === 'main.css.html' && message.includes('PUT /files?path=/main.css')),
    )
    assert.ok(!named.some(({ path }) => path === 'v1.2.html'))
  })
})
