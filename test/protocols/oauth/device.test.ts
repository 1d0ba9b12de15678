import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { postForm, registerClient, TestBrowser, type Tokens } from '../../support/people/connect-agent.js'
import { signInAs } from '../../support/people/sign-in-as.js'
import { startOwnService, type TestService } from '../../support/service.js'

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

interface DeviceCode {
  device_code: string
  user_code: string
  verification_uri: string
  verification_uri_complete: string
}

describe('a program without a browser', () => {
  let service: TestService
  before(async () => (service = await startOwnService()))
  after(() => service.stop())

  const poll = async (clientId: string, code: string) =>
    await postForm(service, '/oauth/token', { grant_type: DEVICE_GRANT, client_id: clientId, device_code: code })
  const errorOf = async (answer: Response) => ((await answer.json()) as { error: string }).error

  async function begin(): Promise<DeviceCode & { clientId: string }> {
    const clientId = await registerClient(service, { redirect_uris: [], grant_types: [DEVICE_GRANT, 'refresh_token'] })
    const fields = {
      client_id: clientId,
      scope: 'write',
      resource: `http://localhost:${service.server.port}/api/v1`,
    }
    const answer = await postForm(service, '/oauth/device-code', fields)
    assert.equal(answer.status, 200)
    return { ...((await answer.json()) as DeviceCode), clientId }
  }

  const secretIn = (html: string) => /name="xsrf" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const send = async (browser: TestBrowser, fields: Record<string, string>) =>
    await browser.visit('/oauth/device', { method: 'POST', body: new URLSearchParams(fields) })

  it('gets tokens once its person has confirmed its code and allowed it', async () => {
    const editor = await signInAs(service, 'editor')
    const { clientId, device_code: code, user_code: userCode, verification_uri_complete: url } = await begin()
    assert.equal(await errorOf(await poll(clientId, code)), 'authorization_pending')
    const browser = new TestBrowser(service, editor.cookie)
    const form = await (await browser.visit(url)).text()
    assert.ok(form.includes(`name="user_code" value="${userCode}"`), form)
    assert.ok(!form.includes('<script'))
    // The code came in the address: nobody types it again.
    assert.match(form, /Is it your program\?/)
    assert.match(form, /Test agent/)
    const asked = await send(browser, { xsrf: secretIn(form), user_code: userCode, confirm: 'yes' })
    const path = asked.headers.get('Location') ?? ''
    assert.match(path, /^\/oauth\/consent\//, await asked.text())
    const answered = await browser.ask(`${path}/answer`, {
      allow: true,
      workspaceId: service.workspaceId,
      scope: 'read',
      sites: null,
    })
    const { data } = (await answered.json()) as { data: { goTo: string } }
    assert.match(await (await browser.visit(data.goTo)).text(), /is connected/)
    const answer = await poll(clientId, code)
    const tokens = (await answer.json()) as Tokens
    assert.equal(answer.status, 200, JSON.stringify(tokens))
    await service.api(tokens.access_token).get('/pages').expect(200)
    assert.equal((await poll(clientId, code)).status, 400)
  })

  it('is connected on pages with the colours of the dashboard', async () => {
    const page = await (await new TestBrowser(service).visit('/oauth/device')).text()
    const coloursIn = (style: string) =>
      style
        .split('@media (prefers-color-scheme: dark)')
        .map(
          (part) =>
            new Map([...part.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value])),
        )
    const [light, dark] = coloursIn(readFileSync('dashboard/src/styles/tokens.css', 'utf8'))
    const [ownLight, ownDark] = coloursIn(page)
    assert.ok(ownLight !== undefined && ownDark !== undefined && ownLight.size > 8)
    assert.deepEqual([...ownDark.keys()], [...ownLight.keys()])
    for (const [own, dashboard] of [
      [ownLight, light],
      [ownDark, dark],
    ] as const)
      for (const [name, value] of own) assert.equal(value, dashboard?.get(name), name)
  })

  it('gets nothing when its person stops, or by a code of nobody', async () => {
    const { clientId, device_code: code, user_code: userCode } = await begin()
    const browser = new TestBrowser(service)
    const form = await (await browser.visit('/oauth/device')).text()
    const unknown = await (await browser.visit('/oauth/device?user_code=BBBB-BBBB')).text()
    assert.match(unknown, /Code that the program shows/)
    const wrong = await (await send(browser, { xsrf: secretIn(form), user_code: 'BBBB-BBBB' })).text()
    assert.match(wrong, /This code is wrong/)
    await send(browser, { xsrf: secretIn(wrong), user_code: userCode, abort: 'yes' })
    const over = await (await browser.visit(`/oauth/device?user_code=${userCode}`)).text()
    assert.match(over, /Code that the program shows/)
    assert.equal(await errorOf(await poll(clientId, code)), 'access_denied')
  })
})
