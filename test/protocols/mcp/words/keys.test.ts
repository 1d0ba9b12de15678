import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { buildOpenApi } from '../../../../src/protocols/api/openapi/openapi.js'
import { shortText } from '../../../../src/protocols/mcp/text/short-text.js'
import { startTestService, type TestService } from '../../../support/service.js'
import { connectHttp, textOf } from '../clients.js'

describe('what an agent learns about itself and the service', () => {
  let service: TestService
  before(async () => (service = await startTestService('about-keys')))
  after(() => service.stop())

  it('is every limit of its key: scopes, sites by slug, paths and expiry', async () => {
    const expiresAt = '2999-01-01T00:00:00Z'
    const limits = { scopes: ['write'], sites: [service.site.id], paths: ['/blog/*', '/about'], expiresAt } as const
    const { key } = await service.mint({
      ...limits,
      scopes: ['write'],
      sites: [...limits.sites],
      paths: [...limits.paths],
    })
    const agent = await connectHttp(service.origin, key, 'modern')
    const said = textOf(await agent.callTool({ name: 'get_me', arguments: {} }))
    await agent.close()
    assert.match(
      said,
      /^key=\S+ may read, write on the sites about-keys of the workspace \S+, writing only to \/blog\/\* \/about, until 2999-01-01T00:00:00\S*, called "/,
    )
  })

  it('is said of a key without limits too, and by a service that knows fewer fields', () => {
    const me = { key: { id: 'k', label: 'l', sites: null }, scopes: ['read'], workspace: { id: 'w' } }
    assert.equal(shortText('me', me, 2000), 'key=k may read on all sites of the workspace w, called "l"')
  })

  it('is the version of the package', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    const agent = await connectHttp(service.origin, service.key, 'modern')
    assert.equal(agent.getServerVersion()?.version, version)
    await agent.close()
    assert.equal((buildOpenApi('http://localhost') as { info: { version: string } }).info.version, version)
  })
})
