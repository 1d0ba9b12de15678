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

  it('is refused if it does not exist, with a list of the existing ones', async () => {
    const client = new Client({ name: 'test', version: '1' })
    await assert.rejects(client.connect(overHttp('nothing')), /all or pages|400/)
    await assert.rejects(client.connect(overStdio('nothing')))
  })
})
