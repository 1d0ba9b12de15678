import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { git } from '../support/git.js'
import { type Desk, sitDown } from './desk.js'
import { PHOTO } from './walks/photo.js'

const MAX_LINE_PIXELS = 40

describe('the dashboard: files', function () {
  this.timeout(120_000)
  let desk: Desk
  let folder: string

  before(async function () {
    desk = await sitDown(this)
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-upload-'))
    mkdirSync(join(folder, 'built/img'), { recursive: true })
    mkdirSync(join(folder, 'built/.cache'))
    writeFileSync(join(folder, 'built/img/dot.png'), PHOTO.buffer)
    writeFileSync(join(folder, 'built/style.css'), 'h1 { color: teal }')
    writeFileSync(join(folder, 'built/shown.html'), '<link rel=stylesheet href=/style.css><img src=/img/dot.png>')
    writeFileSync(join(folder, 'built/.cache/secret'), 'not for the site')
    writeFileSync(join(folder, 'other.css'), 'h1 { color: navy }')
    writeFileSync(join(folder, 'large.bin'), randomBytes(2 * 1024 * 1024))
    mkdirSync(join(folder, 'dropped/deep/er'), { recursive: true })
    writeFileSync(join(folder, 'dropped/deep/er/one.txt'), 'one')
    writeFileSync(join(folder, 'dropped/two.txt'), 'two')
  })
  beforeEach(() => desk.complaints.splice(0))
  afterEach(() => assert.deepEqual(desk.complaints, []))
  after(async () => {
    rmSync(folder, { recursive: true, force: true })
    await desk?.leave()
  })

  it('uploads a folder as one commit, without hidden files, and shows its files with their pictures', async () => {
    const commits = () => Number(git(desk.service.gitdir(), 'rev-list', '--count', 'main'))
    const before = commits()
    await desk.tab.goto(desk.at('/sites/demo/files'))
    await desk.tab.getByLabel('Upload a folder').last().setInputFiles(join(folder, 'built'))
    await desk.said(/3 files created, 0 replaced/)
    assert.equal(commits(), before + 1)
    await desk.tab.locator('.thumbnail img').waitFor()
    assert.deepEqual(await desk.tab.locator('.row strong').allTextContents(), ['/img/dot.png', '/style.css'])
    assert.match(await desk.live('/shown'), /img\/dot\.png/)
  })

  it('finds a file, says which pages use it, and copies its tag with its size', async () => {
    await desk.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await desk.tab.goto(desk.at('/sites/demo/files'))
    await desk.tab.getByPlaceholder('Search path').fill('dot')
    await desk.tab.getByText('/style.css').waitFor({ state: 'detached' })
    await desk.tab.getByText('/img/dot.png').click()
    const dialog = desk.tab.getByRole('dialog')
    await dialog.getByText('1 page: /shown').waitFor()
    await dialog.getByText('5 × 5').waitFor()
    await desk.button('Copy <img>', dialog).click()
    await desk.button('Copied', dialog).waitFor()
    const copied = await desk.tab.evaluate('navigator.clipboard.readText()')
    assert.equal(copied, '<img src="/img/dot.png" width="5" height="5" alt="">')
  })

  it('offers on each row to open, copy, rename and delete a file, and to go back to an earlier version', async () => {
    const api = desk.service.api((await desk.service.mint({ scopes: ['write'] })).key)
    await api.put('/files?path=/menu.txt').type('text/plain').send('one').expect(201)
    await api.put('/files?path=/menu.txt').type('text/plain').send('two').expect(200)
    await desk.tab.goto(desk.at('/sites/demo/files'))
    await desk.tab.getByRole('button', { name: 'What to do with /menu.txt' }).click()
    assert.deepEqual(await desk.tab.getByRole('menuitem').allInnerTexts(), [
      'Open',
      'Copy address',
      'Details',
      'History',
      'Rename or move…',
      'Delete…',
    ])
    await desk.tab.getByRole('menuitem', { name: 'History' }).click()
    await desk.button('Go back to version 1').click()
    await desk.said('/menu.txt is as in version 1 again.')
    assert.equal(await desk.live('/menu.txt'), 'one')
    await desk.choose('What to do with /menu.txt', 'Rename or move…')
    await desk.tab.getByLabel('New path').fill('/renamed.txt')
    await desk.button('Move').click()
    await desk.said('/menu.txt is now /renamed.txt.')
    assert.equal(await desk.live('/renamed.txt'), 'one')
    await desk.choose('What to do with /renamed.txt', 'Delete…')
    await desk.button('Delete', desk.tab.getByRole('dialog')).click()
    await desk.said('/renamed.txt is deleted.')
  })

  it('replaces a file at its path, deletes it with a warning if pages use it, and restores it', async () => {
    await desk.tab.goto(desk.at('/sites/demo/files'))
    await desk.tab.getByText('/style.css').click()
    await desk.tab.getByLabel('Another file for this path').setInputFiles(join(folder, 'other.css'))
    await desk.said('/style.css is replaced.')
    assert.equal(await desk.live('/style.css'), 'h1 { color: navy }')
    await desk.tab.getByText('/style.css', { exact: true }).first().click()
    const dialog = desk.tab.getByRole('dialog')
    await dialog.getByText('links of these pages lead nowhere').waitFor()
    await desk.button('Delete anyway', dialog).click()
    await desk.said('/style.css is deleted.')
    await desk.service.visit('/style.css').expect(404)
    await desk.undo()
    await desk.said('/style.css is back.')
    assert.equal(await desk.live('/style.css'), 'h1 { color: navy }')
  })

  it('shows the actions for a file while it looks for pages that use it, and deletes none before it knows', async () => {
    let letGo = () => {}
    const held = new Promise<void>((resolve) => (letGo = resolve))
    await desk.tab.route(/dryRun=true/, async (route) => {
      await held
      await route.continue()
    })
    await desk.tab.goto(desk.at('/sites/demo/files'))
    await desk.tab.getByText('/style.css').click()
    const dialog = desk.tab.getByRole('dialog')
    const waiting = await dialog.locator('.loading').boundingBox()
    assert.ok(waiting !== null && waiting.height <= MAX_LINE_PIXELS, `the buttons are ${waiting?.height} pixels below`)
    assert.equal(await desk.button('Delete', dialog).isDisabled(), true)
    letGo()
    await dialog.getByText('1 page: /shown').waitFor()
    assert.equal(await desk.button('Delete anyway', dialog).isDisabled(), false)
    await desk.tab.unroute(/dryRun=true/)
  })

  it('asks again which pages use a file while not all are checked, and warns of its deletion meanwhile', async () => {
    let asked = 0
    await desk.tab.route(/dryRun=true/, async (route) => {
      asked += 1
      const response = await route.fetch()
      const body = (await response.json()) as { data: { dryRun: { warnings: object[] } } }
      // Simulates a busy machine, where the search for links has not followed the last write yet.
      if (asked === 1) body.data.dryRun.warnings = [{ code: 'links_unchecked', path: null, message: 'Not every page.' }]
      await route.fulfill({ response, json: body })
    })
    await desk.tab.goto(desk.at('/sites/demo/files'))
    await desk.tab.getByText('/style.css').click()
    const dialog = desk.tab.getByRole('dialog')
    await dialog.getByText('no page that was checked (not all were)').waitFor()
    assert.equal(await desk.button('Delete anyway', dialog).isDisabled(), false)
    await dialog.getByText('1 page: /shown').waitFor()
    await desk.tab.unroute(/dryRun=true/)
    assert.equal(asked, 2)
  })

  it('does not replace a file that another person changed after it was shown', async () => {
    await desk.tab.goto(desk.at('/sites/demo/files'))
    await desk.tab.getByText('/style.css').click()
    await desk.service.api().put('/files?path=/style.css').type('text/css').send('h1 { color: red }').expect(200)
    await desk.tab.getByLabel('Another file for this path').setInputFiles(join(folder, 'other.css'))
    await desk.said('Somebody else changed /style.css meanwhile. Look at it before you change it.')
    assert.equal(await desk.live('/style.css'), 'h1 { color: red }')
  })

  it('accepts a folder dropped on the list, and shows the list as a target meanwhile', async () => {
    await desk.tab.goto(desk.at('/sites/demo/files'))
    await desk.tab.getByText('/style.css').waitFor()
    const browser = await desk.context.newCDPSession(desk.tab)
    const data = { items: [], files: [join(folder, 'dropped')], dragOperationsMask: 1 }
    const drag = (type: 'dragEnter' | 'dragOver' | 'drop') =>
      browser.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data })
    await drag('dragEnter')
    await drag('dragOver')
    await desk.tab.locator('.drop-zone.over').waitFor()
    await drag('drop')
    await desk.said(/2 files created, 0 replaced/)
    assert.equal(await desk.live('/deep/er/one.txt'), 'one')
    assert.equal(await desk.tab.locator('.drop-zone.over').count(), 0)
  })

  it('shows the progress of an upload, and publishes nothing of a cancelled one', async () => {
    await desk.tab.goto(desk.at('/sites/demo/files'))
    await desk.tab.getByText('/style.css').waitFor()
    const browser = await desk.context.newCDPSession(desk.tab)
    await browser.send('Network.enable')
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 50_000 }
    await browser.send('Network.emulateNetworkConditions', slow)
    await desk.tab.getByLabel('Upload files').last().setInputFiles(join(folder, 'large.bin'))
    await desk.tab.getByRole('progressbar', { name: 'Uploading' }).waitFor()
    await desk.tab.getByText('Uploading 0 of 1 file…').waitFor()
    await desk.button('Cancel').click()
    await desk.said('The upload was cancelled: nothing was published.')
    await browser.send('Network.emulateNetworkConditions', { ...slow, uploadThroughput: -1 })
    await desk.service.visit('/large.bin').expect(404)
    await desk.tab.getByRole('button', { name: 'Upload files' }).waitFor()
  })

  it('leaves out a name that no site can serve, uploads the others, and says which it is until it is closed', async () => {
    await desk.tab.goto(desk.at('/sites/demo/files'))
    await desk.tab
      .getByLabel('Upload files')
      .last()
      .setInputFiles([
        { name: 'fine.txt', mimeType: 'text/plain', buffer: Buffer.from('fine') },
        { name: 'back\\slash.txt', mimeType: 'text/plain', buffer: Buffer.from('no') },
      ])
    await desk.said(/1 file created, 0 replaced/)
    const dialog = desk.tab.getByRole('dialog', { name: '1 file left out' })
    await dialog.getByText('back\\slash.txt', { exact: true }).waitFor()
    assert.match(await dialog.getByRole('listitem').innerText(), /back\\slash\.txt\s+\S.*backslash/)
    assert.equal(await desk.live('/fine.txt'), 'fine')
    await desk.button('Close', dialog).click()
    await dialog.waitFor({ state: 'detached' })
  })

  describe('of a folder with many', () => {
    before(async () => {
      const api = desk.service.api((await desk.service.mint({ scopes: ['admin'] })).key)
      await api.post('/sites').send({ slug: 'many' }).expect(201)
      mkdirSync(join(folder, 'many/docs'), { recursive: true })
      for (let n = 1; n <= 24; n += 1)
        writeFileSync(join(folder, `many/docs/page-${n}.html`), `<h1>${n}</h1><link rel=stylesheet href=/style.css>`)
      writeFileSync(join(folder, 'many/style.css'), 'h1 { color: teal }')
      writeFileSync(join(folder, 'many/_redirects'), '/old\n')
    })

    it('says what it does in place of saying that there is nothing, and keeps faults of rules beside their editor', async () => {
      const { tab } = desk
      await tab.goto(desk.at('/sites/many/files'))
      await tab.getByText('No files yet').waitFor()
      let letGo = () => {}
      const held = new Promise<void>((resolve) => (letGo = resolve))
      await tab.route('**/api/v1/deploys', async (route) => {
        await held
        await route.continue()
      })
      await tab.getByLabel('Upload a folder').last().setInputFiles(join(folder, 'many'))
      await tab.getByText('Reading 26 of 26 files…').waitFor()
      assert.equal(await tab.getByText('No files yet').count(), 0)
      letGo()
      const dialog = desk.dialog('Published, with something to look at')
      await dialog.getByText('_redirects, line 1').waitFor()
      await desk.linkTo('Edit _redirects', dialog).click()
      await tab.waitForURL(desk.at('/sites/many/files/_redirects'))
      await dialog.waitFor({ state: 'detached' })
    })

    it('are folded by folder in the details of the change, in their order, and can be searched', async () => {
      const { tab } = desk
      await tab.goto(desk.at('/sites/many/history'))
      await tab.locator('.change summary').first().click()
      const details = tab.locator('.change .details').first()
      await details.locator('summary', { hasText: '/docs/' }).click()
      const names = details.locator('.files').last().getByRole('listitem')
      await names.nth(23).waitFor()
      assert.match(`${await names.nth(1).innerText()} ${await names.nth(23).innerText()} `, /page-2 .*page-24 /s)
      await tab.getByPlaceholder('Find in these files').fill('PAGE-7')
      await details.getByRole('link', { name: '/docs/page-7', exact: true }).waitFor()
      await details.locator('.files').getByRole('listitem').nth(1).waitFor({ state: 'detached' })
    })

    it('that use a file are links, folded where they are many', async () => {
      const { tab } = desk
      await tab.goto(desk.at('/sites/many/files'))
      await tab.getByText('/style.css').click()
      const dialog = tab.getByRole('dialog')
      await dialog.getByText(/^24 pages|^20 pages/).click()
      const link = dialog.getByRole('link', { name: '/docs/page-1', exact: true })
      assert.match((await link.getAttribute('href')) ?? '', /^http:\/\/many\.localhost:\d+\/docs\/page-1$/)
    })
  })
})
