import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import sirv from 'sirv'
import { launchBrowser } from '../../support/browser.js'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const PICTURES = 'dist/pictures'
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
const LOOKS: Record<string, BrowserContextOptions> = {
  light: { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  phone: { ...PHONE, colorScheme: 'light' },
  // A window of 1280 pixels at 200 %.
  'large-print': { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 },
}

describe('the parts of the dashboard', function () {
  this.timeout(180_000)
  let browser: Browser
  let server: Server
  let tab: Page

  before(async () => {
    server = createServer(sirv('dist/parts-ui')).listen(0)
    browser = await launchBrowser()
    tab = await open(LOOKS['light'] ?? {})
  })
  after(async () => {
    await browser?.close()
    server?.close()
  })
  beforeEach(() => tab.reload())

  const open = async (options: BrowserContextOptions) => {
    const page = await (await browser.newContext({ reducedMotion: 'reduce', ...options })).newPage()
    await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/parts.html`)
    await page.getByRole('heading', { name: 'The parts' }).waitFor()
    return page
  }
  const part = (name: string) => tab.getByRole('region', { name, exact: true })
  const focused = () => tab.evaluate<string>('document.activeElement.ariaLabel ?? document.activeElement.textContent')

  for (const [name, options] of Object.entries(LOOKS))
    it(`pass axe and stay inside the window, and their picture is taken: ${name}`, async () => {
      const page = await open(options)
      mkdirSync(PICTURES, { recursive: true })
      await page.screenshot({ path: `${PICTURES}/parts-${name}.png`, fullPage: true, animations: 'disabled' })
      assert.deepEqual(await faultsIn(page), [])
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), options.viewport?.width)
      await page.context().close()
    })

  it('are not in what the service serves', () => {
    const files = readdirSync('dist/dashboard-ui', { recursive: true, encoding: 'utf8' })
    assert.deepEqual(
      files.filter((file) => /^parts|samples/.test(file)),
      [],
    )
    const scripts = files.filter((file) => file.endsWith('.js'))
    assert.ok(scripts.every((file) => !readFileSync(`dist/dashboard-ui/${file}`, 'utf8').includes('The parts')))
  })

  it('have a menu that arrows and letters move in, that acts, and that gives the focus back', async () => {
    const button = part('Menu').getByRole('button', { name: 'Actions' })
    await button.focus()
    await tab.keyboard.press('ArrowDown')
    assert.equal(await focused(), 'Edit')
    assert.deepEqual(await faultsIn(tab), [])
    await tab.keyboard.press('ArrowUp')
    assert.equal(await focused(), 'Delete')
    await tab.keyboard.press('ArrowDown')
    await tab.keyboard.press('c')
    assert.equal(await focused(), 'Copy the address')
    await tab.keyboard.press('Escape')
    assert.equal(await focused(), 'Actions')
    assert.equal(await tab.getByRole('menu').count(), 0)
    await tab.keyboard.press('Enter')
    await tab.keyboard.press('End')
    await tab.keyboard.press('Enter')
    await part('Menu').getByText('Delete was chosen.').waitFor()
    assert.equal(await focused(), 'Actions')
  })

  it('close a menu at a click outside and at a second click on its button', async () => {
    const button = part('Menu').getByRole('button', { name: 'Actions' })
    const menu = tab.getByRole('menu')
    await button.click()
    await menu.waitFor()
    await tab.getByRole('heading', { name: 'Menu' }).click()
    await menu.waitFor({ state: 'detached' })
    await button.click()
    await menu.waitFor()
    await button.click()
    await menu.waitFor({ state: 'detached' })
  })

  it('have a choice in segments that arrows move', async () => {
    const view = part('Segmented').getByRole('radiogroup', { name: 'View' })
    await view.getByLabel('inline').focus()
    await tab.keyboard.press('ArrowRight')
    assert.equal(await view.getByLabel('rendered').isChecked(), true)
  })

  it('have a tree that arrows open, close and move in', async () => {
    await part('Tree').getByRole('treeitem', { name: 'All pages' }).focus()
    await tab.keyboard.press('ArrowDown')
    await tab.keyboard.press('ArrowRight')
    assert.equal(await focused(), 'first3')
    await tab.keyboard.press('ArrowLeft')
    assert.equal(await focused(), 'guide12')
    await tab.keyboard.press('ArrowLeft')
    await part('Tree').getByRole('treeitem', { name: 'first' }).waitFor({ state: 'detached' })
    await tab.keyboard.press('End')
    await tab.keyboard.press('Enter')
    assert.equal(await part('Tree').getByRole('treeitem', { name: 'news' }).getAttribute('aria-selected'), 'true')
  })

  it('have a dialog that is one form, and gives the focus back', async () => {
    const button = part('Dialog').getByRole('button', { name: 'Open the dialog' })
    await button.focus()
    await tab.keyboard.press('Enter')
    const dialog = tab.getByRole('dialog', { name: 'Rename the page' })
    await dialog.getByLabel('Title').waitFor()
    assert.deepEqual(await faultsIn(tab), [])
    await tab.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await focused(), 'Open the dialog')
  })

  it('have a popover that takes the focus, and that Escape closes', async () => {
    await part('Popover').getByRole('button', { name: 'Filters' }).click()
    const box = tab.getByRole('dialog', { name: 'Filters' })
    await box.getByLabel('From').waitFor()
    assert.deepEqual(await faultsIn(tab), [])
    await tab.keyboard.press('Escape')
    await box.waitFor({ state: 'detached' })
    assert.equal(await focused(), 'Filters')
  })

  it('show the name of a button without text to people who point at it', async () => {
    await part('IconButton').getByRole('button', { name: 'Edit' }).hover()
    await tab.locator('.tip', { hasText: 'Edit' }).waitFor()
    await tab.keyboard.press('Escape')
    await tab.locator('.tip').waitFor({ state: 'detached' })
  })

  it('choose several rows, and keep the actions for them in sight', async () => {
    await part('Table').getByLabel('Choose Contact').check()
    await part('Table').getByText('1 chosen').waitFor()
    await part('Table').getByLabel('Choose all').check()
    await part('Table').getByText('4 chosen').waitFor()
    assert.deepEqual(await faultsIn(tab), [])
    await part('Table').getByRole('button', { name: 'Choose none' }).click()
    await part('Table').getByText('chosen').waitFor({ state: 'detached' })
  })

  it('show the actions of a row to the pointer and the keyboard alone, and always on a phone', async () => {
    const opacity = (page: Page) =>
      page.evaluate<string>("getComputedStyle(document.querySelector('tbody .on-hover')).opacity")
    assert.equal(await opacity(tab), '0')
    await part('Table').getByRole('button', { name: 'Actions for Spring fair' }).focus()
    await tab.waitForFunction("getComputedStyle(document.querySelector('tbody .on-hover')).opacity === '1'")
    const phone = await open(PHONE)
    assert.equal(await opacity(phone), '1')
    await phone.context().close()
  })
})

async function faultsIn(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  return await page.evaluate<string[]>(`axe.run().then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')))`)
}
