import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { TOOLS } from '../../../src/protocols/mcp/tools/tool-table.js'
import { startTestService, type TestService } from '../../support/service.js'

interface StdioEntry {
  command: string
  args: string[]
  env: Record<string, string>
}

interface HttpEntry {
  url: string
  headers: Record<string, string>
}

interface Configuration {
  mcpServers?: Record<string, StdioEntry | HttpEntry>
  servers?: Record<string, StdioEntry | HttpEntry>
}

describe('the configurations of docs/agents.md, as they stand there', () => {
  let service: TestService
  before(async () => (service = await startTestService()))
  after(() => service.stop())

  const sections = readFileSync('docs/agents.md', 'utf8').split(/^### /m).slice(1)
  for (const section of sections) {
    const [application = ''] = section.split('\n', 1)
    it(`connect ${application} to a service that lists its tools`, async () => {
      const entry = entryOf(section)
      const client = new Client({ name: 'test', version: '1' })
      await client.connect('command' in entry ? overStdio(entry) : overHttp(entry))
      const { tools } = await client.listTools()
      await client.close()
      // The key may write, but makes no sites.
      assert.deepEqual(
        tools.map(({ name }) => name),
        TOOLS.map(({ name }) => name).filter((name) => name !== 'create_site'),
      )
    })
  }

  it('name all four applications', () => {
    const names = sections.map((section) => section.split('\n', 1)[0])
    assert.deepEqual(names, ['Claude Desktop', 'Claude Code', 'VS Code', 'Cursor'])
  })

  /** The one server that a section configures, by JSON or by a command, with this checkout, this service and its key. */
  function entryOf(section: string): StdioEntry | HttpEntry {
    const [, language, code = ''] = /^```(\w+)\n([^]*?)^```/m.exec(section) ?? []
    const here = code
      .replaceAll('/opt/palimpsest', process.cwd())
      .replaceAll('http://localhost:8080', service.origin)
      .replaceAll(/<key>|\$\{input:palimpsest-key\}|\$KEY/g, service.key)
    if (language === 'json') return entryOfJson(JSON.parse(here) as Configuration)
    const [, url = '', name = '', value = ''] = /(\S+\/mcp) --header "(\S+): ([^"]+)"/.exec(here) ?? []
    return { url, headers: { [name]: value } }
  }
})

function entryOfJson({ mcpServers, servers }: Configuration): StdioEntry | HttpEntry {
  const [entry, ...others] = Object.values(mcpServers ?? servers ?? {})
  assert.ok(entry && others.length === 0)
  return entry
}

/** Starts a program as an application does: by the command's name, with the variables of the configuration and PATH. */
function overStdio({ command, args, env }: StdioEntry): StdioClientTransport {
  return new StdioClientTransport({ command, args, env: { PATH: process.env['PATH'] ?? '', ...env }, stderr: 'pipe' })
}

function overHttp({ url, headers }: HttpEntry): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
}
