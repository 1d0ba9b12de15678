import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { type Desk, sitDown } from './desk.js'

/** Attacks of a hosted page on the dashboard of the browser that it is open in. */
const ATTACKS = `<!doctype html><title>Hostile</title><body><script>
const base = 'http://localhost:' + location.port
const tried = {}
const attempt = async (name, work) => { try { tried[name] = await work() } catch (error) { tried[name] = 'refused' } }
const framed = (url) => new Promise((resolve) => {
  const frame = document.createElement('iframe')
  frame.onload = () => { try { resolve(frame.contentWindow.document.body.textContent) } catch { resolve('refused') } }
  frame.src = url
  document.body.append(frame)
  setTimeout(() => resolve('refused'), 3000)
})
const main = async () => {
  document.cookie = 'session=forged; domain=localhost; path=/'
  document.cookie = 'session=forged; path=/'
  await attempt('read the API', async () => (await fetch(base + '/api/v1/me', { credentials: 'include' })).status)
  await attempt('write through the API', async () => {
    await fetch(base + '/api/v1/pages', { method: 'POST', mode: 'no-cors', credentials: 'include', body: '{"path":"/planted"}' })
    return 'sent'
  })
  await attempt('sign out', async () => (await fetch(base + '/session', { method: 'DELETE', credentials: 'include' })).status)
  await attempt('frame it', () => framed(base + '/sites/demo'))
  await attempt('read its storage', () => framed(base + '/').then(() => Object.keys(localStorage).filter((key) => /draft/.test(key)).length || 'refused'))
  await attempt('register a service worker over it', async () => {
    await navigator.serviceWorker.register(base + '/worker.js')
    return 'registered'
  })
  await attempt('reach the opener', () => (window.opener === null ? 'refused' : String(window.opener.location.href)))
  window.parent.postMessage({ type: 'navigate', path: '/keys' }, '*')
  window.top.postMessage('x', '*')
  window.tried = tried
}
main().finally(() => { window.done = true })
</script>`

describe('a hostile hosted page', () => {
  let desk: Desk

  before(async function () {
    desk = await sitDown(this)
    await desk.publish('/hostile', ATTACKS)
    await desk.publish('/planted-by', '<p>x</p>')
  })
  after(() => desk?.leave())

  const outcome = async (page: Page) => {
    await page.waitForFunction(() => (globalThis as unknown as { done?: boolean }).done)
    return await page.evaluate(() => (globalThis as unknown as { tried: Record<string, unknown> }).tried)
  }
  const isSignedIn = async () => {
    await desk.tab.goto(desk.at('/'))
    await desk.tab.getByRole('heading', { name: 'Sites' }).waitFor()
    await desk.tab.getByRole('link', { name: 'demo', exact: true }).waitFor()
  }

  it('reads nothing from the dashboard and changes nothing, in a tab of its own', async () => {
    const page = await desk.context.newPage()
    await page.goto(`http://demo.localhost:${desk.service.server.port}/hostile`)
    const tried = await outcome(page)
    for (const [name, result] of Object.entries(tried)) {
      // A form-like request can be sent by any page of the web: it has to be refused on arrival.
      if (name !== 'write through the API') assert.equal(result, 'refused', name)
    }
    assert.equal((await desk.service.visit('/planted')).status, 404)
    await isSignedIn()
    await page.close()
  })

  it("cannot reach the dashboard's tab that opened it", async () => {
    await desk.tab.goto(desk.at('/sites/demo'))
    const opened = desk.context.waitForEvent('page')
    await desk.tab.getByRole('link', { name: /demo\.localhost/ }).click()
    const page = await opened
    await page.goto(`http://demo.localhost:${desk.service.server.port}/hostile`)
    assert.equal((await outcome(page))['reach the opener'], 'refused')
    await page.close()
  })

  it('has an opaque origin as a preview, and cannot navigate the dashboard', async () => {
    const id = await desk.publish('/previewed', '<p>x</p>')
    await desk.tab.goto(desk.at(`/sites/demo/pages/${id}`))
    await desk.write(
      `<h1>Preview</h1><script>
        try { top.location.href = 'http://demo.localhost/' } catch {}
        try { document.title = String(localStorage.length) } catch { document.body.append('no storage') }
        document.body.append(' origin ' + self.origin)
      </script>`,
    )
    await desk.tab.frameLocator('iframe[title=Preview]').getByText('no storage origin null').waitFor()
    assert.equal(desk.tab.url(), desk.at(`/sites/demo/pages/${id}`))
  })
})
