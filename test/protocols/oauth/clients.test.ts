import assert from 'node:assert/strict'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as ClientOf112 } from 'mcp-sdk-1.12/client/index.js'
import { StreamableHTTPClientTransport as HttpOf112 } from 'mcp-sdk-1.12/client/streamableHttp.js'
import { Client as NewestClient } from 'mcp-sdk-newest/client/index.js'
import { StreamableHTTPClientTransport as NewestHttp } from 'mcp-sdk-newest/client/streamableHttp.js'
import { answerConsent, CALLBACK, TestBrowser } from '../../support/people/connect-agent.js'
import { signInAs, type SignedIn } from '../../support/people/sign-in-as.js'
import { startOwnService, type TestService } from '../../support/service.js'
import type { ToolResult } from '../mcp/clients.js'

interface AnyClient {
  connect(transport: object): Promise<void>
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<ToolResult>
  listTools(): Promise<{ tools: { name: string }[] }>
  close(): Promise<void>
}

type FinishAuth = (code: string, iss?: string) => Promise<void>
interface AnySdk {
  Client: new (implementation: { name: string; version: string }) => AnyClient
  Http: new (url: URL, options: { authProvider: object }) => { finishAuth: FinishAuth }
}

const SDKS = {
  '1.12': { Client: ClientOf112, Http: HttpOf112 } as unknown as AnySdk,
  'newest of version 1': { Client: NewestClient, Http: NewestHttp } as unknown as AnySdk,
  '2': { Client, Http: StreamableHTTPClientTransport } as unknown as AnySdk,
}

/** Keeps what a host keeps for a server. The person's browser is one of the tests. */
class HostMemory {
  #client: object | undefined
  #tokens: object | undefined
  #verifier = ''
  /** Where the host sent the browser last. */
  sentTo: URL | undefined
  readonly redirectUrl = CALLBACK
  readonly clientMetadata = { client_name: 'A host', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' }
  clientInformation = () => this.#client
  saveClientInformation = (client: object) => void (this.#client = client)
  tokens = () => this.#tokens
  saveTokens = (tokens: object) => void (this.#tokens = tokens)
  redirectToAuthorization = (url: URL) => void (this.sentTo = url)
  saveCodeVerifier = (verifier: string) => void (this.#verifier = verifier)
  codeVerifier = () => this.#verifier
}

describe('clients of the tool protocol that sign in by OAuth', () => {
  let service: TestService
  let editor: SignedIn
  const printed: unknown[] = []
  const { warn, info, log } = console

  before(async () => {
    const note = (...words: unknown[]) => void printed.push(words)
    Object.assign(console, { warn: note, info: note, log: note })
    service = await startOwnService()
    editor = await signInAs(service, 'editor')
  })
  after(async () => {
    Object.assign(console, { warn, info, log })
    await service.stop()
  })

  /** Does what the person does in the browser, from the host's link to the address where the host waits. */
  async function consent(url: URL | undefined, scope: string): Promise<URL> {
    const browser = new TestBrowser(service, editor.cookie)
    const asked = await browser.visit(url?.href ?? '')
    const path = asked.headers.get('Location') ?? ''
    assert.match(path, /^\/oauth\/consent\//, await asked.text())
    const page = await browser.visit(path)
    assert.match(page.headers.get('Location') ?? '', /^\/consent\//)
    const shown = (await (await browser.ask(path)).json()) as { data: { client: string; goesTo: string } }
    assert.equal(shown.data.client, 'A host')
    assert.equal(shown.data.goesTo, '127.0.0.1:7777')
    return await answerConsent(browser, path, { allow: true, workspaceId: service.workspaceId, scope })
  }

  for (const [version, { Client: AClient, Http }] of Object.entries(SDKS)) {
    it(`publishes a page without a key, by SDK ${version}`, async () => {
      const memory = new HostMemory()
      const address = new URL(`http://localhost:${service.server.port}/mcp`)
      const first = new Http(address, { authProvider: memory })
      await assert.rejects(new AClient({ name: 'host', version: '1' }).connect(first), /nauthorized/)
      const back = (await consent(memory.sentTo, 'write')).searchParams
      await first.finishAuth(back.get('code') ?? '', back.get('iss') ?? undefined)
      const client = new AClient({ name: 'host', version: '1' })
      await client.connect(new Http(address, { authProvider: memory }))
      const path = `/by-sdk-${version.replaceAll(/\W/g, '-')}`
      const made = await client.callTool({ name: 'create_page', arguments: { path, html: '<p>by OAuth</p>' } })
      assert.notEqual(made.isError, true, JSON.stringify(made.content))
      await service.visit(path).expect(200)
      await client.close()
    })
  }

  for (const [version, { Client: AClient, Http }] of Object.entries(SDKS)) {
    it(`lists what its person allowed, and tells the model why a write is refused, by SDK ${version}`, async () => {
      const memory = new HostMemory()
      const address = new URL(`http://localhost:${service.server.port}/mcp`)
      const first = new Http(address, { authProvider: memory })
      await assert.rejects(new AClient({ name: 'host', version: '1' }).connect(first))
      const back = (await consent(memory.sentTo, 'read')).searchParams
      await first.finishAuth(back.get('code') ?? '', back.get('iss') ?? undefined)
      const client = new AClient({ name: 'host', version: '1' })
      await client.connect(new Http(address, { authProvider: memory }))
      const names = (await client.listTools()).tools.map(({ name }) => name)
      assert.ok(names.includes('get_page') && !names.includes('create_page'), names.join())
      memory.sentTo = undefined
      const write = { name: 'create_page', arguments: { path: '/never', html: '<p>x</p>' } }
      const refused = await client.callTool(write)
      assert.equal(refused.isError, true)
      assert.match(refused.content[0]?.text ?? '', /^insufficient_scope: .*"Read and write"/)
      assert.equal(memory.sentTo, undefined, 'the person is asked again')
      await service.visit('/never').expect(404)
      await client.close()
    })
  }

  it('prints nothing but what the SDK says', () => {
    assert.deepEqual(
      printed.filter((words) => !String(words).startsWith('[mcp-sdk]')),
      [],
    )
  })
})
