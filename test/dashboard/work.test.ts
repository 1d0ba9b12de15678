import assert from 'node:assert/strict'
import type { Page, Route } from 'playwright-core'
import type { UsageData } from '../../schemas/usage.js'
import { type Desk, sitDown } from './desk.js'
import { makeSite } from './make-site.js'

describe('the dashboard: work', () => {
  let desk: Desk

  before(async function () {
    desk = await sitDown(this)
  })
  beforeEach(() => desk.complaints.splice(0))
  afterEach(() => assert.deepEqual(desk.complaints, []))
  after(() => desk?.leave())

  describe('signing in', () => {
    it('uses a link that is pasted into the tab with the sign-in screen', async () => {
      const tab = await (await desk.newContext()).newPage()
      await tab.goto(desk.at('/sign-in'))
      await tab.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
      await tab.goto(await desk.link())
      await tab.getByRole('heading', { name: 'Sites' }).waitFor()
      assert.equal(tab.url(), desk.at('/'))
      await tab.context().close()
    })

    it('asks before a link replaces the session of the browser', async () => {
      const tab = await desk.signIn()
      await tab.goto(await desk.link())
      await tab.getByRole('heading', { name: 'You are signed in already' }).waitFor()
      await tab.getByText('You are Ada in the workspace').waitFor()
      const session = await sessionOf(tab)
      await tab.getByRole('button', { name: 'Stay signed in' }).click()
      await tab.getByRole('heading', { name: 'Sites' }).waitFor()
      assert.equal(await sessionOf(tab), session)
      await tab.goto(await desk.link())
      await tab.getByRole('button', { name: 'Use the link' }).click()
      await tab.getByRole('heading', { name: 'Sites' }).waitFor()
      assert.notEqual(await sessionOf(tab), session)
      await tab.context().close()
    })
  })

  describe('the settings', () => {
    const retitle = async (title: string) => {
      await desk.tab.getByRole('textbox', { name: 'Title' }).fill(title)
      await desk.tab.keyboard.press('Enter')
    }
    const openPart = (name: string) =>
      desk.tab.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name }).click()

    it('show what the workspace uses, with a bar for each quota, past which a new page is refused', async () => {
      const { workspaces } = desk.service.server.service.services.catalog
      const { pages, sites } = (await desk.service.api().get('/usage').expect(200)).body.data as UsageData
      await workspaces.setQuotas(desk.service.workspaceId, { pages: pages.used })
      try {
        await desk.tab.goto(desk.at('/sites/demo/settings/programs'))
        const panel = desk.tab.locator('section.panel', { hasText: 'Usage of the workspace' })
        await panel.getByRole('progressbar', { name: 'Published pages' }).waitFor()
        assert.equal(await panel.getByRole('progressbar').count(), 1)
        await panel.locator('span', { hasText: `${pages.used} of ${pages.used}` }).waitFor()
        await panel.getByText(`${sites.used}, no limit`).waitFor()
        await desk.tab.goto(desk.at('/sites/demo/new?path=/beyond'))
        await desk.button('Create').click()
        await desk.publishDraft()
        await desk.tab.getByText(`the workspace has ${pages.used} of ${pages.used} pages`).waitFor()
      } finally {
        await workspaces.setQuotas(desk.service.workspaceId, { pages: null })
      }
      await desk.publishDraft()
      await desk.said('Published.')
    })

    it('make the history public, let visitors search, choose the default site, and delete a site after its slug was typed', async () => {
      const slug = await makeSite(desk.service)
      await desk.tab.goto(desk.at(`/sites/${slug}`))
      await desk.tab.getByRole('link', { name: 'Settings' }).click()
      await openPart('Visitors')
      await desk.tab.getByLabel('Everybody can see the site as it was').check()
      await desk.said('The settings are saved.')
      assert.equal((await siteOf(desk, slug)).publicHistory, true)
      // The notice of the other setting may still be there.
      const saved = desk.tab.waitForResponse((answer) => answer.request().method() === 'PATCH')
      await desk.tab.getByLabel('Visitors can search the pages').check()
      await saved
      assert.equal((await siteOf(desk, slug)).search, true)
      await openPart('General')
      await desk.button('Make this the default site').click()
      await desk.tab.getByText('This is the default site.').waitFor()
      await openPart('Danger')
      await desk.tab.getByText('The default site cannot be deleted.').waitFor()
      assert.equal((await siteOf(desk, slug)).isDefault, true)
      await desk.tab.goto(desk.at('/sites/demo/settings/general'))
      await desk.button('Make this the default site').click()
      await desk.tab.getByText('This is the default site.').waitFor()
      await desk.tab.goto(desk.at(`/sites/${slug}/settings/danger`))
      await desk.button('Delete the site…').click()
      const dialog = desk.tab.getByRole('dialog')
      await dialog.getByLabel(`Type ${slug} to confirm`).fill('demo')
      assert.ok(await desk.button('Delete the site', dialog).isDisabled())
      await dialog.getByLabel(`Type ${slug} to confirm`).fill(slug)
      await desk.button('Delete the site', dialog).click()
      await desk.said(`The site ${slug} is deleted.`)
      assert.equal((await desk.service.visit('/', slug)).status, 404)
    })

    it('list the links to the past of the site, and end one', async () => {
      const { id: siteId } = await siteOf(desk, 'demo')
      await desk.publish('/linked', '<h1>Linked</h1>')
      await desk.tab.goto(desk.at('/sites/demo/history'))
      const opened = desk.context.waitForEvent('page')
      await desk.choose('More about “Publish /linked”', 'Open the site as it was')
      const version = await opened
      await version.waitForURL(/link-/)
      const { body } = await desk.service.api().get(`/sites/${siteId}/links`)
      const [link] = (body as { data: { commit: string }[] }).data
      await desk.tab.goto(desk.at('/sites/demo/settings/visitors'))
      await desk.button(`End the link to ${link?.commit.slice(0, 10)}`).click()
      await desk.said('The link is ended.')
      await desk.tab.getByText('There are no links.').waitFor()
      const answer = await version.reload()
      assert.equal(answer?.status(), 404)
      await version.close()
    })

    it('mirror the site, say why that fails, and switch it off', async () => {
      await desk.tab.goto(desk.at('/sites/demo/settings/git'))
      await desk.button('Mirror the site…').click()
      await desk.tab.getByRole('dialog').getByLabel('URL').fill('https://10.0.0.1/site.git')
      await desk.button('Set the mirror').click()
      await desk.tab.getByText('10.0.0.1 has no public address.').waitFor()
      await desk.button('Try again').waitFor()
      await desk.button('Switch off').click()
      await desk.said('The mirror is switched off.')
      await desk.button('Mirror the site…').waitFor()
    })

    it('give a page a title of its own, and leave its draft alone', async () => {
      const id = await desk.publish('/titled', '<title>Of the document</title><p>x</p>')
      await desk.tab.goto(desk.at(`/sites/demo/pages/${id}`))
      await desk.write('<title>Of the document</title><p>a draft</p>')
      await retitle('Of a person')
      await desk.tab.getByRole('heading', { name: 'Of a person' }).waitFor()
      await desk.editor().getByText('a draft').waitFor()
      await desk.publishDraft()
      await desk.said('Published.')
      assert.match(await desk.live('/titled'), /a draft/)
    })

    it("go back from a page's own title to the title in the HTML, if there is one", async () => {
      const id = await desk.publish('/back', '<title>Of the document</title><p>x</p>')
      await desk.tab.goto(desk.at(`/sites/demo/pages/${id}`))
      await retitle('Of a person')
      await desk.tab.getByRole('heading', { name: 'Of a person' }).waitFor()
      await retitle('')
      await desk.tab.getByRole('heading', { name: 'Of the document' }).waitFor()
      await desk.tab.getByRole('textbox', { name: 'Title' }).fill('Not meant')
      await desk.tab.keyboard.press('Escape')
      assert.equal(await desk.tab.getByRole('textbox', { name: 'Title' }).inputValue(), 'Of the document')
    })
  })

  describe('the editor and the frame', () => {
    it('closes the menu on Escape and on a click outside', async () => {
      await desk.tab.goto(desk.at('/'))
      const menu = desk.tab.locator('.user-menu')
      const item = desk.tab.getByRole('menuitem', { name: 'Sign out', exact: true })
      await menu.click()
      await item.waitFor()
      await desk.tab.keyboard.press('Escape')
      await item.waitFor({ state: 'hidden' })
      await menu.click()
      await item.waitFor()
      await desk.tab.getByRole('heading', { name: 'Sites' }).click()
      await item.waitFor({ state: 'hidden' })
    })

    it('saves nothing on Ctrl + S without a change, and says so', async () => {
      const id = await desk.publish('/unchanged', '<p>same</p>')
      await desk.tab.goto(desk.at(`/sites/demo/pages/${id}`))
      await desk.editor().waitFor()
      await desk.tab.keyboard.press('Control+S')
      await desk.said('There is nothing to save')
      assert.equal(await desk.tab.locator('.notices').getByText('Published.', { exact: true }).count(), 0)
    })

    it('moves the focus to the content, and names the page in the title, when the screen changes', async () => {
      await desk.publish('/named', '<p>x</p>')
      await desk.tab.goto(desk.at('/sites/demo'))
      await desk.tab.getByRole('link', { name: '/named' }).click()
      await desk.editor().waitFor()
      assert.equal(await desk.tab.evaluate('document.activeElement.id'), 'content')
      assert.equal(await desk.tab.title(), '/named · demo · Palimpsest')
    })

    it('goes to all sites on g then s, also if the screen is loaded between the two', async () => {
      await desk.tab.goto(desk.at('/keys'))
      await desk.tab.getByRole('heading', { name: 'API keys' }).waitFor()
      const held = new Promise<Route>((resolve) => void desk.tab.route('**/api/v1/me', resolve))
      await desk.tab.reload({ waitUntil: 'commit' })
      await desk.tab.getByRole('navigation', { name: 'Main' }).waitFor()
      await desk.tab.keyboard.press('g')
      await (await held).continue()
      await desk.tab.unroute('**/api/v1/me')
      await desk.tab.getByRole('heading', { name: 'API keys' }).waitFor()
      await desk.tab.keyboard.press('s')
      await desk.tab.waitForURL(desk.at('/'))
    })

    it('says which dropped files it left out', async () => {
      await desk.tab.goto(desk.at('/sites/demo'))
      await desk.tab.getByLabel('HTML files').setInputFiles([
        { name: 'with-picture.html', mimeType: 'text/html', buffer: Buffer.from('<img src=/x.png>') },
        { name: 'x.png', mimeType: 'image/png', buffer: Buffer.from('no real picture') },
      ])
      await desk.said('1 page published as one change. 1 file left out: the Files screen takes them.')
    })

    it('names links of a draft that lead nowhere', async () => {
      const id = await desk.publish('/linking', '<p>x</p>')
      await desk.tab.goto(desk.at(`/sites/demo/pages/${id}`))
      await desk.write('<a href="/nowhere-at-all">y</a>')
      await desk.tab.getByText('1 thing to look at').click()
      await desk.tab.locator('.preview').getByText('/nowhere-at-all').waitFor()
    })
  })
})

interface SiteRow {
  id: string
  isDefault: boolean
  publicHistory: boolean
  search: boolean
}

async function siteOf(desk: Desk, slug: string): Promise<SiteRow> {
  const { body } = await desk.service.api().get(`/sites?slug=${slug}`).expect(200)
  const [site] = (body as { data: SiteRow[] }).data
  assert.ok(site)
  return site
}

/** The secret of the tab's session. */
async function sessionOf(tab: Page): Promise<string | undefined> {
  return (await tab.context().cookies()).find(({ name }) => name === 'session')?.value
}
