import assert from 'node:assert/strict'
import { type Desk, sitDown } from '../desk.js'

describe('the dashboard: a lost connection', () => {
  let desk: Desk

  before(async function () {
    desk = await sitDown(this)
  })
  beforeEach(() => desk.complaints.splice(0))
  afterEach(async () => {
    await desk.context.setOffline(false)
    assert.deepEqual(desk.complaints, [])
  })
  after(() => desk?.leave())

  const bar = () => desk.tab.getByRole('status').filter({ hasText: 'No connection. Your text is safe here.' })

  it('is said in one bar, which goes by itself, and the screen loads what failed', async () => {
    await desk.publish('/there', '<title>There</title>')
    await desk.tab.goto(desk.at('/'))
    await desk.tab.getByRole('heading', { name: 'Sites' }).waitFor()
    await desk.context.setOffline(true)
    await bar().waitFor()
    await desk.tab.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'API keys' }).click()
    await bar().waitFor()
    assert.equal(await desk.tab.getByText('cannot be reached').count(), 0)
    await desk.context.setOffline(false)
    await bar().waitFor({ state: 'detached' })
    await desk.tab.getByRole('heading', { name: 'API keys' }).waitFor()
  })

  it('keeps the list that is shown, and asks to repeat a step that was lost', async () => {
    await desk.publish('/kept', '<title>Kept</title>')
    await desk.tab.goto(desk.at('/sites/demo'))
    await desk.tab.getByRole('link', { name: 'Kept' }).waitFor()
    await desk.context.setOffline(true)
    await desk.tab
      .getByLabel('HTML files')
      .setInputFiles([{ name: 'late.html', mimeType: 'text/html', buffer: Buffer.from('<p>late</p>') }])
    await bar().waitFor()
    await desk.tab.getByRole('link', { name: 'Kept' }).waitFor()
    await desk.context.setOffline(false)
    await desk.said('The connection is back. Do your last step again')
    await bar().waitFor({ state: 'detached' })
  })

  it('counts as lost where a proxy answers for the service', async () => {
    await desk.tab.route(/healthz|\/api\/v1\/pages/, (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }))
    await desk.tab.goto(desk.at('/sites/demo'))
    await bar().waitFor()
    await desk.tab.unroute(/healthz|\/api\/v1\/pages/)
    await desk.tab.unrouteAll()
    await desk.tab.getByRole('list', { name: 'Pages' }).waitFor()
    await bar().waitFor({ state: 'detached' })
  })

  it('ends no work when a session ended: a sign-in in another tab brings the same place back', async () => {
    const context = await desk.newContext()
    const tab = await context.newPage()
    await tab.goto(await desk.link())
    await tab.waitForURL(desk.at('/'))
    await tab.goto(desk.at('/sites/demo?sort=title'))
    await tab.getByRole('list', { name: 'Pages' }).waitFor()
    await context.clearCookies()
    await tab.reload()
    await tab.getByRole('heading', { name: 'You are not signed in' }).waitFor()
    const other = await context.newPage()
    await other.goto(await desk.link())
    await other.waitForURL(desk.at('/'))
    await tab.bringToFront()
    await tab.evaluate("dispatchEvent(new Event('focus'))")
    await tab.getByRole('list', { name: 'Pages' }).waitFor()
    assert.equal(tab.url(), desk.at('/sites/demo?sort=title'))
    await context.close()
  })
})
