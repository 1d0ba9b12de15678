import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient, Unreachable } from '../../../src/protocols/client/client.js'
import { asUnreachable } from '../../../src/protocols/client/unreachable.js'

const ADDRESS = 'https://pages.example'

/** The error of Node's `fetch` with this code. */
const failed = (code: string, message = 'fetch failed') => new TypeError(message, { cause: { code, message: 'x' } })

describe('the words for a service without an answer', () => {
  for (const [code, words] of [
    ['ECONNREFUSED', /^Nothing answers at https:\S+ \(ECONNREFUSED\)\. Is the service running there\?$/],
    ['ENOTFOUND', /^There is no host pages\.example \(ENOTFOUND\)\. Check the spelling/],
    ['EAI_AGAIN', /cannot be looked up .*Check the network/],
    ['EHOSTUNREACH', /^No network leads to/],
    ['UND_ERR_CONNECT_TIMEOUT', /cannot be reached in time .*firewalls/],
    ['ETIMEDOUT', /cannot be reached in time/],
    ['CERT_HAS_EXPIRED', /^The certificate of https:\S+ is not trusted \(CERT_HAS_EXPIRED\)\..*NODE_EXTRA_CA_CERTS/],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', /is not trusted/],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /is not trusted/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', /is not trusted/],
    ['ERR_SSL_WRONG_VERSION_NUMBER', /does not speak TLS .*begin with http:\/\//],
    ['HPE_INVALID_CONSTANT', /does not speak HTTP/],
    ['ELSE', /^Nothing answers at/],
  ] as const) {
    it(`say what to do about ${code}, also which address it was`, () => {
      const error = asUnreachable(failed(code), ADDRESS, true)
      assert.ok(error !== undefined && error.message.includes('pages.example'))
      assert.match(error.message, words)
      assert.deepEqual([error.code, error.isAddressInDoubt, error instanceof TypeError], [code, true, true])
    })
  }

  it('warn that a change may have been made if the connection of a write broke', () => {
    for (const error of [failed('ECONNRESET'), failed('UND_ERR_SOCKET', 'terminated'), new TypeError('terminated')]) {
      assert.equal(asUnreachable(error, ADDRESS, true)?.message, `The connection to ${ADDRESS} broke: try again.`)
      const ofWrite = asUnreachable(error, ADDRESS, false)
      assert.match(ofWrite?.message ?? '', / broke: the change may have been made\. Look before you try again\.$/)
      assert.equal(ofWrite?.isAddressInDoubt, false)
    }
    assert.match(asUnreachable(failed('UND_ERR_HEADERS_TIMEOUT'), ADDRESS, false)?.message ?? '', /in time: the change/)
  })

  it('are for browsers too, which tell no code', () => {
    for (const said of ['Failed to fetch', 'Load failed', 'NetworkError when attempting to fetch resource.'])
      assert.match(
        asUnreachable(new TypeError(said), ADDRESS, true)?.message ?? '',
        /^Nothing answers at https:\S+ \(in a web page, the key must name the origin of the page\)\./,
      )
  })

  it('are for no other error', () => {
    for (const error of [new TypeError('x is not a function'), new Error('fetch failed'), undefined])
      assert.equal(asUnreachable(error, ADDRESS, true), undefined)
  })

  async function failureOf(call: Promise<unknown>): Promise<string> {
    const [outcome] = await Promise.allSettled([call])
    assert.ok(outcome?.status === 'rejected' && outcome.reason instanceof Unreachable)
    return outcome.reason.message
  }

  it('come with a call of the client that is refused, that breaks, or whose answer breaks off', async () => {
    const half: RequestListener = (request, response) => {
      if (request.url?.includes('/me') === true) {
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' })
        response.write('{', () => response.destroy())
      } else request.socket.destroy()
    }
    const server = createServer(half)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, key: 'any', retries: 0 })
    const read = async (from = client) => await failureOf(from.GET('/me'))
    const write = async (query: { dryRun?: boolean }) =>
      await failureOf(client.POST('/pages', { params: { query }, body: { path: '/a', html: 'a' } }))
    assert.match(await read(), /^The connection to http:\S+ broke: try again\.$/)
    assert.match(await write({}), /the change may have been made/)
    assert.match(await write({ dryRun: true }), /try again\.$/)
    const secure = createClient({ baseUrl: `https://127.0.0.1:${port}`, retries: 0 })
    assert.match(await read(secure), /does not speak TLS/)
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
    assert.match(await read(), /^Nothing answers at http:\S+ \(ECONNREFUSED\)/)
  })
})
