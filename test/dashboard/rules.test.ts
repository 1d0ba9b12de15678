import assert from 'node:assert/strict'
import { type Desk, sitDown } from './desk.js'

describe('the dashboard: rules', function () {
  this.timeout(60_000)
  let desk: Desk

  before(async function () {
    desk = await sitDown(this)
    await desk.publish('/about', '<title>About</title>')
  })
  beforeEach(() => desk.complaints.splice(0))
  afterEach(() => assert.deepEqual(desk.complaints, []))
  after(() => desk?.leave())

  const text = (file = '_redirects') => desk.tab.getByRole('textbox', { name: file })
  const write = async (rules: string, file?: string) => {
    await text(file).click()
    await desk.tab.keyboard.press('Control+A')
    // Typing over several lines, the browser itself adds inline styles, which the Content-Security-Policy blocks.
    await desk.tab.keyboard.press('Delete')
    await desk.tab.keyboard.insertText(rules)
  }
  const put = (rules: string) => desk.service.api().put('/files?path=/_redirects').type('text/plain').send(rules)
  const answer = () => desk.tab.getByRole('region', { name: 'What a path would answer' })

  it('says of each wrong line why, while it is typed, and publishes the others where one insists', async () => {
    await desk.tab.goto(desk.at('/sites/demo/files'))
    await desk.tab.getByRole('link', { name: 'Redirects' }).click()
    await write('/old /about\nnonsense\n')
    const wrong = desk.tab.getByRole('region', { name: 'Wrong lines' })
    await wrong.getByText('The destination is missing').waitFor()
    await desk.tab.locator('.cm-lint-marker-error').waitFor()
    await desk.button('Line 2', wrong).click()
    await desk.button('Publish').click()
    await desk.tab.getByText('Nothing was published').waitFor()
    await desk.service.visit('/old').expect(404)
    await desk.button('Publish without the wrong lines').click()
    await desk.said('Published.')
    await desk.service.visit('/old').expect(301)
  })

  it('shows what a path would answer by rules that are not published, and which line decides', async () => {
    await put('/old /about\n')
    await desk.tab.goto(desk.at('/sites/demo/files/_redirects'))
    await write('# before\n/new/* /about 302\n')
    await desk.tab.getByLabel('What would this path answer?').fill('/new/page')
    await answer().getByText('302 a redirect').waitFor()
    await answer().getByText('_redirects, line 2').waitFor()
    await desk.button('/about', answer()).click()
    await answer().getByText('/about.html (text/html; charset=utf-8)').waitFor()
    await desk.service.visit('/new/page').expect(404)
    await desk.button('Discard').click()
    await desk.tab.getByText('As published').waitFor()
  })

  it('keeps a draft through a reload, and shows both texts where somebody else published meanwhile', async () => {
    await desk.tab.goto(desk.at('/sites/demo/files/_redirects'))
    await write('/mine /about\n')
    await desk.tab.getByText('Not published yet').waitFor()
    await desk.tab.reload()
    await text().getByText('/mine').waitFor()
    await put('/theirs /about\n')
    await desk.button('Publish').click()
    const dialog = desk.tab.getByRole('dialog', { name: 'Somebody else changed _redirects' })
    await dialog.getByText('/theirs').waitFor()
    await desk.service.visit('/theirs').expect(301)
    await desk.button('Publish mine', dialog).click()
    await desk.said('Published.')
    await desk.service.visit('/mine').expect(301)
  })

  it('says that the file was deleted while it was edited, and can publish it again', async () => {
    await desk.tab.goto(desk.at('/sites/demo/files/_redirects'))
    await write('/again /about\n')
    await desk.service.api().delete('/files?path=/_redirects').expect(200)
    await desk.button('Publish').click()
    const dialog = desk.tab.getByRole('dialog', { name: 'Somebody else deleted _redirects' })
    await desk.button('Publish mine', dialog).click()
    await desk.said('Published.')
    await desk.service.visit('/again').expect(301)
  })

  it('edits _headers where there is none yet, with the keyboard', async () => {
    await desk.tab.goto(desk.at('/sites/demo/files/_headers'))
    await write('/*\n  X-Frame-Options: DENY\n', '_headers')
    await answer().getByText('_headers, line 1').waitFor()
    await answer().getByText('DENY').waitFor()
    await desk.tab.keyboard.press('Control+S')
    await desk.said('Published.')
    assert.equal((await desk.service.visit('/about')).get('X-Frame-Options'), 'DENY')
  })
})
