import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { git } from '../support/git.js'
import { type Desk, sitDown } from './desk.js'

/** A red dot of 5 × 5 pixels. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==',
  'base64',
)

describe('the dashboard: files', function () {
  this.timeout(120_000)
  let desk: Desk
  let folder: string

  before(async function () {
    desk = await sitDown(this)
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-upload-'))
    mkdirSync(join(folder, 'built/img'), { recursive: true })
    mkdirSync(join(folder, 'built/.cache'))
    writeFileSync(join(folder, 'built/img/dot.png'), PNG)
    writeFileSync(join(folder, 'built/style.css'), 'h1 { color: teal }')
    writeFileSync(join(folder, 'built/shown.html'), '<link rel=stylesheet href=/style.css><img src=/img/dot.png>')
    writeFileSync(join(folder, 'built/.cache/secret'), 'not for the site')
    writeFileSync(join(folder, 'other.css'), 'h1 { color: navy }')
  })
  beforeEach(() => desk.complaints.splice(0))
  afterEach(() => assert.deepEqual(desk.complaints, []))
  after(async () => {
    rmSync(folder, { recursive: true, force: true })
    await desk?.leave()
  })

  it('uploads a folder as one commit, without what is hidden, and shows its files with their pictures', async () => {
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

  it('replaces a file at its path, deletes it, and brings it back', async () => {
    await desk.tab.goto(desk.at('/sites/demo/files'))
    await desk.tab.getByText('/style.css').click()
    await desk.tab.getByLabel('Another file for this path').setInputFiles(join(folder, 'other.css'))
    await desk.said('/style.css is replaced.')
    assert.equal(await desk.live('/style.css'), 'h1 { color: navy }')
    await desk.tab.getByText('/style.css', { exact: true }).first().click()
    await desk.button('Delete', desk.tab.getByRole('dialog')).click()
    await desk.said('/style.css is deleted.')
    await desk.service.visit('/style.css').expect(404)
    await desk.undo()
    await desk.said('/style.css is back.')
    assert.equal(await desk.live('/style.css'), 'h1 { color: navy }')
  })

  it('uploads nothing of a selection in which one name cannot be taken, and says which', async () => {
    await desk.tab.goto(desk.at('/sites/demo/files'))
    await desk.tab
      .getByLabel('Upload files')
      .last()
      .setInputFiles([
        { name: 'fine.txt', mimeType: 'text/plain', buffer: Buffer.from('fine') },
        { name: 'what?.txt', mimeType: 'text/plain', buffer: Buffer.from('no') },
      ])
    await desk.said(/what\?\.txt/)
    await desk.service.visit('/fine.txt').expect(404)
  })
})
