import assert from 'node:assert/strict'
import { until } from '../../support/within.js'
import { type Desk, sitDown } from '../desk.js'

const TWO_FRAMES = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'

describe('the dashboard: the window of the editor', () => {
  let desk: Desk
  let page: string

  before(async function () {
    desk = await sitDown(this)
    page = await desk.publish('/window', '<title>Window</title><p id=wide>x</p>')
  })
  beforeEach(async () => {
    desk.complaints.splice(0)
    await desk.tab.setViewportSize({ width: 1280, height: 800 })
    await desk.tab.goto(desk.at(`/sites/demo/pages/${page}`))
    await desk.editor().waitFor()
  })
  afterEach(() => assert.deepEqual(desk.complaints, []))
  after(() => desk?.leave())

  const frame = () => desk.tab.locator('iframe[title=Preview]')
  const inside = () => desk.tab.frameLocator('iframe[title=Preview]')
  const innerWidthOf = async () => {
    await inside().locator('body').waitFor()
    const shown = await (await frame().elementHandle())?.contentFrame()
    return await shown?.evaluate<number>('document.documentElement.clientWidth')
  }
  const editorWidth = async () => (await desk.tab.locator('.html-editor').boundingBox())?.width ?? 0

  for (const [width, height] of [
    [1280, 800],
    [390, 844],
    [640, 400],
  ] as const)
    it(`fills the window and scrolls nothing but itself at ${width} × ${height}`, async () => {
      await desk.tab.setViewportSize({ width, height })
      const { right, down } = await desk.tab.evaluate<{ right: number; down: number }>(
        '({ right: document.documentElement.scrollWidth, down: document.documentElement.scrollHeight })',
      )
      assert.ok(right <= width && down <= height, `${right} × ${down}`)
      const box = await desk.button('Publish…').boundingBox()
      assert.ok(box !== null && box.x + box.width <= width)
    })

  it('previews the page as wide as a desktop or a phone, inside the pane', async () => {
    assert.equal(await innerWidthOf(), 1280)
    const box = await frame().boundingBox()
    assert.ok(box !== null && box.x >= 600 && box.x + box.width <= 1281, JSON.stringify(box))
    await desk.tab.getByRole('radio', { name: 'Phone' }).check()
    assert.equal(await innerWidthOf(), 390)
  })

  it('moves the divider by keys and by the pointer, over the preview too, and remembers it', async () => {
    const divider = desk.tab.getByRole('separator', { name: 'Width of the editor' })
    const isAt = (share: number) => desk.tab.locator(`[role=separator][aria-valuenow="${share}"]`).waitFor()
    const before = await editorWidth()
    await divider.focus()
    await desk.tab.keyboard.press('ArrowLeft')
    await isAt(48)
    assert.ok((await editorWidth()) < before)
    await desk.tab.keyboard.press('Home')
    await isAt(20)
    const { x = 0, y = 0 } = (await divider.boundingBox()) ?? {}
    // A busy browser knows for some frames only where things were, and a person sees it.
    for (let step = 0; !(await divider.evaluate((element) => element.matches(':hover'))); step++)
      await desk.tab.mouse.move(x, y + 200 + (step % 2))
    await desk.tab.evaluate(TWO_FRAMES)
    await desk.tab.mouse.down()
    await desk.tab.mouse.move(700, y + 200, { steps: 5 })
    await desk.tab.mouse.move(896, y + 200)
    await desk.tab.mouse.up()
    await isAt(70)
    await desk.tab.reload()
    await isAt(70)
  })

  it('shows the editor or the preview on a phone', async () => {
    await desk.tab.setViewportSize({ width: 390, height: 844 })
    assert.equal(await frame().isVisible(), false)
    await desk.tab.getByRole('radio', { name: 'Preview' }).check()
    await inside().getByText('x').waitFor()
    assert.equal(await desk.editor().isVisible(), false)
  })

  it('keeps the last picture when the connection is lost, and makes the next one when it is back', async () => {
    await inside().getByText('x').waitFor()
    await desk.context.setOffline(true)
    await desk.write('<p>written offline</p>')
    await desk.tab.getByText('The service cannot be reached').waitFor()
    await inside().getByText('x').waitFor()
    await desk.context.setOffline(false)
    await inside().getByText('written offline').waitFor()
    await desk.choose('More about this page', 'Delete the draft')
  })

  it('keeps the last picture while the next one loads', async () => {
    await inside().getByText('x').waitFor()
    const held: (() => void)[] = []
    await desk.tab.route(/preview-/, async (route) => {
      await new Promise<void>((resolve) => held.push(resolve))
      await route.continue()
    })
    await desk.write('<p>the next one</p>')
    await desk.tab.locator('iframe[title="Next preview"]').waitFor({ state: 'attached' })
    await inside().getByText('x').waitFor()
    for (const release of held) release()
    await inside().getByText('the next one').waitFor()
    await desk.tab.unroute(/preview-/)
    await desk.choose('More about this page', 'Delete the draft')
  })

  it('keeps a title that is typed while the one before it is saved, and saves it next', async () => {
    const title = desk.tab.getByRole('textbox', { name: 'Title' })
    const held: (() => void)[] = []
    await desk.tab.route(/\/pages\/[^/]*$/, async (route) => {
      if (route.request().method() === 'PATCH') await new Promise<void>((resolve) => held.push(resolve))
      await route.continue()
    })
    await title.fill('First')
    await title.press('Enter')
    await until(
      () => held.length,
      (count) => count === 1,
    )
    await title.fill('Second')
    await title.press('Enter')
    held[0]?.()
    await until(
      () => held.length,
      (count) => count === 2,
    )
    assert.equal(await title.inputValue(), 'Second')
    held[1]?.()
    await desk.tab.getByRole('heading', { name: 'Second' }).waitFor({ state: 'attached' })
    await desk.tab.unroute(/\/pages\/[^/]*$/)
  })

  it('makes paragraphs, a list, a heading and a link of words without tags, once they are asked for', async () => {
    await desk.write(
      '# Our spring fair\n\nCome & see <3\nat ten.\n- Cakes\n* Music\nMore: https://fair.example/a?b=1&c.',
    )
    await desk.tab.getByText('Browsers will show this as one line.').waitFor()
    await desk.button('Make paragraphs of this text').click()
    await inside().getByRole('heading', { name: 'Our spring fair', level: 1 }).waitFor()
    assert.deepEqual(await inside().getByRole('listitem').allInnerTexts(), ['Cakes', 'Music'])
    assert.equal(await inside().locator('p').first().innerText(), 'Come & see <3\nat ten.')
    const link = inside().getByRole('link')
    assert.equal(await link.getAttribute('href'), 'https://fair.example/a?b=1&c')
    assert.equal(await desk.button('Make paragraphs of this text').count(), 0)
    await desk.undo()
    await desk.tab.getByText('Browsers will show this as one line.').waitFor()
    await desk.choose('More about this page', 'Delete the draft')
  })
})
