import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { type Desk, sitDown } from './desk.js'

/** A red dot of 5 × 5 pixels. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg=='

describe('the dashboard: editors', () => {
  let desk: Desk
  let folder: string

  before(async function () {
    desk = await sitDown(this)
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-images-'))
    writeFileSync(join(folder, 'My Dot.PNG'), Buffer.from(PNG, 'base64'))
    writeFileSync(join(folder, 'vector.svg'), '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"/>')
    writeFileSync(join(folder, 'placed.svg'), '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"/>')
    writeFileSync(join(folder, 'broken.png'), 'not a picture')
    writeFileSync(join(folder, 'notes.pdf'), '%PDF')
    writeFileSync(join(folder, 'huge.png'), '')
    truncateSync(join(folder, 'huge.png'), 64 * 1024 * 1024 + 1)
    await desk.publish('/about', '<title>About</title>')
  })
  beforeEach(() => desk.complaints.splice(0))
  afterEach(() => assert.deepEqual(desk.complaints, []))
  after(async () => {
    rmSync(folder, { recursive: true, force: true })
    await desk?.leave()
  })

  describe('of rules', () => {
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

    it('gives the reason for each wrong line while it is typed, and publishes the others if the user insists', async () => {
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
      await desk.tab.goto(desk.at('/sites/demo/files'))
      await desk.tab.locator('.row', { hasText: '/_redirects' }).locator('.thumbnail').getByText('rules').waitFor()
    })

    it('shows the answer of a path by unpublished rules, and which line decides', async () => {
      await put('/old /about\n')
      await desk.tab.goto(desk.at('/sites/demo/files/_redirects'))
      await write('# before\n/new/* /about 302\n')
      await desk.tab.getByLabel('What would this path answer?').fill('/new/page')
      await answer().getByText('302, a redirect').waitFor()
      await answer().getByText('_redirects, line 2').waitFor()
      await desk.button('/about', answer()).click()
      await answer().getByText('/about.html (text/html; charset=utf-8)').waitFor()
      await desk.service.visit('/new/page').expect(404)
      await desk.button('Discard').click()
      await desk.tab.getByText('As published').waitFor()
    })

    it('keeps a draft through a reload, and shows both texts if another person published meanwhile', async () => {
      await desk.tab.goto(desk.at('/sites/demo/files/_redirects'))
      await write('/mine /about\n')
      await desk.tab.getByText('Not published yet').waitFor()
      await desk.tab.reload()
      await text().getByText('/mine').waitFor()
      await put('/theirs /about\n')
      await desk.button('Publish').click()
      const dialog = desk.tab.getByRole('dialog', { name: 'Somebody else changed _redirects' })
      await dialog.getByText('/theirs').waitFor()
      await desk.tab.keyboard.press('Escape')
      await desk.button('Publish').click()
      await dialog.getByText('/theirs').waitFor()
      await desk.service.visit('/theirs').expect(301)
      await desk.button('Publish mine over it', dialog).click()
      await desk.said('Published.')
      await desk.service.visit('/mine').expect(301)
    })

    it('says that the file was deleted while it was edited, and can publish it again', async () => {
      await desk.tab.goto(desk.at('/sites/demo/files/_redirects'))
      await write('/again /about\n')
      await desk.service.api().delete('/files?path=/_redirects').expect(200)
      await desk.button('Publish').click()
      const dialog = desk.tab.getByRole('dialog', { name: 'Somebody else deleted _redirects' })
      await desk.button('Publish mine over it', dialog).click()
      await desk.said('Published.')
      await desk.service.visit('/again').expect(301)
    })

    it('creates a missing _headers with the keyboard', async () => {
      await desk.tab.goto(desk.at('/sites/demo/files/_headers'))
      await write('/*\n  X-Robots-Tag: noindex\n', '_headers')
      await answer().getByText('_headers, line 1').waitFor()
      await answer().getByText('noindex').waitFor()
      await desk.tab.keyboard.press('Control+S')
      await desk.said('Published.')
      assert.equal((await desk.service.visit('/about')).get('X-Robots-Tag'), 'noindex')
    })
  })

  describe('of a page, which take images', () => {
    before(async () => {
      await desk.tab.goto(desk.at(`/sites/demo/pages/${await desk.publish('/illustrated', '<p>Text</p>')}`))
      await desk.editor().waitFor()
    })

    const choose = (...names: string[]) =>
      desk.tab.getByLabel('Insert an image').setInputFiles(names.map((name) => join(folder, name)))
    /** Pastes a file from the clipboard, or drops it over the editor. */
    const give = (event: 'paste' | 'drop') =>
      desk.tab.evaluate(`(() => {
        const element = document.querySelector('.editor').shadowRoot.querySelector('.cm-content')
        const given = new DataTransfer()
        const bytes = Uint8Array.from(atob('${PNG}'), (char) => char.charCodeAt(0))
        given.items.add(new File([bytes], 'image.png', { type: 'image/png' }))
        const { x, y } = element.getBoundingClientRect()
        const options = { bubbles: true, cancelable: true, composed: true, clientX: x + 5, clientY: y + 5 }
        element.dispatchEvent('${event}' === 'paste'
          ? new ClipboardEvent('paste', { ...options, clipboardData: given })
          : new DragEvent('drop', { ...options, dataTransfer: given }))
      })()`)

    it('uploads a chosen image and inserts its tag with its size, the cursor at its description; undo removes the tag', async () => {
      await desk.editor().click()
      await choose('My Dot.PNG')
      await desk.editor().getByText('<img src="/img/my-dot.png" width="5" height="5" alt="">').waitFor()
      await desk.service.visit('/img/my-dot.png').expect(200).expect('Content-Type', 'image/png')
      // In one piece: the editor undoes slow typing letter by letter.
      await desk.tab.keyboard.insertText('A dot')
      await desk.editor().getByText('alt="A dot">').waitFor()
      const preview = desk.tab.frameLocator('iframe[title=Preview]')
      await preview.getByRole('img', { name: 'A dot' }).waitFor()
      await desk.tab.keyboard.press('Control+Z')
      await desk.tab.keyboard.press('Control+Z')
      await desk.editor().getByText('<img').waitFor({ state: 'detached' })
      assert.match((await desk.editor().textContent()) ?? '', /^<p>Text<\/p>$/)
    })

    it('accepts pasted and dropped images, each under its own name', async () => {
      await desk.editor().click()
      await give('paste')
      await desk.editor().getByText('/img/image.png').waitFor()
      await give('drop')
      await desk.editor().getByText('/img/image-2.png').waitFor()
    })

    it('inserts several at once, a drawing among them', async () => {
      await choose('vector.svg', 'My Dot.PNG')
      await desk.editor().getByText('<img src="/img/vector.svg" width="30" height="20" alt="">').waitFor()
      await desk.editor().getByText('/img/my-dot-2.png').waitFor()
      await desk.publishDraft()
      await desk.said('Published.')
      for (const name of ['image-2.png', 'my-dot-2.png']) await desk.service.visit(`/img/${name}`).expect(200)
    })

    it('refuses files that browsers do not show, that are damaged or too large, and uploads none of them', async () => {
      await choose('notes.pdf')
      await desk.said(/notes\.pdf is no image that browsers show/)
      await choose('broken.png')
      await desk.said(/broken\.png is damaged/)
      await choose('huge.png')
      await desk.said(/huge\.png has more than 64 MiB/)
      await desk.service.visit('/img/huge.png').expect(404)
    })

    it('works in a page that is not live yet: the image is not live either', async () => {
      await desk.tab.goto(desk.at('/sites/demo/new?path=/soon'))
      await desk.tab.getByLabel('My own HTML').check()
      await desk.button('Create').click()
      await desk.editor().click()
      await choose('My Dot.PNG')
      await desk.editor().getByText('/img/my-dot-3.png').waitFor()
      await desk.service.visit('/img/my-dot-3.png').expect(404)
      await desk.publishDraft()
      await desk.said('Published.')
      await desk.service.visit('/img/my-dot-3.png').expect(200)
      assert.match(await desk.live('/soon'), /<img src="\/img\/my-dot-3\.png" width="5" height="5" alt="">/)
    })

    it('offers browsers smaller forms of a wide picture, of which they take one that fits', async () => {
      const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
      const wide = sharp({ create: { width: 2400, height: 1200, channels: 3, background: '#888', noise } })
      await wide.jpeg().toFile(join(folder, 'wide.jpg'))
      const id = await desk.publish('/wide', '<!doctype html><body><p>x</p></body>')
      await desk.tab.goto(desk.at(`/sites/demo/pages/${id}`))
      await desk.editor().waitFor()
      await choose('wide.jpg')
      await desk.editor().getByText('format=webp 1920w').waitFor()
      await desk.publishDraft()
      await desk.said('Published.')
      await desk.tab.goto(`http://demo.localhost:${desk.service.server.port}/wide`)
      const shown = await desk.tab.evaluate(`(async () => {
        const image = document.querySelector('img')
        await image.decode()
        return [new URL(image.currentSrc).search, image.naturalWidth > 0]
      })()`)
      assert.deepEqual(shown, ['?w=1280&format=webp', true])
    })

    for (const [name, html, expected] of [
      [
        'at the end of main',
        '<!doctype html>\n<html><head><title>T</title></head><body>\n<main>\n<p>x</p>\n</main>\n<footer>f</footer></body></html>',
        /<p>x<\/p>\n<img [^>]*>\n<\/main>/,
      ],
      [
        'at the end of the body',
        '<!doctype html><html><head><title>T</title></head><body><p>x</p></body></html>',
        /<p>x<\/p><img [^>]*><\/body>/,
      ],
      ['at the end of a page without a body tag', '<!doctype html><title>T</title><p>x</p>', /<p>x<\/p>\n<img [^>]*>$/],
    ] as const) {
      for (const place of ['no cursor was placed', 'the cursor is before the doctype'])
        it(`inserts a chosen image ${name} if ${place}`, async () => {
          const id = await desk.publish('/unplaced', `${html}\n`)
          await desk.tab.goto(desk.at(`/sites/demo/pages/${id}`))
          await desk.editor().getByText('<title>').waitFor()
          if (place !== 'no cursor was placed') {
            await desk.editor().click()
            await desk.tab.keyboard.press('Control+Home')
          }
          await choose('placed.svg')
          await desk.editor().getByText('<img src="/img/placed').waitFor()
          await desk.publishDraft()
          await desk.said('Published.')
          assert.match((await desk.live('/unplaced')).trim(), expected)
        })
    }

    it('inserts an image where the cursor was, also after the editor lost the focus', async () => {
      const id = await desk.publish('/placed', '<!doctype html><body><p>one</p>\n<p>two</p></body>')
      await desk.tab.goto(desk.at(`/sites/demo/pages/${id}`))
      await desk.editor().getByText('one').click()
      await desk.tab.keyboard.press('End')
      await desk.tab.getByRole('textbox', { name: 'Title' }).click()
      await choose('placed.svg')
      await desk.editor().getByText('<img src="/img/placed').waitFor()
      await desk.publishDraft()
      await desk.said('Published.')
      assert.match(await desk.live('/placed'), /<p>one<\/p><img [^>]*>\n<p>two/)
    })
  })
})
