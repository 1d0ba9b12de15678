import assert from 'node:assert/strict'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { InvalidConfiguration, loadConfig } from '../../../src/processes/config/config.js'
import { inNetworks } from '../../../src/model/hosts/networks.js'
import { clientAddressOf } from '../../../src/protocols/http/trusted-proxies.js'

describe('the address of a client behind proxies', () => {
  /** The client address that the service derives for a request from 127.0.0.1 with these fields. */
  async function clientOf(proxies: string, ...fields: string[]): Promise<string | undefined> {
    const { trustedProxies } = loadConfig({ TRUSTED_PROXIES: proxies })
    let client: string | undefined
    const server = createServer((asked, answer) => {
      client = clientAddressOf(asked, inNetworks(trustedProxies))
      answer.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise((resolve, reject) => {
      const asked = request({ port, headers: fields.length > 0 ? { 'X-Forwarded-For': fields } : {} }, (answer) =>
        answer.resume().once('end', resolve),
      )
      asked.once('error', reject).end()
    })
    await new Promise((resolve) => server.close(resolve))
    return client
  }

  it("is the peer's own, unless the peer is a trusted proxy", async () => {
    assert.equal(await clientOf('', '203.0.113.9'), '127.0.0.1')
    assert.equal(await clientOf('10.0.0.0/8', '203.0.113.9'), '127.0.0.1')
    assert.equal(await clientOf('127.0.0.1', '203.0.113.9'), '203.0.113.9')
    assert.equal(await clientOf('127.0.0.1'), '127.0.0.1')
  })

  it('is the last one in X-Forwarded-For that is not of a trusted proxy, so that a client cannot forge it', async () => {
    assert.equal(await clientOf('127.0.0.1, 10.0.0.0/8', '198.51.100.1, 203.0.113.9, 10.1.2.3'), '203.0.113.9')
    assert.equal(await clientOf('127.0.0.1', '198.51.100.1', '203.0.113.9'), '203.0.113.9')
    assert.equal(await clientOf('127.0.0.0/8,2001:db8::/32', '2001:db9::1, 2001:db8::1'), '2001:db9::1')
    assert.equal(await clientOf('127.0.0.1', '203.0.113.9, unknown'), '127.0.0.1')
    assert.equal(await clientOf('127.0.0.1,10.0.0.0/8', '10.0.0.1'), '10.0.0.1')
  })

  it('makes the start fail if TRUSTED_PROXIES holds neither addresses nor networks', () => {
    for (const wrong of ['10.0.0.0/33', 'proxy.example', '10.0.0', '10', '::1/129', '10.0.0.0/-1']) {
      assert.throws(() => loadConfig({ TRUSTED_PROXIES: wrong }), InvalidConfiguration, wrong)
    }
  })
})
