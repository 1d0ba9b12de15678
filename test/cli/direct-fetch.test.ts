import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { directFetch } from '../../src/cli/connection/direct-fetch.js'
import { asUnreachable } from '../../src/protocols/client/unreachable.js'

const MIB = 1024 * 1024

describe('a request by node:http', () => {
  it('sends and answers as fetch does: method, fields, bytes, status and address', async () => {
    const echo: RequestListener = (request, response) => {
      const { method, url, headers } = request
      const told = { method, url, type: headers['content-type'], length: headers['content-length'] }
      void buffer(request).then((bytes) =>
        response.writeHead(201, { 'X-Told': JSON.stringify(told), 'X-Twice': ['a', 'b'] }).end(bytes),
      )
    }
    await withServer(echo, async (origin) => {
      const make = () =>
        new Request(`${origin}/p?q=%C3%BC`, {
          method: 'PUT',
          body: '{"ü":1}',
          headers: { 'Content-Type': 'application/json' },
        })
      const [ours, theirs] = await Promise.all([directFetch(make()), fetch(make())])
      for (const field of ['X-Told', 'X-Twice']) assert.equal(ours.headers.get(field), theirs.headers.get(field))
      assert.deepEqual([ours.status, ours.url, await ours.text()], [theirs.status, theirs.url, await theirs.text()])
    })
  })

  it('passes large bodies on as a stream, with their length, in both directions', async () => {
    const echo: RequestListener = (request, response) => {
      response.writeHead(200, { 'X-Length': request.headers['content-length'] })
      request.pipe(response)
    }
    await withServer(echo, async (origin) => {
      const bytes = Buffer.alloc(9 * MIB, 'large ')
      const answer = await directFetch(new Request(origin, { method: 'PUT', body: new Blob([bytes]) }))
      assert.equal(answer.headers.get('X-Length'), String(bytes.length))
      assert.ok(bytes.equals(Buffer.from(await answer.arrayBuffer())))
    })
  })

  it('follows a redirect with its body, unless it is told not to', async () => {
    const lead: RequestListener = (request, response) => {
      if (request.url === '/from') response.writeHead(307, { Location: '/to' }).end()
      else void buffer(request).then((bytes) => response.end(`${request.url} ${bytes.toString()}`))
    }
    await withServer(lead, async (origin) => {
      const init = { method: 'POST', body: 'kept' }
      const followed = await directFetch(new Request(`${origin}/from`, init))
      assert.deepEqual([await followed.text(), followed.url], ['/to kept', `${origin}/to`])
      const manual = await directFetch(new Request(`${origin}/from`, { ...init, redirect: 'manual' }))
      assert.deepEqual([manual.status, manual.headers.get('Location')], [307, '/to'])
    })
  })

  it('has no body where there is none', async () => {
    await withServer(
      (request, response) => response.writeHead(request.method === 'HEAD' ? 200 : 204, { 'X-A': 'b' }).end(),
      async (origin) => {
        for (const method of ['HEAD', 'DELETE'])
          assert.equal((await directFetch(new Request(origin, { method }))).body, null)
      },
    )
  })

  it('fails as fetch does if nothing answers, or the answer breaks off, short or long', async () => {
    const words = (error: unknown) => asUnreachable(error, 'http://service.example', true)?.message
    const none = await directFetch(new Request('http://127.0.0.1:9')).then(() => 'answered', words)
    assert.match(none ?? '', /^Nothing answers at .*ECONNREFUSED/)
    for (const length of ['1000', String(9 * MIB)])
      await withServer(
        (_request, response) => {
          response.writeHead(200, { 'Content-Length': length })
          response.write('some', () => response.destroy())
        },
        async (origin) => {
          const broken = await directFetch(new Request(origin))
            .then((answer) => answer.text())
            .catch(words)
          assert.match(String(broken), /^The connection to .* broke: try again\.$/)
        },
      )
  })

  it('ends with the reason of its signal', async () => {
    await withServer(
      () => undefined,
      async (origin) => {
        const given = new AbortController()
        const asked = directFetch(new Request(origin, { signal: given.signal }))
        given.abort(new Error('enough'))
        await assert.rejects(asked, /enough/)
        await assert.rejects(directFetch(new Request(origin), AbortSignal.abort(new Error('late'))), /late/)
      },
    )
  })
})

async function withServer(answer: RequestListener, work: (origin: string) => Promise<unknown>): Promise<void> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
