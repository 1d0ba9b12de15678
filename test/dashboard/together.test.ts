import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { type Desk, sitDown } from './desk.js'

/** Longer than a person needs to press a key again. */
const SLOW_MS = 400
const SAVE = /content\?onConflict=merge/
const EARLIER = '<title>Fair</title>\n<p>one</p>\n<p>two</p>\n<p>three</p>\n'

describe('the dashboard: two people at one page', () => {
  let desk: Desk
  let page: string

  before(async function () {
    desk = await sitDown(this)
  })
  beforeEach(() => desk.complaints.splice(0))
  afterEach(() => assert.deepEqual(desk.complaints, []))
  after(() => desk?.leave())

  const open = async (path: string, html = EARLIER) => {
    page = await desk.publish(path, html)
    await desk.tab.goto(desk.at(`/sites/demo/pages/${page}`))
    await desk.editor().getByText('two').waitFor()
  }
  /** Replaces the page as another person's program does. */
  const publish = async (html: string) => {
    await desk.service.api().put(`/pages/${page}/content`).send({ html }).expect(200)
  }
  const edited = async () => (await desk.editor().innerText()).replaceAll('\u00a0', ' ').trimEnd()
  const dialog = () => desk.tab.getByRole('dialog', { name: 'The same lines were changed meanwhile' })
  const versions = async () => {
    const { body } = await desk.service.api().get(`/pages/${page}/versions`).expect(200)
    return (body.data as unknown[]).length
  }

  it('publishes both changes where they do not overlap, and shows the other change', async () => {
    await open('/together')
    await desk.write(EARLIER.replace('three', 'mine'))
    await publish(EARLIER.replace('one', 'theirs'))
    await desk.publishDraft()
    await desk.said('Published.')
    const both = EARLIER.replace('one', 'theirs').replace('three', 'mine')
    assert.equal(await desk.live('/together'), both)
    await desk.editor().getByText('theirs').waitFor()
    assert.equal(await edited(), both.trimEnd())
    await desk.tab.getByText('As published').waitFor()
  })

  it('puts both texts into the editor where they overlap, and publishes none before the person has chosen', async () => {
    await open('/same-line')
    await desk.write(EARLIER.replace('two', 'mine').replace('three', 'my third'))
    const theirs = EARLIER.replace('two', 'theirs').replace('<title>', '<title>Their ')
    await publish(theirs)
    await desk.publishDraft()
    await desk.button('Put both into the editor', dialog()).click()
    await desk.tab.getByText('Both texts are in the editor. Choose at line 3').waitFor()
    const [title, one, start, ...lines] = (await edited()).split('\n')
    assert.deepEqual([title, one], ['<title>Their Fair</title>', '<p>one</p>'])
    assert.match(start ?? '', /^<<<<<<< Live now, by /)
    assert.deepEqual(lines, [
      '<p>theirs</p>',
      '<p>three</p>',
      '======= Yours',
      '<p>mine</p>',
      '<p>my third</p>',
      '>>>>>>> End of both',
    ])
    assert.ok(await desk.button('Publish…').isDisabled())
    await desk.tab.keyboard.press('Control+S')
    await desk.said(/^Choose between the two texts at line 3/)
    assert.equal(await desk.live('/same-line'), theirs)
    await desk.tab.reload()
    await desk.tab.getByText('Both texts are in the editor. Choose at line 3').waitFor()
    const chosen = EARLIER.replace('two', 'theirs and mine')
    await desk.write(chosen)
    await desk.publishDraft()
    await desk.said('Published.')
    assert.equal(await desk.live('/same-line'), chosen)
  })

  it('can publish over what the other person wrote, or take that', async () => {
    await open('/choices')
    await desk.write(EARLIER.replace('two', 'mine'))
    await publish(EARLIER.replace('two', 'theirs'))
    await desk.publishDraft()
    await desk.button('Publish mine over it', dialog()).click()
    await desk.said('Published.')
    assert.equal(await desk.live('/choices'), EARLIER.replace('two', 'mine'))
    await desk.write(EARLIER.replace('two', 'mine again'))
    await publish(EARLIER.replace('two', 'theirs again'))
    await desk.publishDraft()
    await desk.button('Take theirs', dialog()).click()
    await desk.editor().getByText('theirs again').waitFor()
    assert.equal(await desk.live('/choices'), EARLIER.replace('two', 'theirs again'))
  })

  it('keeps what is typed while a merge is published, and merges that too', async () => {
    await open('/typing')
    const mine = EARLIER.replace('three', 'mine')
    await desk.write(mine)
    await desk.tab.getByText('Saved', { exact: true }).waitFor()
    await publish(EARLIER.replace('one', 'theirs'))
    await desk.tab.route('**/publish', async (route) => {
      await desk.editor().focus()
      await desk.tab.keyboard.press('Control+End')
      await desk.tab.keyboard.insertText('<p>typed</p>\n')
      await route.continue()
    })
    await desk.publishDraft()
    await desk.said('Published.')
    await desk.tab.unroute('**/publish')
    assert.equal(await desk.live('/typing'), mine.replace('one', 'theirs'))
    assert.equal(await edited(), `${mine}<p>typed</p>`)
    await desk.tab.keyboard.press('Control+S')
    await dialog().waitFor()
    await desk.button('Put both into the editor', dialog()).click()
    await desk.tab.getByText(/^Both texts are in the editor/).waitFor()
    const text = await edited()
    for (const word of ['theirs', 'mine', 'typed']) assert.ok(text.includes(word), text)
  })

  it('publishes once, however often and by whatever way the person publishes', async () => {
    await open('/once')
    const sent: string[] = []
    desk.tab.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/publish')) sent.push(request.url())
    })
    await desk.tab.route(SAVE, async (route) => {
      await pause(SLOW_MS)
      await route.continue()
    })
    await desk.write(EARLIER.replace('three', 'hasty'))
    await desk.button('Publish…').click()
    await desk.tab.keyboard.press('Control+S')
    await desk.button('Publish', desk.tab.getByRole('dialog')).dblclick()
    await desk.tab.keyboard.down('Control')
    for (let press = 0; press < 20; press++) await desk.tab.keyboard.down('s')
    await desk.tab.keyboard.up('Control')
    await desk.said('Published.')
    await desk.tab.keyboard.press('Control+S')
    await desk.said('There is nothing to save')
    await desk.tab.unroute(SAVE)
    assert.equal(sent.length, 1)
    assert.equal(await versions(), 2)
    assert.equal(await dialog().count(), 0)
  })

  it('keeps the line ends of a page: an edit changes one line, and others can be merged', async () => {
    const crlf = EARLIER.replaceAll('\n', '\r\n')
    await open('/crlf', crlf)
    await desk.editor().getByText('three').click()
    await desk.tab.keyboard.press('End')
    await desk.tab.keyboard.insertText('<p>mine</p>')
    await publish(crlf.replace('one', 'theirs'))
    await desk.publishDraft()
    await desk.said('Published.')
    assert.equal(await desk.live('/crlf'), crlf.replace('one', 'theirs').replace('three</p>', 'three</p><p>mine</p>'))
  })

  it('puts both texts of rules into their editor too', async () => {
    const put = (rules: string) => desk.service.api().put('/files?path=/_redirects').type('text/plain').send(rules)
    await put('/same /together\n').expect(201)
    await desk.tab.goto(desk.at('/sites/demo/files/_redirects'))
    const text = desk.tab.getByRole('textbox', { name: '_redirects' })
    await text.getByText('/same').waitFor()
    await text.click()
    await desk.tab.keyboard.press('Control+End')
    await desk.tab.keyboard.insertText('/mine /together')
    await put('/same /together\n/theirs /together\n').expect(200)
    await desk.button('Publish').click()
    const conflict = desk.tab.getByRole('dialog', { name: 'Somebody else changed _redirects' })
    await desk.button('Put both into the editor', conflict).click()
    await desk.tab.getByText('Both texts are in the editor. Choose at line 2').waitFor()
    for (const word of ['/theirs', '/mine']) await text.getByText(word).waitFor()
    assert.ok(await desk.button('Publish').isDisabled())
    await desk.service.visit('/theirs').expect(301)
  })
})
