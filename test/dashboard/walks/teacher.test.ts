import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Desk, sitDown } from '../desk.js'
import { type Hands, handsOn } from '../hands.js'
import { addDevice } from '../people/device.js'
import { dropOn } from './drop-on.js'
import { PHOTO } from './photo.js'

const WEEK_MS = 7 * 24 * 3600 * 1000

/** Each test goes on where the one before it ended. Nobody types an address: each step is found on the screen. */
describe('a teacher who writes no HTML', () => {
  let desk: Desk
  let teacher: Hands
  let folder: string
  /** The service lives in the week before, until the teacher comes back. */
  let ago = WEEK_MS

  before(async function () {
    desk = await sitDown(this, { clock: () => new Date(Date.now() - ago) })
    const context = await desk.newContext({ offersPasskeys: true, viewport: { width: 1280, height: 800 } })
    teacher = handsOn(await context.newPage())
    await addDevice(teacher.tab)
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-teacher-'))
  })
  afterEach(() => assert.deepEqual(desk.complaints, []))
  after(async () => {
    rmSync(folder, { recursive: true, force: true })
    await desk?.leave()
  })

  const visit = (path: string) => desk.service.visit(path, 'class-4b')
  const openPages = async () => await teacher.linkTo('Pages').click()

  it('comes in by an invitation, says a name, and adds a passkey', async () => {
    await desk.linkTo('Members').click()
    await desk.button('Invite a person').click()
    await desk.dialog().getByLabel('admin:').check()
    await desk.button('Make the link').click()
    const link = (await desk.dialog().getByRole('region', { name: 'The link' }).innerText()).trim()
    await teacher.tab.goto(link)
    await teacher.sees(/^Ada invites you to /)
    await teacher.tab.getByLabel('Your name').fill('Theresa Lehr')
    await teacher.button('Join').click()
    await teacher.button('Add a passkey').click()
    await teacher.sees(/^You are in /)
    await teacher.button('Go to the sites').click()
    await teacher.sees('Sites')
  })

  it('makes a site by saying its name', async () => {
    await teacher.button('New site').click()
    await teacher.tab.getByRole('textbox', { name: 'Name', exact: true }).fill('Class 4b')
    await teacher.button('Create the site').click()
    await teacher.said('Class 4b is live at class-4b.localhost')
    await teacher.sees('Class 4b')
    assert.equal((await visit('/')).status, 404)
  })

  it('writes a page in plain words, sees it, and publishes it', async () => {
    await teacher.linkTo('Write a page').click()
    await teacher.tab.getByLabel('Title').fill('Our spring fair')
    await teacher.button('Create').click()
    await teacher.write('Our spring fair\n\nCome on Saturday at ten.\n\n- Cakes\n- Musik')
    await teacher.button('Make paragraphs of this text').click()
    const preview = teacher.tab.frameLocator('iframe[title=Preview]')
    await preview.getByRole('listitem').filter({ hasText: 'Musik' }).waitFor()
    await teacher.publishDraft()
    await teacher.tab.getByText('As published').waitFor()
    assert.match((await visit('/')).text, /<h1>Our spring fair<\/h1>\n<p>Come on Saturday at ten\.<\/p>/)
  })

  it('puts a picture into the page', async () => {
    await teacher.tab.getByLabel('Insert an image').setInputFiles(PHOTO)
    await teacher.editor().getByText('<img').waitFor()
    await teacher.publishDraft()
    await teacher.tab.getByText('As published').waitFor()
    const [, source = ''] = /<img src="([^"]+)"/.exec((await visit('/')).text) ?? []
    assert.equal((await visit(source)).type, 'image/png')
    await teacher.linkTo('Pages').click()
    await teacher.choose('Theresa Lehr', 'Sign out')
    await teacher.sees('Sign in')
  })

  it('comes back a week later by the passkey, finds the page by a word of it, and corrects that word', async () => {
    ago = 0
    await teacher.button('Sign in with a passkey').click()
    await teacher.linkTo('Class 4b').click()
    await teacher.tab.getByLabel('Search in').selectOption('text')
    await teacher.tab.getByPlaceholder('Search text').fill('Musik')
    await teacher.tab
      .getByRole('main')
      .getByRole('link', { name: /Our spring fair/ })
      .click()
    await teacher.editor().getByText('Musik').waitFor()
    await teacher.write((await visit('/')).text.replace('Musik', 'Music'))
    await teacher.publishDraft()
    await teacher.tab.getByText('As published').waitFor()
    assert.match((await visit('/')).text, /<li>Music/)
  })

  it('sees on which day what was changed, and takes the newest change back', async () => {
    await openPages()
    await teacher.linkTo('History').click()
    const today = teacher.tab.getByRole('region', { name: 'Today' })
    await today.getByText('Theresa Lehr published Our spring fair').click()
    await today.locator('ins').first().waitFor()
    assert.equal((await today.locator('ins').allTextContents()).join('').trim(), '<li>Music</li>')
    assert.equal(await teacher.tab.getByRole('region').filter({ hasText: 'published Our spring fair' }).count(), 2)
    await teacher.button('More about “Our spring fair”', today).click()
    await teacher.tab.getByRole('menuitem', { name: 'Take this back…', exact: true }).click()
    await teacher.button('Take it back', teacher.dialog('Take this back')).click()
    await teacher.said(/^Taken back: /)
    assert.match((await visit('/')).text, /<li>Musik/)
    await teacher.undo()
    await teacher.said('It is as it was before.')
    assert.match((await visit('/')).text, /<li>Music/)
  })

  it('drops a zip on the pages, and what is in it is live beside them', async () => {
    mkdirSync(join(folder, 'trip'))
    writeFileSync(join(folder, 'trip/to-the-zoo.html'), '<title>To the zoo</title><img src="/trip/lion.png">')
    writeFileSync(join(folder, 'trip/lion.png'), PHOTO.buffer)
    execFileSync('git', ['init', '--quiet'], { cwd: folder })
    execFileSync('git', ['add', '--all'], { cwd: folder })
    const tree = execFileSync('git', ['write-tree'], { cwd: folder, encoding: 'utf8' }).trim()
    execFileSync('git', ['archive', '--format=zip', '--prefix=site/', '--output=site.zip', tree], { cwd: folder })
    await openPages()
    await teacher.linkTo(/^Our spring fair/).waitFor()
    await dropOn(teacher.tab, 'site.zip', readFileSync(join(folder, 'site.zip')))
    await teacher.said('2 files created')
    await teacher.linkTo(/^To the zoo/).waitFor()
    assert.equal((await visit('/trip/lion.png')).type, 'image/png')
  })

  it('keeps a list of cakes, and fills it by a form', async () => {
    await teacher.linkTo('Collections').click()
    await teacher.button('New collection').click()
    await teacher.tab.getByLabel('Title', { exact: true }).fill('Cakes')
    await teacher.button('Add a field').click()
    await teacher.tab.keyboard.insertText('Brought by')
    await teacher.button('Create the collection').click()
    for (const [cake, parent] of [
      ['Apple cake', 'Mia'],
      ['Cheese cake', 'Noah'],
    ] as const) {
      await teacher.button('New record').click()
      await teacher.dialog().getByLabel('Title').fill(cake)
      await teacher.dialog().getByLabel('Brought by').fill(parent)
      await teacher.button('Add', teacher.dialog()).last().click()
      await teacher.said(`Added ${cake} to Cakes.`)
    }
    await teacher.tab.getByRole('row', { name: 'Cheese cake' }).getByText('Noah').waitFor()
  })
})
