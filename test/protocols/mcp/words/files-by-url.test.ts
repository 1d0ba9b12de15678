import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Client } from '@modelcontextprotocol/client'
import { startOwnService, startTestService, type TestService } from '../../../support/service.js'
import { connectHttp, fail, succeed } from '../clients.js'

const PNG = Buffer.from('\x89PNG\r\n\x1a\n\0picture', 'latin1')
const LARGE = Buffer.alloc(3 * 1024 * 1024, 'x')

describe('a file by its URL', () => {
  let service: TestService
  let agent: Client
  let server: Server
  let origin: string
  before(async () => {
    service = await startOwnService({ env: { REMOTE_ALLOW_PRIVATE: '127.0.0.1', MAX_FILE_BYTES: '4000000' } })
    agent = await connectHttp(service.origin, service.key, 'modern')
    server = createServer((request, answer) => {
      const { url = '' } = request
      if (url === '/a.png') answer.end(PNG)
      else if (url === '/large.bin') answer.end(LARGE)
      else if (url === '/endless') answer.write(LARGE, () => answer.end(LARGE))
      else if (url === '/broken')
        answer.writeHead(200, { 'content-length': '100' }).write('half', () => answer.destroy())
      else if (url === '/moved') answer.writeHead(302, { location: '/a.png' }).end()
      else if (url === '/inward') answer.writeHead(302, { location: 'http://127.0.0.2/a.png' }).end()
      else if (url === '/circle') answer.writeHead(302, { location: '/circle' }).end()
      else answer.writeHead(404).end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(async () => {
    await agent.close()
    server.close()
    server.closeAllConnections()
    await service.stop()
  })

  const bytesAt = async (path: string) => (await service.visit(path)).body as Buffer

  it('is fetched by the service, also by way of a redirect, and of any size up to the limit', async () => {
    await succeed(agent, 'put_file', { path: '/img/a.png', url: `${origin}/a.png` })
    await succeed(agent, 'put_file', { path: '/img/b.png', url: `${origin}/moved` })
    for (const path of ['/img/a.png', '/img/b.png']) assert.deepEqual(await bytesAt(path), PNG)
    await succeed(agent, 'put_file', { path: '/large.bin', url: `${origin}/large.bin` })
    assert.equal((await bytesAt('/large.bin')).length, LARGE.length)
  })

  it('is fetched in a batch too, and undone as one', async () => {
    const operations = ['c', 'd'].map((name) => ({ op: 'put_file', path: `/img/${name}.png`, url: `${origin}/a.png` }))
    await succeed(agent, 'batch', { operations: [...operations, { op: 'put_page', path: '/p', html: '<p>' }] })
    assert.deepEqual(await bytesAt('/img/d.png'), PNG)
    const lost = await fail(agent, 'batch', { operations: [{ ...operations[0], url: `${origin}/none` }] })
    assert.match(lost.text, /invalid_remote[^]*answers 404/)
    const many = Array.from({ length: 21 }, (_, at) => ({ ...operations[0], path: `/many/${at}.png` }))
    assert.match(
      (await fail(agent, 'batch', { operations: many })).text,
      /too_costly: A batch fetches at most 20 files/,
    )
  })

  it('is refused if its address is private, wrong or leads to nothing, and nothing is changed', async () => {
    const refused: [url: string, expected: RegExp][] = [
      ['http://127.0.0.2/a.png', /has no public address/],
      ['http://[::1]/a.png', /has no public address/],
      [`${origin}/inward`, /127\.0\.0\.2 has no public address/],
      [`${origin}/circle`, /redirects too often/],
      [`${origin}/none`, /answers 404: there is no file to fetch/],
      [`${origin}/broken`, /ended the connection|connection .* failed/],
      [`${origin}/endless`, /longer than 4000000 bytes/],
      ['file:///etc/passwd', /must begin with https/],
      ['https://user:secret@example.com/a.png', /without a user name/],
      ['no address', /https URL of a file/],
    ]
    for (const [url, expected] of refused) {
      const { text } = await fail(agent, 'put_file', { path: '/refused.png', url })
      assert.match(text, expected)
      assert.match(text, /^(invalid_remote|payload_too_large): /)
    }
    assert.equal((await service.visit('/refused.png')).status, 404)
    await succeed(agent, 'list_sites')
  })

  it('is not fetched from this machine where no operator allows it', async () => {
    const strict = await startTestService()
    const other = await connectHttp(strict.origin, strict.key, 'modern')
    const { text } = await fail(other, 'put_file', { path: '/a.png', url: `${origin}/a.png` })
    await other.close()
    await strict.stop()
    assert.match(text, /127\.0\.0\.1 has no public address/)
  })

  it('may be a data URL in base64, and is named where base64 is too long', async () => {
    const base64 = `data:image/png;base64,${PNG.toString('base64')}`
    await succeed(agent, 'put_file', { path: '/data.png', base64 })
    assert.deepEqual(await bytesAt('/data.png'), PNG)
    const { message } = await fail(agent, 'put_file', { path: '/x.png', base64: 'A'.repeat(1_500_000) })
    assert.match(message, /send the url of the file, or let the user run `palimpsest publish <folder>`/)
  })
})
