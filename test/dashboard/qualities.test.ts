import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { type Desk, sitDown } from './desk.js'
import { loadSlowly } from './load-slowly.js'
import { makeSiteOf } from './make-site.js'

const require = createRequire(import.meta.url)
const NAUGHTY = require('big-list-of-naughty-strings') as string[]
/** The rows of a window of 800 pixels, and the margins of the list. */
const MOST_ROWS = 60

describe('the dashboard: qualities', function () {
  this.timeout(180_000)
  let desk: Desk

  before(async function () {
    desk = await sitDown(this)
  })
  beforeEach(() => desk.complaints.splice(0))
  afterEach(() => assert.deepEqual(desk.complaints, []))
  after(() => desk?.leave())

  it('renders some fifty rows of ten thousand pages at a time, and reaches the last one', async () => {
    const site = await makeSiteOf(10_000, desk.service)
    await desk.tab.goto(desk.at(`/sites/${site}`))
    await desk.tab.getByText('10,000 pages').waitFor()
    const rows = desk.tab.getByRole('list', { name: 'Pages' }).getByRole('listitem')
    for (let step = 0; step < 10; step++) {
      await desk.tab.mouse.wheel(0, 15_000)
      await desk.tab.waitForTimeout(20)
      const held = await rows.count()
      assert.ok(held > 0 && held <= MOST_ROWS, `${held} rows`)
    }
    await desk.tab.evaluate('scrollTo(0, document.body.scrollHeight)')
    await desk.tab.getByRole('link', { name: '/p/9999' }).waitFor()
  })

  it('shows the big list of naughty strings as text, and runs none of them', async () => {
    const chosen = NAUGHTY.filter((text) => /[<>"'`&{]/.test(text) && text.length < 200).filter((_, n) => n % 3 === 0)
    const api = desk.service.api((await desk.service.mint({ scopes: ['admin'] })).key)
    const collection = await api.post('/collections').send({ name: '<img src=x onerror=alert(1)>' }).expect(201)
    const { id } = collection.body.data as { id: string }
    for (const [n, text] of chosen.entries()) {
      await api.post(`/collections/${id}/records`).send({ data: { text } }).expect(201)
      if (n % 3 === 0) await api.put(`/pages?path=/naughty-${n}`).send({ html: '<p>x</p>', title: text })
    }
    await api.post('/keys').send({ label: '"><script>alert(1)</script>' }).expect(201)
    const opened: string[] = []
    desk.tab.on('dialog', (dialog) => {
      opened.push(dialog.message())
      void dialog.dismiss()
    })
    for (const path of [
      '/sites/demo',
      '/sites/demo/collections',
      `/sites/demo/collections/${id}`,
      '/keys',
      '/sites/demo/history',
    ]) {
      await desk.tab.goto(desk.at(path))
      await desk.tab.waitForLoadState('networkidle')
    }
    assert.deepEqual(opened, [])
    await desk.tab.goto(desk.at(`/sites/demo/collections/${id}`))
    await desk.tab.getByRole('heading', { name: '<img src=x onerror=alert(1)>' }).waitFor()
    assert.equal(await desk.tab.locator('main img, main script').count(), 0)
  })

  it('opens a site in a browser whose storage is full', async () => {
    const tab = await desk.signIn()
    await tab.goto(desk.at('/profile'))
    await tab.evaluate(`
      localStorage.clear()
      for (let size = 2 ** 22, n = 0; size >= 1; size /= 2)
        try {
          for (;;) localStorage.setItem('full ' + n++, 'x'.repeat(size))
        } catch {}`)
    const failed = await tab.evaluate("try { localStorage.setItem('id of demo', 'x'.repeat(36)) } catch { 'no room' }")
    assert.equal(failed, 'no room')
    await tab.goto(desk.at('/sites/demo'))
    await tab.getByText('Latest changes').waitFor()
    await tab.context().close()
  })

  it('loads less than 80 KB, and moves nothing once it is painted', async () => {
    const { bytes, shift } = await loadSlowly(await desk.signIn(), desk.at('/sites/demo'))
    assert.ok(bytes < 80 * 1024, `${bytes} bytes`)
    assert.ok(shift < 0.01, `a shift of ${shift}`)
  })
})
