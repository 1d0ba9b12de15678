import assert from 'node:assert/strict'
import { TOOLS } from '../../../../src/protocols/mcp/tools/tool-table.js'
import { startTestService, type TestService } from '../../../support/service.js'
import { connectHttp, connectStdio, succeed, textOf, type ToolCaller } from '../clients.js'
import { connectOlder, OLDER_VERSIONS } from '../older-clients.js'
import { NOBODYS, PLAUSIBLE } from './plausible.js'
import { type ListedSchema, strictly } from './strictly.js'
import { type Call, useEveryTool } from './use-every-tool.js'

interface ToolClient extends ToolCaller {
  listTools(): Promise<{ tools: { name: string; inputSchema: unknown }[] }>
  close(): Promise<void>
}

describe('every tool, used and refused,', () => {
  let service: TestService
  let key: string
  before(async () => {
    service = await startTestService('every-tool')
    key = (await service.mint({ scopes: ['admin'] })).key
  })
  after(() => service.stop())

  const clients: Record<string, () => Promise<ToolClient>> = {
    'SDK 2 over HTTP, in the handshake of 2025': () => connectHttp(service.origin, key, 'legacy'),
    'SDK 2 over HTTP, in the protocol of 2026': () => connectHttp(service.origin, key, 'modern'),
    'SDK 2 over standard input and output': () =>
      connectStdio({ BASE_URL: service.origin, SERVICE_API_TOKEN: key }, 'modern'),
  }
  for (const version of OLDER_VERSIONS) {
    // The transport makes no difference to them: older-clients.test.ts has both.
    clients[`SDK ${version}, after it has listed the tools`] = () =>
      connectOlder(version, { origin: service.origin, key, transport: 'http' })
  }
  for (const [name, connect] of Object.entries(clients)) {
    it(`works with ${name}`, async () => {
      const client = await connect()
      try {
        await useAll((tool, given) => succeed(client, tool, given))
        await refuseEveryTool(client, (await client.listTools()).tools)
      } finally {
        await client.close()
      }
    })
  }

  it('works for a model that may only write what the list of tools has, and writes null for what it leaves out', async () => {
    const client = await connectHttp(service.origin, key, 'modern')
    const schemas = new Map(
      (await client.listTools()).tools.map((tool) => [tool.name, tool.inputSchema as ListedSchema]),
    )
    await useAll((tool, given) =>
      succeed(client, tool, strictly(given, schemas.get(tool), tool) as Record<string, unknown>),
    )
    await client.close()
  })

  it('offers pages as resources, and the prompts', async () => {
    const client = await connectHttp(service.origin, service.key, 'modern')
    const { resources } = await client.listResources()
    assert.ok(resources.some(({ uri }) => uri === 'palimpsest://every-tool/'))
    const { contents } = await client.readResource({ uri: 'palimpsest://every-tool/' })
    const visited = await service.visit('/')
    assert.deepEqual(contents, [{ uri: 'palimpsest://every-tool/', mimeType: 'text/html', text: visited.text }])
    await assert.rejects(client.readResource({ uri: 'palimpsest://every-tool/none' }), { code: -32602 })
    const { messages } = await client.getPrompt({ name: 'publish', arguments: { about: 'our shop' } })
    assert.match(JSON.stringify(messages), /our shop.*create_page/)
    const { prompts } = await client.listPrompts()
    assert.deepEqual(
      prompts.map(({ name }) => name),
      ['publish', 'propose'],
    )
    const proposal = await client.getPrompt({ name: 'propose', arguments: { about: 'new hours' } })
    assert.match(JSON.stringify(proposal.messages), /new hours.*changeRequest=.*edit_change_request.*approval/)
    await client.close()
  })

  it('lists the pages of all sites as resources, part by part', async () => {
    const admin = await service.mint({ scopes: ['admin'] })
    await service.api(admin.key).post('/sites').send({ slug: 'second-tool' }).expect(201)
    const client = await connectHttp(service.origin, service.key, 'modern')
    const uris: string[] = []
    let cursor: string | undefined
    do {
      const part = await client.listResources(cursor === undefined ? {} : { cursor })
      uris.push(...part.resources.map(({ uri }) => uri))
      cursor = part.nextCursor
    } while (cursor !== undefined)
    assert.deepEqual([uris.includes('palimpsest://every-tool/'), new Set(uris).size], [true, uris.length])
    await client.close()
  })
})

/** Calls every tool, also a new one: it must be used in useEveryTool. */
async function useAll(call: Call): Promise<void> {
  const called = new Set<string>()
  await useEveryTool((name, given) => call(name, (called.add(name), given)))
  assert.deepEqual([...called].toSorted(), TOOLS.map(({ name }) => name).toSorted())
}

interface ListedTool {
  name: string
  inputSchema: { properties?: Record<string, unknown>; required?: string[] }
}

/** Calls every tool with unknown arguments, and with a workspace that does not exist, and checks both refusals. */
async function refuseEveryTool(client: ToolCaller, tools: readonly unknown[]): Promise<void> {
  for (const { name, inputSchema } of tools as ListedTool[]) {
    const { properties = {}, required = [] } = inputSchema
    const wrong = await client.callTool({ name, arguments: { nonsense: 1 } })
    assert.equal(wrong.isError, true, name)
    assert.match(textOf(wrong), /^invalid_arguments: [^]*nonsense[^]*\nNext: /, name)
    if (!('accountId' in properties)) continue
    const given = Object.fromEntries(required.map((field) => [field, PLAUSIBLE[field] ?? 'x']))
    const refused = await client.callTool({ name, arguments: { ...given, accountId: NOBODYS } })
    assert.equal(refused.isError, true, name)
    assert.match(textOf(refused), /^workspace_not_found: [^]*\nNext: /, name)
  }
}
