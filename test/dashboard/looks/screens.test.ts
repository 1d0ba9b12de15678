import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { type Desk, PHONE, sitDown } from '../desk.js'
import { faultsIn } from './axe.js'

describe('the dashboard: looks', () => {
  let desk: Desk

  before(async function () {
    desk = await sitDown(this)
  })
  after(() => desk?.leave())

  describe('the preview in the dark', () => {
    const DARK_PAGE = '<!doctype html><meta name="color-scheme" content="light dark"><h1>Dark or light</h1>'
    let tab: Page
    before(async () => {
      tab = await desk.signIn({ viewport: { width: 1280, height: 800 }, colorScheme: 'dark' })
    })
    after(() => tab.context().close())

    it('shows the text of a page with the colour scheme "light dark" in the editor', async () => {
      const id = await desk.publish('/dark', DARK_PAGE)
      await tab.goto(desk.at(`/sites/demo/pages/${id}`))
      const frame = tab.locator('iframe[title=Preview]')
      await frame.contentFrame().getByRole('heading', { name: 'Dark or light' }).waitFor()
      assert.ok((await contrastIn(frame)) > 100)
    })

    it('shows the text of such a page in the rendered comparison', async () => {
      await desk.publish('/dark-twice', DARK_PAGE)
      const id = await desk.publish('/dark-twice', `${DARK_PAGE}<p>More`)
      await tab.goto(desk.at(`/sites/demo/pages/${id}/history?from=1&to=2`))
      const frame = tab.locator('iframe[title="Version 2"]')
      await frame.contentFrame().getByText('More').waitFor()
      assert.ok((await contrastIn(frame)) > 100)
    })
  })

  describe('on a phone', () => {
    let tab: Page
    let screens: Record<string, string>
    before(async () => {
      const id = await desk.publish('/phone', '<h1>One</h1>')
      await desk.publish('/phone', `<h1>Two</h1>${'<p>A long page.</p>\n'.repeat(80)}`)
      const api = desk.service.api((await desk.service.mint({ scopes: ['admin'] })).key)
      await api.post('/keys').send({ label: 'a key with quite a long label for a phone' }).expect(201)
      await api
        .put(`/files?path=/${'long'.repeat(50)}.txt`)
        .send('long')
        .expect(201)
      const made = await api.post('/collections').send({ name: 'books' }).expect(201)
      const { id: collection } = made.body.data as { id: string }
      const data = { title: 'Metamorphoses', author: 'Ovid', note: 'fifteen books of verses in hexameter', year: 8 }
      await api.post(`/collections/${collection}/records`).send({ data }).expect(201)
      screens = {
        sites: '/',
        pages: '/sites/demo',
        'new page': '/sites/demo/new',
        page: `/sites/demo/pages/${id}`,
        'page history': `/sites/demo/pages/${id}/history?from=1&to=2`,
        files: '/sites/demo/files',
        redirects: '/sites/demo/files/_redirects',
        history: '/sites/demo/history',
        collections: '/sites/demo/collections',
        records: `/sites/demo/collections/${collection}`,
        checks: '/sites/demo/checks',
        settings: '/sites/demo/settings',
        'settings-general': '/sites/demo/settings/general',
        'settings-visitors': '/sites/demo/settings/visitors',
        'settings-protection': '/sites/demo/settings/protection',
        'settings-people': '/sites/demo/settings/people',
        'settings-git': '/sites/demo/settings/git',
        'settings-programs': '/sites/demo/settings/programs',
        'settings-danger': '/sites/demo/settings/danger',
        keys: '/keys',
        agents: '/agents',
        profile: '/profile',
      }
      tab = await desk.signIn(PHONE)
    })
    after(() => tab.context().close())

    it('shows every screen without sideways scrolling, with all its links and buttons inside the window', async () => {
      for (const [name, path] of Object.entries(screens)) {
        await tab.goto(desk.at(path))
        await tab.waitForLoadState('networkidle')
        assert.equal(await tab.evaluate('document.documentElement.scrollWidth'), PHONE.viewport.width, name)
        for (const control of await tab.locator('a:visible:not(.skip), button:visible, select:visible').all()) {
          const box = await control.boundingBox()
          const text = await control.textContent()
          assert.ok(box !== null && box.x >= 0 && box.x + box.width <= PHONE.viewport.width, `${name}: ${text}`)
        }
      }
    })

    it('marks the tab of the shown screen', async () => {
      await tab.goto(desk.at('/sites/demo/history'))
      const tabs = tab.getByRole('navigation', { name: 'Site' })
      const shown = await tabs.getByRole('link', { name: 'History' }).screenshot()
      await tab.goto(desk.at('/sites/demo/checks'))
      const other = await tabs.getByRole('link', { name: 'History' }).screenshot()
      assert.ok(!shown.equals(other))
    })

    it('shows dialogs and notices, with their buttons, inside the window', async () => {
      await tab.goto(desk.at('/keys'))
      await tab.getByRole('button', { name: 'New key' }).click()
      assert.ok(isInside(await tab.getByRole('dialog').boundingBox()))
      await tab.goto(desk.at(screens['page'] ?? ''))
      await tab.getByRole('button', { name: 'More about this page' }).click()
      await tab.getByRole('menuitem', { name: 'Unpublish' }).click()
      const undo = tab.locator('.notices').getByRole('button', { name: 'Undo' })
      await undo.waitFor()
      assert.ok(isInside(await undo.boundingBox()))
      await undo.click()
      await tab.getByText('is live again').waitFor()
    })

    it('passes axe in the editor', async () => {
      await tab.goto(desk.at(screens['page'] ?? ''))
      await tab.getByRole('textbox', { name: 'HTML' }).waitFor()
      assert.deepEqual(await faultsIn(tab), [])
    })
  })

  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 1280, height: 720 },
  ]) {
    it(`keeps Publish in view and uncovered by notices at ${viewport.width} × ${viewport.height}`, async () => {
      const tab = await desk.signIn({ viewport })
      await tab.goto(desk.at(`/sites/demo/new?path=/wide-${viewport.width}`))
      await tab.getByRole('button', { name: 'Create', exact: true }).click()
      await tab.getByRole('textbox', { name: 'HTML' }).waitFor()
      await tab.getByRole('button', { name: 'Publish…', exact: true }).click()
      await tab.getByRole('dialog', { name: 'Publish' }).getByRole('button', { name: 'Publish', exact: true }).click()
      await tab.getByText('Published.').waitFor()
      const box = await tab.getByRole('button', { name: 'Publish…', exact: true }).boundingBox()
      assert.ok(box !== null && box.y + box.height <= viewport.height)
      const middle = `${box.x + box.width / 2}, ${box.y + box.height / 2}`
      assert.equal(await tab.evaluate(`document.elementFromPoint(${middle})?.textContent`), 'Publish…')
      await tab.context().close()
    })
  }
})

function isInside(box: { x: number; y: number; width: number; height: number } | null): boolean {
  const { width, height } = PHONE.viewport
  return box !== null && box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height
}

/** Between the lightest and the darkest pixel inside the frame's border, of 255. */
async function contrastIn(frame: Locator): Promise<number> {
  const png = (await frame.screenshot()).toString('base64')
  const page = await frame.page().context().newPage()
  const contrast = await page.evaluate<number>(`(async () => {
    const image = new Image()
    image.src = 'data:image/png;base64,${png}'
    await image.decode()
    const canvas = new OffscreenCanvas(image.width, image.height)
    const context = canvas.getContext('2d')
    context.drawImage(image, 0, 0)
    const { data } = context.getImageData(8, 8, image.width - 16, image.height - 16)
    let darkest = 255
    let lightest = 0
    for (let at = 0; at < data.length; at += 4) {
      darkest = Math.min(darkest, data[at])
      lightest = Math.max(lightest, data[at])
    }
    return lightest - darkest
  })()`)
  await page.close()
  return contrast
}
