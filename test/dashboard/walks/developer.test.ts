import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from '../../scenarios/commands.js'
import { git } from '../../support/git.js'
import { type Desk, sitDown } from '../desk.js'
import { type Program, startProgram } from '../people/program.js'

const SCHEMA = {
  title: 'Releases',
  type: 'object',
  required: ['title'],
  properties: { title: { type: 'string' }, year: { type: 'integer' } },
}

/** Each test goes on where the one before it ended. The dashboard is open beside a terminal and an agent. */
describe('a developer', () => {
  let desk: Desk
  let program: Program
  let folder: string
  let key: string
  let agent: string

  before(async function () {
    desk = await sitDown(this)
    program = await startProgram(desk)
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-developer-'))
  })
  afterEach(() => assert.deepEqual(desk.complaints, []))
  after(async () => {
    program?.stop()
    rmSync(folder, { recursive: true, force: true })
    await desk?.leave()
  })

  const palimpsest = async (...args: string[]) => {
    const env = { PATH: process.env['PATH'], HOME: folder, PALIMPSEST_URL: desk.at(''), SERVICE_API_TOKEN: key }
    const { code, stdout, stderr } = await runCommand({ args, cwd: folder, env })
    assert.equal(code, 0, stderr)
    return stdout
  }
  const openSite = async () => {
    await desk.linkTo('Sites').click()
    await desk.linkTo('demo').click()
  }

  it('makes a key for a build, and takes it along', async () => {
    await desk.linkTo('API keys').click()
    await desk.button('New key').click()
    await desk.dialog().getByLabel('Label').fill('build')
    await desk.dialog().getByLabel('Publish', { exact: true }).check()
    await desk.button('Create the key').click()
    key = (await desk.dialog().getByLabel('The key', { exact: true }).innerText()).trim()
    await desk.button('Close', desk.dialog()).click()
    await desk.tab.getByRole('row', { name: /build/ }).waitFor()
  })

  it('publishes a folder from a terminal, and sees its pages in the dashboard', async () => {
    await openSite()
    mkdirSync(join(folder, 'dist/docs'), { recursive: true })
    writeFileSync(join(folder, 'dist/index.html'), '<title>Product</title><h1>Product 1.0</h1>')
    writeFileSync(join(folder, 'dist/docs/start.html'), '<title>Get started</title><p>Install it</p>')
    await palimpsest('publish', 'dist', '--message', 'Release 1.0')
    writeFileSync(join(folder, 'dist/index.html'), '<title>Product</title><h1>Product 1.1</h1>')
    await palimpsest('publish', 'dist', '--message', 'Release 1.1')
    await desk.tab.reload()
    await desk.tab.getByRole('link', { name: /^Get started/ }).waitFor()
    assert.match(await desk.live('/'), /Product 1\.1/)
  })

  it('connects an agent, sees what it did, and undoes it', async () => {
    agent = await program.connect(desk.tab)
    await desk.service.api(agent).put('/pages?path=/by-agent').send({ html: '<p>By an agent</p>' }).expect(201)
    await desk.tab.goto(desk.at('/'))
    await desk.linkTo('Agents').click()
    await desk.tab.getByRole('row', { name: /Test agent/ }).waitFor()
    await desk.linkTo('Work').click()
    await desk.button(/^Undo: Test agent /).click()
    await desk.button('Undo it', desk.dialog()).click()
    await desk.said('The work of Test agent is undone.')
    assert.equal((await desk.service.visit('/by-agent')).status, 404)
  })

  it('finds the commit of a change, as git has it', async () => {
    await openSite()
    await desk.linkTo('History').click()
    await desk.tab.getByText('Release 1.1').click()
    await desk.tab.getByText('Details for developers').click()
    const command = desk.tab.getByText(/^git show [0-9a-f]{10}$/)
    const [, , commit = ''] = (await command.innerText()).split(' ')
    assert.equal(git(desk.service.gitdir(), 'log', '-1', '--format=%s', commit), 'Release 1.1')
  })

  it('compares two versions of a page, and goes back to the earlier one', async () => {
    await desk.linkTo('Pages').click()
    await desk.choose('What to do with Product', 'History')
    await desk.choose('More about version 2', 'What changed since then')
    await desk.tab
      .frameLocator('iframe[title="Version 3"]')
      .locator('h1', { hasText: 'Product 1.1' })
      .locator('ins')
      .waitFor()
    await desk.tab.getByLabel('HTML side by side').check()
    await desk.tab.getByRole('textbox', { name: 'Earlier version' }).getByText('Product 1.0').waitFor()
    await desk.choose('More about version 2', 'Go back to version 2…')
    await desk.button('Go back', desk.dialog()).click()
    await desk.said(/as it was in version 2/)
    assert.match(await desk.live('/'), /Product 1\.0/)
  })

  it('makes a collection of a JSON Schema, fills it from a CSV, and takes it out again', async () => {
    await openSite()
    await desk.linkTo('Collections').click()
    await desk.button('New collection').click()
    await desk.dialog().getByLabel('Title', { exact: true }).fill('Releases')
    await desk.dialog().getByLabel('JSON Schema').check()
    await desk
      .dialog()
      .getByRole('textbox', { name: /^JSON Schema/ })
      .click()
    await desk.tab.keyboard.press('Control+A')
    await desk.tab.keyboard.insertText(JSON.stringify(SCHEMA))
    await desk.button('Create the collection').click()
    await desk.sees('Releases')
    await desk.choose('Actions for Releases', 'Import CSV…')
    const csv = {
      name: 'releases.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('title,year\r\n1.0,2025\r\n1.1,2026\r\n'),
    }
    await desk.tab.getByLabel('A CSV file').setInputFiles(csv)
    await desk.button('Import 2 records').click()
    await desk.said('Added 2 records to Releases.')
    const download = desk.tab.waitForEvent('download')
    await desk.choose('Actions for Releases', 'Export as CSV')
    assert.match(readFileSync(await (await download).path(), 'utf8'), /1\.1,2026/)
  })

  it('names the site, and finds its address for programs', async () => {
    await desk.linkTo('Settings').click()
    await desk.tab.getByLabel('Name of the site').fill('Product')
    await desk.button('Save the name').click()
    await desk.sees('Product')
    await desk.linkTo('For programs').click()
    await desk.tab.getByText(`x-service-site-id: ${desk.service.site.id}`).waitFor()
  })

  it('protects the site from agents, and publishes what one then asks for', async () => {
    await desk.linkTo('Protection').click()
    await desk.tab.getByLabel('Agents ask').check()
    await desk.button('Save the protection').click()
    await desk.said('The protection is saved.')
    const page = { html: '<title>Proposed</title><p>May I?</p>' }
    await desk.service.api(agent).put('/pages?path=/asked').send(page).expect(403)
    await desk.service.api(agent).put('/pages?path=/asked&changeRequest=new').send(page).expect(201)
    await desk.linkTo('Pages').click()
    await desk.tab.getByText(/^1 draft/).click()
    await desk.linkTo(/^Changes by /).click()
    await desk.tab.frameLocator('iframe[title="/asked with this change"]').getByText('May I?').waitFor()
    await desk.button('Publish').click()
    await desk.said('Published.')
    assert.match(await desk.live('/asked'), /May I\?/)
  })

  it('reads in the audit log who did what, and saves it', async () => {
    await desk.tab.goto(desk.at('/'))
    await desk.linkTo('Audit').click()
    await desk.tab.getByRole('row').filter({ hasText: 'Connected Test agent' }).waitFor()
    const download = desk.tab.waitForEvent('download')
    await desk.button('Export').click()
    assert.match(readFileSync(await (await download).path(), 'utf8'), /"action":"key\.create/)
  })
})
