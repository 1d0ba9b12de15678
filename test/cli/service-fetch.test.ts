import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { explain } from '../../src/cli/connection/explain.js'
import { serviceFetch } from '../../src/cli/connection/service-fetch.js'

const MAX_ANSWER_MS = 150
const LONGER_MS = 3 * MAX_ANSWER_MS

describe("a command's request", () => {
  it('is given up if no answer comes in time', async () => {
    await withServer(
      () => undefined,
      (url) => assert.rejects(serviceFetch(new Request(url), MAX_ANSWER_MS), { name: 'TimeoutError' }),
    )
  })

  it('is reported as possibly done if it is not answered in time, unless it changes nothing', async () => {
    const advice = async (url: string, method: string) =>
      explain(await serviceFetch(new Request(url, { method }), 1).catch((error: unknown) => error))?.message
    await withServer(
      () => undefined,
      async (url) => {
        assert.match((await advice(url, 'DELETE')) ?? '', /did not answer in time\. The change may have been made: /)
        for (const [query, method] of [['', 'GET'] as const, ['?dryRun=true', 'DELETE'] as const])
          assert.match((await advice(url + query, method)) ?? '', /did not answer in time\. Try again\.$/)
      },
    )
  })

  it('may take as long as its bytes need, on their way to the service and back', async () => {
    const slow: RequestListener = (request, response) => {
      setTimeout(() => {
        void buffer(request).then((bytes) => {
          response.writeHead(200, { 'Content-Disposition': 'attachment' }).write(bytes)
          setTimeout(() => response.end('.'), LONGER_MS)
        })
      }, LONGER_MS)
    }
    await withServer(slow, async (url) => {
      const sent = new Request(url, { method: 'PUT', body: new Blob(['bytes']) })
      assert.equal(await (await serviceFetch(sent, MAX_ANSWER_MS)).text(), 'bytes.')
    })
  })

  it('is refused if another program answers it, with or without a redirect there', async () => {
    const text: RequestListener = (_request, response) => response.setHeader('Content-Type', 'text/plain').end('hello')
    await withServer(text, async (elsewhere) => {
      const redirect: RequestListener = (_request, response) => response.writeHead(307, { Location: elsewhere }).end()
      await withServer(redirect, async (url) => {
        for (const asked of [url, elsewhere])
          await assert.rejects(serviceFetch(new Request(asked)), ({ message }: Error) =>
            message.includes(`What answers at ${elsewhere} (status 200) is not this service`),
          )
      })
    })
  })
})

async function withServer(answer: RequestListener, work: (url: string) => Promise<unknown>): Promise<void> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
