import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MAIN } from '../scenarios/commands.js'
import { answerConsent, TestBrowser } from '../support/people/connect-agent.js'
import { signInAs, type SignedIn } from '../support/people/sign-in-as.js'
import { startOwnService, type TestService } from '../support/service.js'
import { until } from '../support/within.js'
import { startOnTerminal } from './on-terminal.js'

describe('palimpsest login, by browser,', () => {
  let service: TestService
  let editor: SignedIn
  let folder: string
  let env: NodeJS.ProcessEnv

  before(async () => {
    service = await startOwnService()
    editor = await signInAs(service, 'editor', { name: 'Edda' })
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-browser-'))
    env = { PATH: process.env['PATH'], HOME: folder, PALIMPSEST_URL: `http://localhost:${service.server.port}` }
  })
  after(async () => {
    rmSync(folder, { recursive: true, force: true })
    await service.stop()
  })

  const choice = (scope = 'write') => ({ allow: true, workspaceId: service.workspaceId, scope, sites: null })
  const agents = async () => (await editor.send('get', '/agents').expect(200)).body.data as { client: string }[]
  const credentials = () => join(folder, '.config/palimpsest/credentials.json')

  async function run(args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
    const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    const [code] = (await once(child, 'close')) as [number | null]
    return { code, stdout, stderr }
  }

  it('opens the consent of this machine, and acts for the person until logout', async () => {
    // There is no such display: the address on the terminal is what remains.
    const terminal = startOnTerminal(['login'], { env: { ...env, DISPLAY: ':99' } })
    await terminal.shows('&state=')
    const [shown = ''] = /http:\/\/localhost:\d+\/oauth\/authorize\?\S+/.exec(terminal.seen()) ?? []
    const browser = new TestBrowser(service, editor.cookie)
    const asked = await browser.visit(shown)
    const back = await answerConsent(browser, asked.headers.get('Location') ?? '', choice())
    assert.equal(back.hostname, '127.0.0.1')
    assert.match(await (await fetch(back)).text(), /You are signed in/)
    const { code, stdout } = await terminal.ended
    assert.equal(code, 0, stdout)
    assert.match(stdout, /Logged in to \S+ as "Edda" \(read, write\)/)
    assert.equal((await run(['pages'])).code, 0)
    assert.match((await agents())[0]?.client ?? '', /^palimpsest on /)
    assert.match((await run(['logout'])).stdout, /is removed here and has ended/)
    assert.deepEqual(await agents(), [])
  })

  it('makes sites for an owner who allows it, and tells one who did not what to do', async () => {
    const owner = await signInAs(service, 'owner', { name: 'Olga' })
    const browser = new TestBrowser(service, owner.cookie)
    for (const scope of ['write', 'sites']) {
      const child = spawn(process.execPath, [MAIN, 'login', '--device'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
      const [said] = (await once(child.stderr, 'data')) as [Buffer]
      const [, url = ''] = /Open (\S+) in a browser/.exec(said.toString()) ?? []
      await allowDevice(browser, url, choice(scope))
      assert.deepEqual(await once(child, 'close'), [0, null])
      const made = await run(['sites', 'create', 'of-olga'])
      if (scope === 'sites') assert.equal(made.code, 0, made.stderr)
      else assert.match(made.stderr, /allow "Read, write, and make sites".*\n? *Run ".*login" again/)
      assert.equal((await run(['logout'])).code, 0)
    }
    await owner.send('get', '/sites').expect(({ body }) => assert.match(JSON.stringify(body), /of-olga/))
  })

  it('takes no code with the state of another request, and none from another issuer', async () => {
    const terminal = startOnTerminal(['login'], { env: { ...env, DISPLAY: ':99' } })
    await terminal.shows('&state=')
    const [shown = ''] = /http:\/\/localhost:\d+\/oauth\/authorize\?\S+/.exec(terminal.seen()) ?? []
    const { searchParams: asked, origin } = new URL(shown)
    const back = async (state: string, iss: string) =>
      await fetch(`${asked.get('redirect_uri')}?${new URLSearchParams({ code: 'planted', state, iss }).toString()}`)
    assert.equal((await back('another', origin)).status, 404)
    assert.equal((await back(asked.get('state') ?? '', 'https://evil.example')).status, 400)
    const { code, stdout } = await terminal.ended
    assert.notEqual(code, 0)
    assert.match(stdout, /did not sign you in: wrong issuer/)
  })

  it('shows a code for the browser of another machine', async () => {
    const child = spawn(process.execPath, [MAIN, 'login', '--device'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    const [said] = (await once(child.stderr, 'data')) as [Buffer]
    const [, url = ''] = /Open (\S+) in a browser/.exec(said.toString()) ?? []
    const browser = new TestBrowser(service, editor.cookie)
    await allowDevice(browser, url, choice())
    const [code] = (await once(child, 'close')) as [number | null]
    assert.equal(code, 0)
    assert.equal((await run(['pages'])).code, 0)
  })

  it('renews its token once, whatever number of commands find it expired', async () => {
    const logins = JSON.parse(readFileSync(credentials(), 'utf8')) as Record<string, { expiresAt: string }>
    for (const login of Object.values(logins)) login.expiresAt = '2026-01-01T00:00:00Z'
    writeFileSync(credentials(), JSON.stringify(logins))
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => run(['pages'])))
    assert.deepEqual(
      outcomes.map(({ code, stderr }) => [code, stderr]),
      outcomes.map(() => [0, '']),
    )
    assert.equal((await agents()).length, 1)
  })

  it('says that a login has ended in the dashboard, and how to begin another', async () => {
    const [agent] = (await editor.send('get', '/agents').expect(200)).body.data as { id: string }[]
    await editor.send('delete', `/agents/${agent?.id}`).expect(200)
    const { code, stderr } = await run(['pages'])
    assert.equal(code, 1)
    assert.match(stderr, /run ".*palimpsest.* login"/)
  })

  it('says why the service registers no further program', async () => {
    const { port } = service.server
    const register = async () =>
      await fetch(`http://localhost:${port}/oauth/register`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ client_name: 'one of many', redirect_uris: ['http://127.0.0.1/callback'] }),
      })
    await until(register, ({ status }) => status === 429)
    const { code, stderr } = await run(['login', '--device'])
    assert.equal(code, 2)
    assert.match(stderr, /^palimpsest: The service did not sign you in: Too many programs register from this address/)
  })
})

/** Types the code, says that it is the same, and allows it, as a person does. */
async function allowDevice(browser: TestBrowser, url: string, choice: object): Promise<void> {
  const secretIn = (html: string) => /name="xsrf" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const code = new URL(url).searchParams.get('user_code') ?? ''
  const send = async (fields: Record<string, string>) =>
    await browser.visit('/oauth/device', { method: 'POST', body: new URLSearchParams(fields) })
  const form = await (await browser.visit(url)).text()
  const same = await (await send({ xsrf: secretIn(form), user_code: code })).text()
  const asked = await send({ xsrf: secretIn(same), user_code: code, confirm: 'yes' })
  const answered = await browser.ask(`${asked.headers.get('Location')}/answer`, choice)
  const { data } = (await answered.json()) as { data: { goTo: string } }
  await browser.visit(data.goTo)
}
