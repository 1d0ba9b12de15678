import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { git } from '../../support/git.js'
import { type Desk, sitDown } from '../desk.js'

describe('the dashboard: history and keys', () => {
  let desk: Desk

  before(async function () {
    desk = await sitDown(this)
  })
  beforeEach(() => desk.complaints.splice(0))
  afterEach(() => assert.deepEqual(desk.complaints, []))
  after(() => desk?.leave())

  describe('signing in', () => {
    it('removes the token from the address, and refuses a used link with advice', async () => {
      const link = await desk.link()
      const other = await desk.newContext()
      const page = await other.newPage()
      await page.goto(link)
      await page.waitForURL(desk.at('/'))
      await page.getByRole('heading', { name: 'Sites' }).waitFor()
      const late = await (await desk.newContext()).newPage()
      await late.goto(link)
      await late.getByRole('alert').getByText('already used').waitFor()
      assert.equal(late.url(), desk.at('/sign-in'))
      await late.getByText('login-link').first().waitFor()
      await late.context().close()
      await other.close()
    })

    it('is required again when the session ends during work, and the draft is still there afterwards', async () => {
      const id = await desk.publish('/interrupted', '<p>before</p>')
      const other = await desk.newContext()
      const page = await other.newPage()
      await page.goto(await desk.link())
      await page.waitForURL(desk.at('/'))
      await page.goto(desk.at(`/sites/demo/pages/${id}`))
      await page.getByRole('textbox', { name: 'HTML' }).click()
      await page.keyboard.insertText('<p>my words</p>')
      await page.getByText('Saved', { exact: true }).waitFor()
      await page.keyboard.insertText('<p>and more</p>')
      await desk.service.server.service.services.catalog.sessions.endAll(desk.service.workspaceId)
      await page.keyboard.press('Control+S')
      await page.getByRole('heading', { name: 'You are not signed in' }).waitFor()
      assert.equal(await page.locator('.notices').textContent(), '')
      await page.goto(await desk.link())
      await page.waitForURL(desk.at('/'))
      await page.goto(desk.at(`/sites/demo/pages/${id}`))
      await page.getByRole('textbox', { name: 'HTML' }).getByText('and more').waitFor()
      await page.getByText('Saved', { exact: true }).waitFor()
      await other.close()
      await desk.tab.goto(await desk.link())
      await desk.tab.waitForURL(desk.at('/'))
    })
  })

  describe('the history of a page', () => {
    let id: string
    before(async () => {
      await desk.publish('/history', '<h1>One</h1>')
      id = await desk.publish('/history', '<h1>Two</h1>')
    })

    it('compares a version with the newest one as visitors see them, with marks, and as HTML', async () => {
      await desk.tab.goto(desk.at(`/sites/demo/pages/${id}/history`))
      await desk.choose('More about version 1', 'What changed since then')
      const frame = (version: number) => desk.tab.frameLocator(`iframe[title="Version ${version}"]`)
      await frame(1).getByRole('heading', { name: 'One' }).waitFor()
      await frame(2).getByRole('heading', { name: 'Two' }).waitFor()
      assert.equal(await frame(1).locator('h1 > del').textContent(), 'One')
      assert.equal(await frame(2).locator('h1 > ins').textContent(), 'Two')
      await desk.tab.getByLabel('HTML side by side').check()
      await desk.tab.getByRole('textbox', { name: 'Earlier version' }).getByText('One').waitFor()
      await desk.tab.getByRole('textbox', { name: 'Later version' }).getByText('Two').waitFor()
      await desk.tab.getByLabel('HTML in one').check()
      await desk.tab.getByRole('textbox', { name: 'Both versions' }).waitFor()
      await desk.button('Close the comparison').click()
      await desk.tab.getByRole('textbox', { name: 'Both versions' }).waitFor({ state: 'detached' })
    })

    it('tells who changed what, by day, and shows a small difference in a row that is opened', async () => {
      await desk.tab.goto(desk.at(`/sites/demo/pages/${id}/history`))
      const today = desk.tab.getByRole('region', { name: 'Today' })
      await today.getByText('Test key published the page version 1').waitFor()
      await today.getByText('Test key changed the page version 2').click()
      const lines = desk.tab.getByRole('region', { name: 'Changed lines of version 2' })
      await lines.locator('ins').waitFor()
      assert.deepEqual(await lines.locator('del, ins').allTextContents(), ['<h1>One</h1>', '<h1>Two</h1>'])
      await desk.tab.getByText('1 line added, 1 line removed').waitFor()
      assert.equal(await desk.tab.getByText('verified').count(), 0)
      await desk.tab.getByText('Details for developers').click()
      await desk.tab.getByText('Made and signed by this service').waitFor()
      await desk.tab.getByText(/^git show [0-9a-f]{10}$/).waitFor()
      await desk.tab.getByRole('link', { name: 'Compare as visitors see it' }).click()
      await desk.tab.getByRole('heading', { name: 'Version 1 and version 2' }).waitFor()
    })

    it('opens a version in a preview', async () => {
      await desk.tab.goto(desk.at(`/sites/demo/pages/${id}/history`))
      const opened = desk.context.waitForEvent('page')
      await desk.choose('More about version 1', 'Open this version')
      const version = await opened
      await version.getByRole('heading', { name: 'One' }).waitFor()
      assert.match(version.url(), /preview--[0-9a-f]+\.localhost:\d+\/history$/)
      assert.equal(await version.evaluate('opener'), null)
      await version.close()
    })

    it('opens versions of an unpublished page, which the public cannot see', async () => {
      const gone = await desk.publish('/gone-since', '<h1>Gone since</h1>')
      const { body } = await desk.service.api().get('/sites?slug=demo')
      const [{ id: siteId }] = (body as { data: [{ id: string }] }).data
      const versions = await desk.service.api().get(`/pages/${gone}/versions`)
      const [{ id: commit }] = (versions.body as { data: [{ id: string }] }).data
      await desk.service.api().delete(`/pages/${gone}`).expect(200)
      await desk.tab.goto(desk.at(`/sites/demo/pages/${gone}/history`))
      const opened = desk.context.waitForEvent('page')
      await desk.choose('More about version 1', 'Open this version')
      const version = await opened
      await version.getByRole('heading', { name: 'Gone since' }).waitFor()
      assert.equal((await desk.service.visit('/gone-since')).status, 404)
      const made = await desk.service.api().post(`/sites/${siteId}/links`).send({ commit }).expect(201)
      const link = (made.body as { data: { url: string } }).data.url
      assert.equal((await version.goto(`${link}gone-since`))?.status(), 410)
      await version.close()
      await desk.tab.goto(desk.at(`/sites/demo/pages/${gone}/history?from=0&to=1`))
      await desk.tab.frameLocator('iframe[title="Version 1"]').getByRole('heading', { name: 'Gone since' }).waitFor()
    })

    it('goes back to a version with a reason, and undoes that', async () => {
      await desk.tab.goto(desk.at(`/sites/demo/pages/${id}/history`))
      await desk.choose('More about version 1', 'Go back to version 1…')
      await desk.tab.getByLabel('Why?').fill('Two was wrong')
      await desk.button('Go back', desk.tab.getByRole('dialog')).click()
      await desk.said(/as it was in version 1/)
      assert.equal(await desk.live('/history'), '<h1>One</h1>')
      await desk.tab.getByText('Ada went back to version 1').waitFor()
      await desk.tab.getByText('Two was wrong').waitFor()
      await desk.undo()
      await desk.said('It is as it was before.')
      assert.equal(await desk.live('/history'), '<h1>Two</h1>')
    })
  })

  it('shows every commit of a site with its files, and opens the site as of one', async () => {
    await desk.publish('/reverted', '<p>a mistake</p>')
    await desk.tab.goto(desk.at('/sites/demo/history'))
    await desk.tab.getByText('Test key published /reverted').click()
    await desk.tab.getByRole('link', { name: '/reverted' }).waitFor()
    const menu = await desk.button('More about “Publish /reverted”').boundingBox()
    const row = await desk.tab.getByText('Test key published /reverted').boundingBox()
    // The button stays in the first line of an opened row.
    assert.ok(menu !== null && row !== null && menu.y < row.y + row.height)
    const opened = desk.context.waitForEvent('page')
    await desk.choose('More about “Publish /reverted”', 'Open the site as it was')
    const past = await opened
    await past.waitForURL(/^http:\/\/link-[0-9a-f]+\.localhost:\d+\/$/)
    await past.goto(new URL('/reverted', past.url()).href)
    await past.getByText('a mistake').waitFor()
    await past.close()
  })

  it('says what a revert would change, with a preview, before it reverts with a reason; undoes the revert', async () => {
    const operations = [
      { op: 'putPage', path: '/mistake/one', html: '<p>a mistake</p>' },
      { op: 'putPage', path: '/mistake/two', html: '<p>another</p>' },
      { op: 'putFile', path: '/mistake.txt', text: 'and a file' },
    ]
    await desk.service.api().post('/batch').send({ operations }).expect(200)
    await desk.tab.goto(desk.at('/sites/demo/history'))
    await desk.choose('More about “Change 2 pages and 1 file”', 'Take this back…')
    const dialog = desk.tab.getByRole('dialog', { name: 'Take this back' })
    await dialog.getByText('changed 2 pages and 1 file').waitFor()
    await dialog.getByText('2 pages go offline').waitFor()
    await dialog.getByText('1 file is removed').waitFor()
    assert.equal((await desk.service.visit('/mistake/one')).status, 200)
    const opened = desk.context.waitForEvent('page')
    await dialog.getByRole('link', { name: 'Look at a preview' }).click()
    const preview = await opened
    await preview.waitForURL(/preview--/)
    assert.equal((await preview.goto(new URL('/mistake/one', preview.url()).href))?.status(), 404)
    await preview.close()
    await dialog.getByLabel('Why?').fill('They were wrong')
    await desk.button('Take it back', dialog).click()
    await desk.said('Taken back: changed 2 pages and 1 file.')
    assert.equal((await desk.service.visit('/mistake/one')).status, 404)
    assert.match(git(desk.service.gitdir(), 'log', '-1', '--format=%B', 'main'), /They were wrong/)
    await desk.undo()
    await desk.said('It is as it was before.')
    assert.equal((await desk.service.visit('/mistake/one')).status, 200)
  })

  it('says why a commit cannot be reverted, before anybody confirms it', async () => {
    await desk.publish('/changed-since', '<p>one</p>')
    await desk.publish('/changed-since', '<p>two</p>')
    await desk.tab.goto(desk.at('/sites/demo/history'))
    await desk.choose('More about “Publish /changed-since”', 'Take this back…')
    await desk.tab
      .getByRole('dialog')
      .getByText(/changed-since/)
      .last()
      .waitFor()
    assert.equal(await desk.button('Take it back', desk.tab.getByRole('dialog')).count(), 0)
  })

  it('links a file of a commit to the page version that the commit made, also of an unpublished page', async () => {
    const id = await desk.publish('/led-to', '<p>first words</p>')
    await desk.publish('/led-to', '<p>second words</p>')
    await desk.service.api().delete(`/pages/${id}`).expect(200)
    for (const [done, shown, told] of [
      ['published /led-to', 'Version 1', /first words/],
      ['changed /led-to', 'Versions 1 and 2', /second words/],
      ['took /led-to down', 'Versions 2 and 3', /Version 3 unpublished the page/],
    ] as const) {
      await desk.tab.goto(desk.at('/sites/demo/history'))
      await desk.tab.getByText(`Test key ${done}`).click()
      await desk.tab.getByRole('link', { name: '/led-to' }).click()
      if (done !== 'took /led-to down') await desk.tab.getByLabel('HTML side by side').check()
      await desk.tab.getByRole('heading', { name: 'History of /led-to' }).waitFor()
      await desk.tab.getByRole('region', { name: shown, exact: true }).getByText(told).waitFor()
    }
  })

  it('opens a file that is no page as a commit left it, also once it is deleted', async () => {
    for (const text of ['first note', 'second note'])
      await desk.service.api().put('/files?path=/note.txt').type('text/plain').send(text)
    await desk.service.api().delete('/files?path=/note.txt').expect(200)
    await desk.tab.goto(desk.at('/sites/demo/history'))
    await desk.tab.getByText('Test key added /note.txt').click()
    const opened = desk.context.waitForEvent('page')
    await desk.button('Open note.txt as of Add file /note.txt').click()
    const past = await opened
    await past.getByText('first note').waitFor()
    await past.close()
  })

  it('shows the tags of a site, in a list and with their commits, and how to set the first one', async () => {
    await desk.tab.goto(desk.at('/sites/demo/history'))
    await desk.tab.getByText('Tags', { exact: true }).click()
    await desk.tab.getByText('There are no tags').waitFor()
    git(desk.service.gitdir(), 'tag', '-a', '-m', 'What is in it', 'v1', 'main')
    await desk.tab.reload()
    await desk.tab.getByTitle('Tag v1').waitFor()
    await desk.tab.getByText('Tags', { exact: true }).click()
    await desk.tab.getByRole('row', { name: /v1 .*Olga Operator.*What is in it/ }).waitFor()
    await desk.button('Open the site as of the tag v1').waitFor()
  })

  it('names the problems of a site', async () => {
    await desk.publish('/with-a-broken-link', '<a href="/nowhere">Nowhere</a><a href="/">Start</a>')
    await desk.tab.goto(desk.at('/sites/demo/checks'))
    await desk.tab.getByRole('heading', { name: 'Broken links' }).waitFor()
    await desk.tab.getByText('The link to /nowhere leads nowhere.').waitFor()
    assert.equal(await desk.tab.getByText('The link to / leads nowhere.').count(), 0)
    await desk.tab.getByRole('link', { name: '/with-a-broken-link' }).click()
    await desk.tab.getByRole('heading', { name: '/with-a-broken-link' }).waitFor()
  })

  it('shows a new key once, with a curl command that works; rotates and revokes it', async () => {
    const label = `robot ${randomUUID()}`
    await desk.tab.goto(desk.at('/keys'))
    await desk.button('New key').click()
    await desk.tab.getByLabel('Label').fill(label)
    await desk.tab.getByLabel('Publish', { exact: true }).check()
    await desk.button('Create the key').click()
    const command = (await desk.tab.getByRole('region', { name: 'Command' }).textContent()) ?? ''
    assert.match(String(await publishedBy(command)), /^20[01]$/)
    const { body } = await desk.service.api().get('/sites?slug=demo')
    assert.ok(command.includes(`'x-service-site-id: ${(body as { data: [{ id: string }] }).data[0].id}'`), command)
    await desk.button('Close', desk.tab.getByRole('dialog')).click()
    await desk.tab
      .getByText(/pal_[0-9A-Za-z]{36}/)
      .first()
      .waitFor({ state: 'detached' })
    await desk.button(`Rotate ${label}`).click()
    await desk.tab.getByRole('dialog').getByText('shown only now').waitFor()
    await desk.button('Close', desk.tab.getByRole('dialog')).click()
    await desk.button(`Rotate ${label}`).nth(1).waitFor()
    await desk.button(`Revoke ${label}`).first().click()
    await desk.button(`Revoke for good ${label}`).click()
    await desk.said(/is revoked/)
  })
})

/** The status of the answer that the curl line gets. */
async function publishedBy(command: string): Promise<number> {
  const [, key = ''] = /Bearer (\S+)"/.exec(command) ?? []
  const [, url = ''] = /'(http[^']+)'/.exec(command) ?? []
  const answer = await fetch(url, {
    method: 'PUT',
    body: Buffer.from('<h1>Hello</h1>'),
    headers: { authorization: `Bearer ${key}` },
  })
  return answer.status
}
