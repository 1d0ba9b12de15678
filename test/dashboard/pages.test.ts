import assert from 'node:assert/strict'
import { git } from '../support/git.js'
import { type Desk, sitDown } from './desk.js'

describe('the dashboard: pages', () => {
  let desk: Desk

  before(async function () {
    desk = await sitDown(this)
  })
  beforeEach(() => desk.complaints.splice(0))
  afterEach(() => assert.deepEqual(desk.complaints, []))
  after(() => desk?.leave())

  describe('the list of sites', () => {
    it('shows who changed a site last; creates a site, and checks its address while it is typed', async () => {
      await desk.tab.goto(desk.at('/'))
      await desk.tab
        .getByText(/ changed /)
        .first()
        .waitFor()
      await desk.tab.keyboard.press('n')
      const slug = desk.tab.getByLabel('Address')
      await slug.fill('No Good')
      await desk.tab.getByText('Lower-case letters').waitFor()
      await slug.fill('demo')
      await desk.tab.keyboard.press('Enter')
      await desk.tab
        .getByRole('alert')
        .getByText(/in use/)
        .waitFor()
      await slug.fill('second')
      await desk.tab.keyboard.press('Enter')
      await desk.tab.waitForURL(desk.at('/sites/second'))
      assert.equal((await desk.service.visit('/', 'second')).status, 404)
    })
  })

  describe('the list of pages', () => {
    it('finds pages by words, filters and sorts them', async () => {
      await desk.publish('/fruit/apple', '<title>Red fruit</title>')
      await desk.publish('/fruit/pear', '<title>Green fruit</title>')
      await desk.tab.goto(desk.at('/sites/demo'))
      await desk.tab.getByRole('link', { name: '/fruit/apple' }).waitFor()
      await desk.tab.keyboard.press('/')
      await desk.tab.keyboard.insertText('FRUIT green')
      await desk.tab.getByText('1 of').waitFor()
      assert.deepEqual(await desk.tab.locator('.rows strong').allTextContents(), ['Green fruit'])
      await desk.tab.getByLabel('Search path and title').fill('fruit')
      await desk.tab.getByLabel('Sort by').selectOption('title')
      assert.deepEqual(await desk.tab.locator('.rows strong').allTextContents(), ['Green fruit', 'Red fruit'])
    })

    it('finds pages by their text, with the words marked, and returns to the search on Back', async () => {
      await desk.publish('/says', '<title>Hours</title>\n<p>Open from <b>nine</b> to five.</p>')
      await desk.tab.goto(desk.at('/sites/demo'))
      await desk.tab.getByLabel('Search in').selectOption('text')
      await desk.tab.getByLabel('Search text').fill('nine five')
      const hit = desk.tab.getByRole('link', { name: '/says' })
      await hit.waitFor()
      assert.deepEqual(await hit.locator('mark').allTextContents(), ['nine', 'five'])
      await hit.click()
      await desk.tab.waitForURL(/\/pages\//)
      await desk.tab.goBack()
      await hit.waitFor()
      await desk.tab.getByLabel('Search text').fill('nobody says this')
      await desk.tab.getByText('No page has these words in its text').waitFor()
    })

    it('finds, opens, creates and leaves pages with the keyboard alone', async () => {
      const { keyboard } = desk.tab
      await desk.publish('/keyed/one', '<p>1</p>')
      await desk.tab.goto(desk.at('/sites/demo'))
      await desk.tab.getByRole('link', { name: '/keyed/one' }).waitFor()
      await keyboard.press('/')
      await keyboard.type('keyed')
      await desk.tab.getByText('1 of').waitFor()
      const focused = () => desk.tab.evaluate<string>('document.activeElement.textContent')
      for (let i = 0; i < 10 && !(await focused()).startsWith('/keyed/one'); i++) await keyboard.press('Tab')
      await keyboard.press('Enter')
      await desk.editor().waitFor()
      await keyboard.press('g')
      await keyboard.press('s')
      await desk.tab.waitForURL(desk.at('/'))
      await desk.tab.goto(desk.at('/sites/demo'))
      await desk.tab.getByRole('link', { name: 'New page' }).waitFor()
      await keyboard.press('n')
      await desk.tab.getByLabel('Title').waitFor()
      await keyboard.type('Keyed two')
      await keyboard.press('Enter')
      await desk.editor().waitFor()
      await keyboard.press('?')
      await desk.tab.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
      await keyboard.press('Escape')
      await desk.tab.getByRole('dialog').waitFor({ state: 'detached' })
    })

    it('publishes a dropped file under its literal name, and none that is not UTF-8', async () => {
      await desk.tab.goto(desk.at('/sites/demo'))
      const drop = (name: string, buffer: Buffer) =>
        desk.tab.getByLabel('HTML files').setInputFiles([{ name, mimeType: 'text/html', buffer }])
      await drop('50%.html', Buffer.from('<p>half</p>'))
      await desk.said('1 page published as one change.')
      assert.equal(await desk.live('/50%25'), '<p>half</p>')
      await drop('latin.html', Buffer.from([0x3c, 0x70, 0x3e, 0xe9]))
      await desk.said(/latin\.html is not UTF-8/)
      assert.equal((await desk.service.visit('/latin')).status, 404)
    })

    it('publishes several dropped files in one commit', async () => {
      await desk.tab.goto(desk.at('/sites/demo'))
      const before = git(desk.service.gitdir(), 'rev-list', '--count', 'main')
      await desk.tab.getByLabel('HTML files').setInputFiles([
        { name: 'one.html', mimeType: 'text/html', buffer: Buffer.from('<p>1</p>') },
        { name: 'two.html', mimeType: 'text/html', buffer: Buffer.from('<p>2</p>') },
      ])
      await desk.said('2 pages published as one change.')
      assert.equal(await desk.live('/two'), '<p>2</p>')
      assert.equal(Number(git(desk.service.gitdir(), 'rev-list', '--count', 'main')), Number(before) + 1)
    })
  })

  describe('the editor of a page', () => {
    it('shows a preview of the draft, and publishes it with a note', async () => {
      const id = await desk.publish('/edited', '<h1>Old</h1>')
      await desk.tab.goto(desk.at(`/sites/demo/pages/${id}`))
      await desk.editor().waitFor()
      await desk.write('<h1>New</h1><script>document.title = "ran"</script>')
      const frame = desk.tab.frameLocator('iframe[title=Preview]')
      await frame.getByRole('heading', { name: 'New' }).waitFor()
      assert.equal(await desk.live('/edited'), '<h1>Old</h1>')
      await desk.button('Publish…').click()
      const box = desk.tab.getByRole('dialog', { name: 'Publish' })
      await box.getByText(`/edited at once`).waitFor()
      await box.getByLabel('Note for the history').fill('Better words')
      await desk.tab.keyboard.press('Enter')
      await desk.said('Published.')
      assert.match(await desk.live('/edited'), /New/)
      assert.match(git(desk.service.gitdir(), 'log', '-1', '--format=%an %B', 'main'), /Ada[\s\S]*Better words/)
    })

    for (const [path, field] of [
      ['/framed', 'X-Frame-Options: DENY'],
      ['/framed-too', "Content-Security-Policy: frame-ancestors 'none'"],
    ] as const)
      it(`shows the preview and the rendered comparison of a site with ${field}`, async () => {
        await desk.service
          .api()
          .put('/files?path=/_headers')
          .send(Buffer.from(`/*\n  ${field}\n`))
        await desk.publish(path, '<h1>Before</h1>')
        const id = await desk.publish(path, '<h1>Framed</h1>')
        await desk.tab.goto(desk.at(`/sites/demo/pages/${id}`))
        const preview = desk.tab.frameLocator('iframe[title=Preview]')
        await preview.getByRole('heading', { name: 'Framed' }).waitFor()
        await desk.write('<h1>Drafted</h1>')
        await preview.getByRole('heading', { name: 'Drafted' }).waitFor()
        await desk.tab.goto(desk.at(`/sites/demo/pages/${id}/history?from=1&to=2`))
        await desk.tab.frameLocator('iframe[title="Version 1"]').getByRole('heading', { name: 'Before' }).waitFor()
        await desk.tab.frameLocator('iframe[title="Version 2"]').getByRole('heading', { name: 'Framed' }).waitFor()
        const [name = '', value] = field.split(': ')
        assert.equal((await desk.service.visit(path)).get(name), value)
        await desk.service.api().delete('/files?path=/_headers').expect(200)
      })

    it('keeps a draft through a reload', async () => {
      const id = await desk.publish('/draft', '<p>published</p>')
      await desk.tab.goto(desk.at(`/sites/demo/pages/${id}`))
      await desk.write('<p>half a thought</p>')
      await desk.tab.reload()
      await desk.editor().getByText('half a thought').waitFor()
      await desk.tab.getByText('Saved', { exact: true }).waitFor()
      await desk.choose('More about this page', 'Delete the draft')
      await desk.tab.getByText('As published').waitFor()
      await desk.undo()
      await desk.editor().getByText('half a thought').waitFor()
    })

    it('compares the draft with a version that another person published, and loses neither', async () => {
      const id = await desk.publish('/contested', '<p>first</p>')
      await desk.tab.goto(desk.at(`/sites/demo/pages/${id}`))
      await desk.write('<p>mine</p>')
      await desk.publish('/contested', '<p>theirs</p>')
      await desk.publishDraft()
      const dialog = desk.tab.getByRole('dialog')
      await dialog.getByText('theirs', { exact: true }).waitFor()
      await dialog.getByText('mine', { exact: true }).waitFor()
      assert.equal(await desk.live('/contested'), '<p>theirs</p>')
      await desk.button('Publish mine over it', dialog).click()
      await desk.said('Published.')
      assert.equal(await desk.live('/contested'), '<p>mine</p>')
      const versions = await desk.service.api().get(`/pages/${id}/versions`)
      assert.equal((versions.body.data as unknown[]).length, 3)
    })

    it('unpublishes the page, and publishes it again on Undo', async () => {
      const id = await desk.publish('/gone', '<p>here</p>')
      await desk.tab.goto(desk.at(`/sites/demo/pages/${id}`))
      await desk.choose('More about this page', 'Unpublish')
      await desk.said(/is unpublished/)
      assert.equal((await desk.service.visit('/gone')).status, 404)
      await desk.undo()
      await desk.said(/is live again/)
      assert.equal(await desk.live('/gone'), '<p>here</p>')
    })
  })
})
