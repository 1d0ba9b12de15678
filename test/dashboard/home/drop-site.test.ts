import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signInAs } from '../../support/people/sign-in-as.js'
import { type Desk, sitDown } from '../desk.js'
import { dropOn } from '../walks/drop-on.js'

const LONG = '<p>The same line again and again, which packs well.</p>\n'.repeat(1000)

describe('the dashboard: a site that is dropped', function () {
  this.timeout(120_000)
  let desk: Desk
  let folder: string

  before(async function () {
    desk = await sitDown(this)
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-drop-'))
    mkdirSync(join(folder, 'fair/img'), { recursive: true })
    mkdirSync(join(folder, 'fair/.cache'))
    writeFileSync(join(folder, 'fair/index.html'), '<h1>Dropped</h1>')
    writeFileSync(join(folder, 'fair/long.html'), LONG)
    writeFileSync(join(folder, 'fair/img/dot.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
    writeFileSync(join(folder, 'fair/.cache/secret.txt'), 'not for the site')
    const git = (...args: string[]) => execFileSync('git', args, { cwd: folder })
    git('init', '--quiet')
    git('add', '--all')
    const tree = git('write-tree').toString().trim()
    git('archive', '--format=zip', '--output=fair.zip', tree)
  })
  beforeEach(() => desk.complaints.splice(0))
  afterEach(() => assert.deepEqual(desk.complaints, []))
  after(async () => {
    rmSync(folder, { recursive: true, force: true })
    await desk?.leave()
  })

  it('takes no damaged archive', async () => {
    await desk.tab.goto(desk.at('/'))
    await desk.tab.getByRole('heading', { name: 'Drop a folder or zip' }).waitFor()
    await dropOn(desk.tab, 'no.zip', Buffer.from('this is none'))
    await desk.said('This file is no zip archive.')
    const cut = readFileSync(join(folder, 'fair.zip'))
    // The data of a packed file.
    const at = cut.indexOf('long.html') + 40
    cut.fill(0xff, at, at + 20)
    await dropOn(desk.tab, 'cut.zip', cut)
    await desk.said('This zip archive is damaged')
    assert.doesNotMatch(await desk.live('/'), /Dropped/)
  })

  it('publishes an archive as one change, without the folder around it and hidden names', async () => {
    await dropOn(desk.tab, 'fair.zip', readFileSync(join(folder, 'fair.zip')))
    await desk.tab.waitForURL(desk.at('/sites/demo'))
    await desk.said('3 files published.')
    assert.match(await desk.live('/'), /Dropped/)
    assert.equal(await desk.live('/long'), LONG)
    assert.equal((await desk.service.visit('/img/dot.svg')).status, 200)
    assert.equal((await desk.service.visit('/secret.txt')).status, 404)
  })

  it('publishes a chosen folder into a new site where there is none', async () => {
    const { catalog } = desk.service.server.service.services
    const createdAt = new Date().toISOString().replace(/\.\d+/, '')
    const { id: workspaceId } = await catalog.workspaces.create({ id: randomUUID(), name: 'Empty', createdAt })
    const { cookie } = await signInAs(desk.service, 'owner', { name: 'Olga', workspaceId })
    const context = await desk.newContext()
    const [name = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name, value, url: desk.at('/') }])
    const tab = await context.newPage()
    await tab.goto(desk.at('/'))
    await tab.getByLabel('Choose a folder').setInputFiles(join(folder, 'fair'))
    await tab.getByRole('textbox', { name: 'Name', exact: true }).fill('Spring fair')
    await tab.getByRole('button', { name: 'Create the site' }).click()
    await tab.waitForURL(desk.at('/sites/spring-fair'))
    await tab.locator('.notices').getByText('3 files published.').waitFor()
    assert.match((await desk.service.visit('/', 'spring-fair')).text, /Dropped/)
    await context.close()
  })
})
