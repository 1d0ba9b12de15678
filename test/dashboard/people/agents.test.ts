import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import {
  authorizeUrl,
  exchange,
  newVerifier,
  postForm,
  registerClient,
  type Tokens,
} from '../../support/people/connect-agent.js'
import { type Desk, PHONE, sitDown } from '../desk.js'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

describe('the dashboard: agents', () => {
  let desk: Desk
  let host: Server
  let redirect: string
  /** The address at which the host was visited last. */
  let visited: URL | undefined

  before(async function () {
    desk = await sitDown(this)
    host = createServer((request, response) => {
      if (request.url?.startsWith('/callback')) visited = new URL(request.url, redirect)
      response.end('Go back to your program.')
    })
    await new Promise<void>((listening) => host.listen(0, '127.0.0.1', listening))
    redirect = `http://127.0.0.1:${(host.address() as AddressInfo).port}/callback`
  })
  after(async () => {
    host?.close()
    await desk?.leave()
  })

  async function ask(tab: Page, scope?: string): Promise<{ clientId: string; verifier: string }> {
    const asked = {
      clientId: await registerClient(desk.service, { redirect_uris: [redirect] }),
      verifier: newVerifier(),
    }
    await tab.goto(desk.at(authorizeUrl({ ...asked, redirect, ...(scope !== undefined && { scope }) })))
    return asked
  }

  /** Lists the faults that axe finds: contrast, names and order of the controls. */
  const faults = async (tab: Page) => {
    await tab.evaluate(AXE)
    return await tab.evaluate<string[]>(
      `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`,
    )
  }

  const overflow = async (tab: Page) =>
    await tab.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')

  it('connects a program with what the person chooses, and disconnects it', async () => {
    const { tab } = desk
    const { clientId, verifier } = await ask(tab)
    await tab.getByRole('heading', { name: 'Connect “Test agent”?' }).waitFor()
    await tab.getByText('nobody has checked it').waitFor()
    assert.ok(await tab.getByLabel(/Read: pages/).isChecked())
    assert.ok(await tab.getByLabel('only some of them').isChecked())
    assert.ok(await tab.getByLabel('demo').isChecked())
    await tab.getByLabel('90 days').check()
    await desk.button('Allow').click()
    await tab.getByText('Go back to your program.').waitFor()
    const code = visited?.searchParams.get('code') ?? ''
    const answer = await exchange(desk.service, { clientId, verifier, code, redirect })
    const { scope } = (await answer.json()) as Tokens
    assert.equal(scope, 'read')
    await tab.goto(desk.at('/agents'))
    await tab.getByText('only demo').waitFor()
    await tab.getByText(/^with Chrome on /).waitFor()
    await desk.button('Disconnect Test agent').click()
    await desk.button('Disconnect now Test agent').click()
    await desk.said('is disconnected')
    await tab.getByText('No agents yet').waitFor()
  })

  it('shows how to connect each of four programs by the address alone, and keys behind the others', async () => {
    const { tab } = desk
    await tab.goto(desk.at('/agents'))
    for (const program of ['Claude', 'ChatGPT', 'Cursor', 'VS Code'])
      await tab.getByRole('heading', { name: program, exact: true }).waitFor()
    const settings = await tab.getByRole('region', { name: 'Settings for Cursor' }).innerText()
    assert.deepEqual(JSON.parse(settings), { mcpServers: { palimpsest: { url: desk.at('/mcp') } } })
    await tab.getByRole('region', { name: 'Command for Claude Code' }).getByText(desk.at('/mcp')).waitFor()
    assert.equal(await tab.getByRole('main').getByRole('link', { name: 'API keys' }).isVisible(), false)
    assert.deepEqual(await faults(tab), [])
    await tab.getByText('Other programs').click()
    await tab.getByRole('main').getByRole('link', { name: 'API keys' }).waitFor()
    assert.deepEqual(await faults(tab), [])
  })

  it('takes nothing checked for nothing, and all sites only where the person says so', async () => {
    const { tab } = desk
    await ask(tab)
    await tab.getByLabel('demo').uncheck()
    await desk.button('Allow').click()
    await tab.getByText('Choose the sites, or all of them.').waitFor()
    await tab.getByLabel('all of yours, also later ones').check()
    assert.equal(await tab.getByLabel('demo').count(), 0)
    assert.equal(await tab.getByText('Choose the sites, or all of them.').count(), 0)
    await desk.button('Allow').click()
    await tab.getByText('Go back to your program.').waitFor()
  })

  it('lets somebody who may make sites allow that, with all sites', async () => {
    const { tab } = desk
    const { clientId, verifier } = await ask(tab)
    await tab.getByLabel('Read, write, and make sites').check()
    await tab.getByText('It has all sites of yours').waitFor()
    assert.equal(await tab.getByLabel('only some of them').count(), 0)
    assert.deepEqual(await faults(tab), [])
    await desk.button('Allow').click()
    await tab.getByText('Go back to your program.').waitFor()
    const code = visited?.searchParams.get('code') ?? ''
    const answer = await exchange(desk.service, { clientId, verifier, code, redirect })
    assert.equal(((await answer.json()) as Tokens).scope, 'read propose write sites')
  })

  it('sends a denial back', async () => {
    const { tab } = desk
    await ask(tab)
    await desk.button('Deny').click()
    await tab.getByText('Go back to your program.').waitFor()
    assert.equal(visited?.searchParams.get('error'), 'access_denied')
  })

  it('lets somebody sign in first, and comes back', async () => {
    const tab = await (await desk.newContext()).newPage()
    await ask(tab)
    await tab.waitForURL(desk.at('/sign-in'))
    await tab.goto(await desk.link())
    await tab.getByRole('heading', { name: 'Connect “Test agent”?' }).waitFor()
    await tab.context().close()
  })

  it('connects a program without a browser by its code', async () => {
    const { tab, service } = desk
    const grant = 'urn:ietf:params:oauth:grant-type:device_code'
    const clientId = await registerClient(service, { redirect_uris: [], grant_types: [grant] })
    const begun = await postForm(service, '/oauth/device-code', { client_id: clientId, scope: 'read' })
    const { verification_uri_complete: url, user_code: code } = (await begun.json()) as Record<string, string>
    await tab.goto(url ?? '')
    await tab.getByText(code ?? '', { exact: true }).waitFor()
    assert.deepEqual(await faults(tab), [])
    await desk.button('It shows this code').click()
    await tab.getByText('It showed you a code').waitFor()
    await desk.button('Allow').click()
    await tab.getByRole('heading', { name: 'The program is connected' }).waitFor()
  })

  it('fits on a phone, in the dark', async () => {
    const tab = await desk.signIn({ ...PHONE, colorScheme: 'dark' })
    await ask(tab, 'write')
    await tab.getByRole('button', { name: 'Allow' }).waitFor()
    assert.equal(await overflow(tab), 0)
    assert.deepEqual(await faults(tab), [])
    await tab.getByRole('button', { name: 'Allow' }).click()
    await tab.getByText('Go back to your program.').waitFor()
    await tab.goto(desk.at('/agents'))
    await tab.getByText('Test agent').first().waitFor()
    assert.equal(await overflow(tab), 0)
    await tab.context().close()
  })

  it('is not shown in a frame', async () => {
    const tab = await (await desk.newContext()).newPage()
    await tab.setContent(`<iframe src="${desk.at('/consent/abc')}"></iframe>`)
    const frame = tab.frames()[1]
    await frame?.waitForLoadState()
    assert.match(frame?.url() ?? '', /^chrome-error:/)
    await tab.context().close()
  })

  it('made no complaint of the browser', () => {
    assert.deepEqual(desk.complaints, [])
  })
})
