// A client that names a remote cannot make the service connect to private addresses, in any spelling, through any endpoint that
// takes a URL.

import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { MirrorData } from '../../../schemas/mirrors.js'
import type { SiteData } from '../../../schemas/sites.js'
import { startTestService, type TestService } from '../../support/service.js'
import { dataIn } from './mirror-ground.js'
import { until } from '../../support/within.js'

const REFUSAL = /has no public address/
/** Loopback, as parsers of URLs and resolvers of names read them. */
const LOOPBACK =
  `127.0.0.1 127.1 127.0.0.1. 127.255.255.254 2130706433 0x7f000001 0x7f.1 017700000001 0177.0.0.1 localhost localhost. 0.0.0.0 0
  [::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [64:ff9b::7f00:1] [2002:7f00:1::]`.split(/\s+/)
const OTHERS =
  `10.0.0.1 172.16.0.1 192.168.1.1 100.64.0.1 169.254.169.254 2852039166 [fe80::1] [fd00::1] [fec0::1] [ff02::1]
  [::ffff:169.254.169.254]`.split(/\s+/)

describe('an address that is not public', () => {
  let service: TestService
  let admin: string
  let inside: Server
  let connections = 0
  let urls: string[]

  before(async () => {
    inside = createServer((socket) => {
      connections += 1
      socket.destroy()
    })
    await new Promise<void>((resolve) => inside.listen(0, '::', resolve))
    const { port } = inside.address() as AddressInfo
    service = await startTestService()
    admin = (await service.mint({ scopes: ['admin'] })).key
    const hosts = [...LOOPBACK.map((host) => `${host}:${port}`), ...OTHERS]
    urls = [...hosts.map((host) => `https://${host}/site.git`), `http://127.0.0.1:${port}/site.git`]
  })
  after(async () => {
    await service.stop()
    inside.close()
  })
  afterEach(() => assert.equal(connections, 0))

  const api = () => service.api(admin)

  it('cannot be imported from, in any spelling', async () => {
    for (const [n, importUrl] of urls.entries()) {
      const { id } = dataIn<SiteData>(
        await api()
          .post('/sites')
          .send({ slug: `from-${n}`, importUrl })
          .expect(202),
      )
      const look = async () => dataIn<SiteData>(await api().get(`/sites/${id}`).expect(200))
      const { import: seen } = await until(look, ({ state }) => state !== 'importing')
      assert.match(seen?.error ?? '', REFUSAL, importUrl)
    }
  })

  it('cannot be mirrored to, in any spelling', async () => {
    const path = `/sites/${service.site.id}/mirror`
    for (const url of urls) {
      await api().put(path).send({ url }).expect(200)
      const look = async () => dataIn<MirrorData>(await api().get(path).expect(200))
      const { error } = await until(look, ({ state }) => state !== 'behind')
      assert.match(error ?? '', REFUSAL, url)
    }
  })
})
