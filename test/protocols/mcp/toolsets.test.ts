import assert from 'node:assert/strict'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { startTestService, type TestService } from '../../support/service.js'

describe('a toolset', () => {
  let service: TestService
  before(async () => (service = await startTestService()))
  after(() => service.stop())

  const overHttp = (toolset: string) =>
    new StreamableHTTPClientTransport(new URL(`${service.origin}/mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${service.key}`, 'X-Toolset': toolset } },
    })
  const overStdio = (toolset: string) =>
    new StdioClientTransport({
      command: process.execPath,
      args: ['dist/program/bin/palimpsest.js', 'mcp', '--toolset', toolset],
      env: { BASE_URL: service.origin, SERVICE_API_TOKEN: service.key },
      stderr: 'pipe',
    })

  it('offers only its own tools, chosen by a header field or an option', async () => {
    for (const transport of [overHttp('pages'), overStdio('pages')]) {
      const client = new Client({ name: 'test', version: '1' })
      await client.connect(transport)
      const names = (await client.listTools()).tools.map(({ name }) => name)
      assert.ok(names.includes('edit_page') && !names.includes('create_record'), names.join())
      await client.callTool({ name: 'list_pages', arguments: {} })
      await assert.rejects(
        client.callTool({ name: 'create_record', arguments: {} }),
        /There is no tool "create_record"/,
      )
      await client.close()
    }
  })

  it('is taken from the key if neither header field nor option names one', async () => {
    const { key } = await service.mint({ toolset: 'pages' })
    const env = { BASE_URL: service.origin, SERVICE_API_TOKEN: key }
    const args = ['dist/program/bin/palimpsest.js', 'mcp']
    const headers = { Authorization: `Bearer ${key}` }
    const url = new URL(`${service.origin}/mcp`)
    for (const [transport, offered] of [
      [new StreamableHTTPClientTransport(url, { requestInit: { headers } }), 'pages'],
      [new StreamableHTTPClientTransport(url, { requestInit: { headers: { ...headers, 'X-Toolset': 'all' } } }), 'all'],
      [new StdioClientTransport({ command: process.execPath, args, env, stderr: 'pipe' }), 'pages'],
    ] as const) {
      const client = new Client({ name: 'test', version: '1' })
      await client.connect(transport)
      const { tools } = await client.listTools()
      assert.equal(tools.some(({ name }) => name === 'create_record') ? 'all' : 'pages', offered)
      await client.close()
    }
  })

  it('leaves out the tools that the key may not use, over HTTP and on standard input', async () => {
    const env = (key: string) => ({ BASE_URL: service.origin, SERVICE_API_TOKEN: key })
    const args = ['dist/program/bin/palimpsest.js', 'mcp']
    const url = new URL(`${service.origin}/mcp`)
    const [reading, proposing, writing] = ['list_pages', 'create_record', 'withdraw_version']
    for (const [scope, offered] of [
      ['read', [reading]],
      ['propose', [reading, proposing]],
      ['write', [reading, proposing, writing]],
      ['admin', [reading, proposing, writing, 'create_site']],
    ] as const) {
      const { key } = await service.mint({ scopes: [scope] })
      for (const transport of [
        new StreamableHTTPClientTransport(url, { requestInit: { headers: { Authorization: `Bearer ${key}` } } }),
        new StdioClientTransport({ command: process.execPath, args, env: env(key), stderr: 'pipe' }),
      ]) {
        const client = new Client({ name: 'test', version: '1' })
        await client.connect(transport)
        const names = (await client.listTools()).tools.map(({ name }) => name)
        const known = [reading, proposing, writing, 'create_site'].filter((name) => names.includes(name))
        assert.deepEqual(known, offered)
        await client.close()
      }
    }
  })

  it('costs a model that only reads at most 2,600 tokens', async () => {
    const { key } = await service.mint({ scopes: ['read'] })
    const client = new Client({ name: 'test', version: '1' })
    const headers = { Authorization: `Bearer ${key}` }
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${service.origin}/mcp`), { requestInit: { headers } }),
    )
    const { tools } = await client.listTools()
    const seen = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
    assert.ok(Buffer.byteLength(JSON.stringify(seen)) / 4 <= 2600)
    assert.ok(tools.every(({ annotations }) => annotations?.readOnlyHint === true))
    await client.close()
  })

  it('is refused if it does not exist, with a list of the existing ones', async () => {
    const client = new Client({ name: 'test', version: '1' })
    await assert.rejects(client.connect(overHttp('nothing')), /all or pages|400/)
    await assert.rejects(client.connect(overStdio('nothing')))
  })
})
