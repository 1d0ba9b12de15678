import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { serviceFetch } from '../../src/cli/connection/service-fetch.js'

const MAX_ANSWER_MS = 150
const LONGER_MS = 3 * MAX_ANSWER_MS

describe("a command's request", () => {
  it('is given up where no answer comes in time', async () => {
    await withServer(
      () => undefined,
      (url) => assert.rejects(serviceFetch(new Request(url), MAX_ANSWER_MS), { name: 'TimeoutError' }),
    )
  })

  it('takes as long as its bytes need, on their way to the service and back', async () => {
    const slow: RequestListener = (request, response) => {
      setTimeout(() => {
        void buffer(request).then((bytes) => {
          response.writeHead(200, { 'Content-Type': 'application/octet-stream' }).write(bytes)
          setTimeout(() => response.end('.'), LONGER_MS)
        })
      }, LONGER_MS)
    }
    await withServer(slow, async (url) => {
      const sent = new Request(url, { method: 'PUT', body: new Blob(['bytes']) })
      assert.equal(await (await serviceFetch(sent, MAX_ANSWER_MS)).text(), 'bytes.')
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
