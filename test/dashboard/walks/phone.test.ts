import assert from 'node:assert/strict'
import type { Locator } from 'playwright-core'
import { signInAs } from '../../support/people/sign-in-as.js'
import { until } from '../../support/within.js'
import { type Desk, PHONE, sitDown } from '../desk.js'
import { type Hands, handsOn } from '../hands.js'
import { PHOTO } from './photo.js'

/** Each test goes on where the one before it ended. Each step is a touch of what the screen shows. */
describe('an editor on a phone', () => {
  let desk: Desk
  let phone: Hands

  before(async function () {
    desk = await sitDown(this)
    await desk.service.server.service.services.provisioner.createSite(desk.service.workspaceId, 'second')
    await desk.publish('/', '<title>Chess Club</title><h1>Chess Club</h1>')
    await desk.publish('/league', '<title>League</title><p>We lost.</p>')
    await desk.publish('/old-news', '<title>Old news</title><p>From last year.</p>')
    phone = handsOn(await desk.signInAs('editor', 'Edith', PHONE))
  })
  afterEach(async () => {
    assert.deepEqual(desk.complaints, [])
    assert.equal(await phone.tab.evaluate('document.documentElement.scrollWidth'), PHONE.viewport.width)
  })
  after(() => desk?.leave())

  /** Touches it where it is, once it lies inside the window. */
  const touch = async (target: Locator) => {
    await target.scrollIntoViewIfNeeded()
    const box = await target.boundingBox()
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= PHONE.viewport.width, String(target))
    await target.tap()
  }
  const main = () => phone.tab.getByRole('main')
  const find = async (words: string) => {
    await touch(phone.linkTo('Pages').first())
    await phone.tab.getByPlaceholder('Search path and title').fill(words)
  }
  const publish = async () => {
    await touch(phone.button('Publish…'))
    await touch(phone.button('Publish', phone.dialog('Publish')))
  }

  it('finds a page', async () => {
    await touch(phone.linkTo('demo'))
    await phone.tab.getByPlaceholder('Search path and title').fill('leag')
    await touch(phone.linkTo(/^League/, main()))
    await phone.editor().getByText('We lost.').waitFor()
  })

  it('corrects it, looks at it, and publishes it', async () => {
    await touch(phone.editor())
    await phone.write('<title>League</title><p>We won.</p>')
    await touch(phone.tab.getByRole('radio', { name: 'Preview' }))
    await phone.tab.frameLocator('iframe[title=Preview]').getByText('We won.').waitFor()
    await publish()
    await phone.said('Published.')
    assert.match(await desk.live('/league'), /We won\./)
  })

  it('puts a picture of the phone into it', async () => {
    await touch(phone.tab.getByRole('radio', { name: 'Write' }))
    await phone.tab.getByLabel('Insert an image').setInputFiles(PHOTO)
    await phone.editor().getByText('<img').waitFor()
    await publish()
    const live = await until(
      () => desk.live('/league'),
      (html) => html.includes('<img'),
    )
    const [, source = ''] = /<img src="([^"]+)"/.exec(live) ?? []
    assert.equal((await desk.service.visit(source)).type, 'image/png')
  })

  it('sees what the others did, and what one of them changed', async () => {
    await touch(phone.linkTo('Pages').first())
    await touch(phone.linkTo('History'))
    await phone.tab.getByText('Edith published League').first().waitFor()
    await touch(phone.tab.getByText('Test key published Old news'))
    await phone.tab.locator('ins').getByText('From last year.').waitFor()
  })

  it('publishes what somebody asked her to look at', async () => {
    const author = await signInAs(desk.service, 'author', { name: 'Anna' })
    const page = { path: '/invited', html: '<title>You are invited</title><p>On Friday</p>' }
    await author.send('post', '/pages?changeRequest=draft').send(page).expect(201)
    await touch(phone.linkTo('Pages').first())
    await touch(phone.tab.getByText(/^1 draft/))
    await touch(phone.linkTo('You are invited'))
    await phone.editor().getByText('On Friday').waitFor()
    await publish()
    await phone.tab.getByText('As published').waitFor()
    assert.match(await desk.live('/invited'), /On Friday/)
  })

  it('moves a page, and its old address leads to the new one', async () => {
    await find('old')
    await touch(phone.button('What to do with Old news'))
    await touch(phone.tab.getByRole('menuitem', { name: 'Rename or move…' }))
    await phone.dialog().getByLabel('New address').fill('/archive/old-news')
    await touch(phone.button('Check the links'))
    await touch(phone.button('Move'))
    await phone.said('Moved to /archive/old-news.')
    assert.equal((await desk.service.visit('/old-news')).get('location'), '/archive/old-news')
  })

  it('unpublishes a page, and takes that back', async () => {
    await touch(phone.button('What to do with Old news'))
    await touch(phone.tab.getByRole('menuitem', { name: 'Unpublish…' }))
    await touch(phone.button('Unpublish', phone.dialog()))
    await phone.said('Unpublished “Old news”.')
    assert.equal((await desk.service.visit('/archive/old-news')).status, 404)
    await touch(phone.button('Undo', phone.tab.locator('.notices')).last())
    await phone.said('It is as it was before.')
    assert.equal((await desk.service.visit('/archive/old-news')).status, 200)
  })
})
