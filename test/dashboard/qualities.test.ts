import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { type Desk, sitDown } from './desk.js'
import { loadSlowly } from './load-slowly.js'
import { makeSiteOf } from './make-site.js'

const require = createRequire(import.meta.url)
const NAUGHTY = require('big-list-of-naughty-strings') as string[]
/** Screenshots of every screen, where SCREENSHOTS names a folder. */
const SCREENSHOTS = process.env['SCREENSHOTS']
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

  it('passes axe on every screen, in light, in dark and at the width of a phone', async () => {
    const id = await desk.publish('/axe', '<h1>One</h1>')
    await desk.publish('/axe', '<h1>Two</h1>')
    const made = await desk.service.api().post('/collections').send({ name: 'looked at' }).expect(201)
    const { id: collection } = made.body.data as { id: string }
    await desk.service
      .api()
      .post(`/collections/${collection}/records`)
      .send({ data: { title: 'A' } })
      .expect(201)
    await desk.service.api().put('/files?path=/_redirects&force=true').type('text/plain').send('/a /axe\nwrong\n')
    await desk.service.api().put('/files?path=/style.css').type('text/css').send('h1 { color: teal }').expect(201)
    const screens: Record<string, string> = {
      sites: '/',
      pages: '/sites/demo',
      'new-page': '/sites/demo/new',
      page: `/sites/demo/pages/${id}`,
      history: `/sites/demo/pages/${id}/history?from=1&to=2`,
      files: '/sites/demo/files',
      redirects: '/sites/demo/files/_redirects',
      'site-history': '/sites/demo/history',
      collections: '/sites/demo/collections',
      checks: '/sites/demo/checks',
      settings: '/sites/demo/settings',
      'settings-general': '/sites/demo/settings/general',
      'settings-visitors': '/sites/demo/settings/visitors',
      'settings-protection': '/sites/demo/settings/protection',
      'settings-people': '/sites/demo/settings/people',
      'settings-git': '/sites/demo/settings/git',
      'settings-programs': '/sites/demo/settings/programs',
      'settings-danger': '/sites/demo/settings/danger',
      records: `/sites/demo/collections/${collection}`,
      keys: '/keys',
      agents: '/agents',
      'agents-work': '/agents/work',
      profile: '/profile',
      'sign-in': '/sign-in',
      'not-found': '/nowhere',
      'no-site': '/sites/nowhere',
    }
    const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')
    await Promise.all(
      Object.entries(LOOKS).map(async ([look, options]) => {
        const page = await desk.signIn(options)
        const judge = async (name: string) => {
          if (SCREENSHOTS !== undefined) await page.screenshot({ path: join(SCREENSHOTS, `${look}-${name}.png`) })
          assert.deepEqual(await faultsBy(axe, page), [], `${look} ${name}`)
          // The page for unknown paths has the browser's own colours, whose background axe does not see.
          if (look === 'phone' || name === 'not-found') return
          await page.emulateMedia({ colorScheme: 'dark' })
          if (SCREENSHOTS !== undefined) await page.screenshot({ path: join(SCREENSHOTS, `dark-${name}.png`) })
          assert.deepEqual(await faultsBy(axe, page, COLOURS), [], `dark ${name}`)
          await page.emulateMedia({ colorScheme: 'light' })
        }
        for (const [name, path] of Object.entries(screens)) {
          await page.goto(desk.at(path))
          await page.waitForLoadState('networkidle')
          await judge(name)
        }
        for (const screen of ['sites', 'keys']) {
          await page.goto(desk.at(screen === 'sites' ? '/' : '/keys'))
          await page.getByRole('button', { name: /^New/ }).click()
          await page.getByRole('dialog').waitFor()
          await judge(`dialog of ${screen}`)
        }
        await page.context().close()
      }),
    )
  })

  it('loads less than 70 KB, and moves nothing once it is painted', async () => {
    const { bytes, shift } = await loadSlowly(await desk.signIn(), desk.at('/sites/demo'))
    assert.ok(bytes < 70 * 1024, `${bytes} bytes`)
    assert.ok(shift < 0.01, `a shift of ${shift}`)
  })
})

/** Without motion, so that no colour is judged on its way to another. */
const LOOKS = {
  light: { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' },
  phone: { viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' },
} as const

/** The rules that look at colours: all that the dark look changes. */
const COLOURS = ['color-contrast', 'link-in-text-block']

/** All faults, or those by some rules. Evaluated by the debugger's door, which the page's policy does not close. */
async function faultsBy(axe: string, page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe)
  const options = rules === undefined ? {} : { runOnly: rules }
  return await page.evaluate<
    string[]
  >(`axe.run({ exclude: [['iframe']] }, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`)
}
