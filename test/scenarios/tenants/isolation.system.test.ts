import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launchBrowser } from '../../support/browser.js'
import { git, withClone } from '../../support/git.js'
import { startOwnService, type TestService } from '../../support/service.js'
import { put } from '../client.js'

const SECRET = 'what the owner of demo keeps in the browser'

/** The attacked page: it keeps a secret, records the messages that it receives, and opens the URLs that it is given. */
const VICTIM = `<!doctype html><title>Victim</title><p id="secret">${SECRET}</p><script>
  window.heard = []
  window.onmessage = (event) => window.heard.push(event.origin)
  new BroadcastChannel('all').onmessage = () => window.heard.push('broadcast')
  localStorage.setItem('secret', '${SECRET}')
</script>`
const HOSTILE = '<!doctype html><title>Hostile</title><p>'
const WORKER = `self.onfetch = (event) => event.respondWith(new Response('taken over'))
self.oninstall = () => self.skipWaiting()
self.onactivate = (event) => event.waitUntil(self.clients.claim())`

/** Runs in the hostile page, with the origins of the other site and of the service; what it answers, where nothing succeeds. */
const ATTEMPTS: Record<string, [code: string, answer: unknown]> = {
  'sets a cookie for every site': [`document.cookie = 'a=1; domain=localhost'; document.cookie`, ''],
  'sets a cookie for the other site': [
    `document.cookie = 'b=1; domain=' + new URL(site).hostname; document.cookie`,
    '',
  ],
  'becomes of one origin by document.domain': [`document.domain = 'localhost'; framed(site)`, 'SecurityError'],
  'reads a frame of the other site': [`framed(site)`, 'SecurityError'],
  'reads a frame of the service': [`framed(base + '/docs')`, 'SecurityError'],
  'navigates the top of a framed page to read it': [
    `load(site).then((frame) => { frame.contentWindow.location.hash })`,
    'SecurityError',
  ],
  'fetches a page of the other site': [`fetch(site).then((answer) => answer.text())`, 'TypeError'],
  'fetches it with cookies': [`fetch(site, { credentials: 'include' }).then((answer) => answer.text())`, 'TypeError'],
  'fetches the API': [`fetch(base + '/api/v1/me', { credentials: 'include' }).then((a) => a.text())`, 'TypeError'],
  'fetches the API with a key in a header': [
    `fetch(base + '/api/v1/me', { headers: { Authorization: 'Bearer x' } }).then((a) => a.status)`,
    401,
  ],
  'writes by the API': [
    `fetch(base + '/api/v1/pages', { method: 'POST', body: '{}', credentials: 'include' }).then((a) => a.text())`,
    'TypeError',
  ],
  'reads the opaque answer': [`fetch(site, { mode: 'no-cors' }).then((answer) => answer.text())`, ''],
  'fetches the service without CORS': [`fetch(base + '/openapi.json', { mode: 'no-cors' })`, 'TypeError'],
  'runs a page of the other site as a script': [`element('script', site)`, 'error'],
  "runs the service's document as a script": [`element('script', base + '/openapi.json')`, 'error'],
  "embeds the service's style sheet": [`fetch(base + '/docs/reference.css', { mode: 'no-cors' })`, 'TypeError'],
  'asks for its storage': [`localStorage.getItem('secret')`, null],
  'asks for its databases': [`indexedDB.databases().then((all) => all.length)`, 0],
  'asks for its caches': [`caches.keys().then((all) => all.length)`, 0],
  'registers a service worker at the other site': [
    `navigator.serviceWorker.register(site + '/worker.js', { scope: site + '/' })`,
    'SecurityError',
  ],
  'registers its own for the other site': [
    `navigator.serviceWorker.register('/worker.js', { scope: site + '/' })`,
    'SecurityError',
  ],
  'calls out to all tabs': [`new BroadcastChannel('all').postMessage('x')`, undefined],
  'shares a worker of the other site': [`new SharedWorker(site + '/worker.js')`, 'SecurityError'],
  'keeps a handle on the other site': [`opened(site)`, true],
  'keeps a handle on the service': [`opened(base + '/docs')`, true],
  'reads what the browser knows of its loading': [
    `load(site).then(() => performance.getEntriesByName(site + '/')[0]?.responseStart ?? 0)`,
    0,
  ],
}

/** Functions that the attempts share. */
const TOOLS = `
  const load = (url) => new Promise((resolve) => {
    const frame = document.createElement('iframe')
    frame.onload = () => resolve(frame)
    frame.src = url
    document.body.append(frame)
  })
  const framed = (url) => load(url).then((frame) => frame.contentWindow.document.body.textContent)
  const element = (name, url) => new Promise((resolve) => {
    const made = document.createElement(name)
    made.onload = () => resolve('loaded')
    made.onerror = () => resolve('error')
    made.src = url
    document.body.append(made)
  })
  const opened = async (url) => {
    const handle = window.open(url)
    for (let tries = 0; tries < 100 && !handle.closed; tries++) await new Promise((next) => setTimeout(next, 20))
    return handle.closed
  }
`

describe('a hostile page in a browser', () => {
  let service: TestService
  let browser: Browser
  let context: BrowserContext
  let victim: Page
  let hostile: Page
  const cookies: string[] = []
  const origin = (label?: string) => `http://${label === undefined ? '' : `${label}.`}localhost:${service.server.port}`

  before(async function () {
    browser = await launchBrowser()
    service = await startOwnService()
    const { key } = await service.mint({ scopes: ['admin'] })
    await service.api(key).post('/sites').send({ slug: 'evil' }).expect(201)
    await put(service.api(), '/', VICTIM)
    await withClone(service.gitdir('evil'), (folder) => {
      writeFileSync(join(folder, 'index.html'), HOSTILE)
      writeFileSync(join(folder, 'worker.js'), WORKER)
      git(folder, 'add', '.')
      git(folder, 'commit', '--quiet', '-m', 'Attack')
      git(folder, 'push', '--quiet')
    })
    context = await browser.newContext()
    // A session cookie as the service sets it.
    await context.addCookies([{ name: 'session', value: 'x', url: origin(), httpOnly: true, sameSite: 'Lax' }])
    context.on('request', (request) => {
      void request.allHeaders().then(({ cookie }) => cookie !== undefined && cookies.push(`${request.url()} ${cookie}`))
    })
    victim = await context.newPage()
    await victim.goto(origin('demo'))
    hostile = await context.newPage()
    await hostile.goto(origin('evil'))
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  const attempt = (page: Page, code: string): Promise<unknown> =>
    page.evaluate(`(async () => {
      const [base, site] = ${JSON.stringify([origin(), origin('demo')])}
      ${TOOLS}
      try { return await eval(${JSON.stringify(code)}) } catch (error) { return error.name }
    })()`)

  for (const [name, [code, answer]] of Object.entries(ATTEMPTS)) {
    it(`${name}, in vain`, async () => assert.deepEqual(await attempt(hostile, code), answer))
  }

  it('reaches the site that it frames with its true origin, and no other tab', async () => {
    const told = `load(site).then((frame) => frame.contentWindow.postMessage('x', '*'))`
    await attempt(hostile, told)
    const frame = hostile.frames().findLast((each) => each.url() === `${origin('demo')}/`)
    assert.deepEqual(await frame?.evaluate('heard'), [origin('evil')])
    assert.deepEqual(await victim.evaluate('heard'), [])
  })

  it('gets no handle on the site that opens it', async () => {
    const [popup] = await Promise.all([
      context.waitForEvent('page'),
      victim.evaluate(`window.open('${origin('evil')}') && undefined`),
    ])
    await popup.waitForLoadState()
    assert.equal(await popup.evaluate('opener'), null)
    assert.equal(victim.url(), `${origin('demo')}/`)
  })

  it('takes over no other site with a service worker of its own', async () => {
    await attempt(
      hostile,
      `navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready).then(() => 0)`,
    )
    await hostile.reload()
    assert.equal(await hostile.textContent('body'), 'taken over')
    await victim.reload()
    assert.equal(await victim.textContent('#secret'), SECRET)
    const base = await context.newPage()
    await base.goto(`${origin()}/docs`)
    assert.equal(await base.title(), 'Palimpsest API')
    assert.equal(await base.evaluate('opener'), null)
  })

  it('neither receives nor leaves a cookie at any site', async () => {
    const stored = await context.cookies()
    assert.deepEqual(
      stored.map(({ name, domain }) => `${name} of ${domain}`),
      ['session of localhost'],
    )
    assert.deepEqual(
      cookies.filter((sent) => !sent.startsWith(`${origin()}/`)),
      [],
    )
  })
})
