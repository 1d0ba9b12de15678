// A service, a browser that is signed in to its dashboard, and the steps that the tests share.

import assert from 'node:assert/strict'
import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { makeSignInToken } from '../../src/usecases/sign-in/sign-in-link.js'
import { launchBrowser } from '../support/browser.js'
import { startOwnService, type TestService, type TestServiceOptions } from '../support/service.js'

/** The browser draws with the processor during other tests: on a busy machine one step takes many seconds. */
const STEP_MS = 60_000
const TEST_MS = 180_000

interface ContextOptions extends BrowserContextOptions {
  /** Whether the dashboard offers passkeys to people who come in by a link. */
  offersPasskeys?: boolean
}

export interface Desk {
  service: TestService
  /** The browser context of `tab`. */
  context: BrowserContext
  tab: Page
  /** The browser's reports of script errors and of violations of the Content-Security-Policy. */
  complaints: string[]
  /** The URL of a path of the dashboard. */
  at(path: string): string
  /** Another browser profile. */
  newContext(options?: ContextOptions): Promise<BrowserContext>
  /** A new sign-in link. */
  link(): Promise<string>
  /** A tab of another browser profile, signed in. */
  signIn(options?: BrowserContextOptions): Promise<Page>
  /** Publishes with a key, as another person's program does. Returns the id of the page. */
  publish(path: string, html: string): Promise<string>
  button(name: string | RegExp, within?: Page | Locator): Locator
  /** Waits for a notice. */
  said(text: string | RegExp): Promise<void>
  undo(): Promise<void>
  editor(): Locator
  /** Replaces the text in the editor. */
  write(text: string): Promise<void>
  /** Chooses an item of a menu. */
  choose(menu: string, item: string): Promise<void>
  /** Publishes what is in the editor of a page, by its button. */
  publishDraft(): Promise<void>
  /** The text that visitors get. */
  live(path: string): Promise<string>
  leave(): Promise<void>
}

/** Opens the dashboard; call it in a `before` hook. */
export async function sitDown(test: Mocha.Context, options: TestServiceOptions = {}): Promise<Desk> {
  const browser = await launchBrowser()
  const service = await startOwnService(options)
  const newContext = async ({ offersPasskeys = false, ...others }: ContextOptions = {}) => {
    const opened = await browser.newContext(others)
    opened.setDefaultTimeout(STEP_MS)
    // People who come in by a link are offered a passkey: these declined.
    if (!offersPasskeys)
      await opened.addInitScript("if (origin !== 'null') localStorage.setItem('passkey-declined', 'yes')")
    return opened
  }
  const context = await newContext({ viewport: { width: 1280, height: 800 } })
  const tab = await context.newPage()
  const complaints: string[] = []
  tab.on('pageerror', (error) => complaints.push(error.message))
  tab.on('console', (message) => {
    if (/Content Security Policy|Uncaught/.test(message.text())) complaints.push(message.text())
  })
  const at = (path: string) => `http://localhost:${service.server.port}${path}`
  const link = async () =>
    at(`/sign-in#${await makeSignInToken(service.server.service.services, service.workspaceId, { label: 'Ada' })}`)
  const enter = async (page: Page) => {
    await page.goto(await link())
    await page.waitForURL(at('/'))
    return page
  }
  const editor = () => tab.getByRole('textbox', { name: 'HTML' })
  await enter(tab)
  test.test?.parent?.eachTest((each) => each.timeout(Math.max(each.timeout(), TEST_MS)))
  test.test?.parent?.afterEach('say what a failed test left on the screen', async function () {
    if (this.currentTest?.state !== 'failed') return
    for (const page of browser.contexts().flatMap((opened) => opened.pages())) {
      const text = await page.evaluate<string>('document.body.innerText').catch(String)
      process.stderr.write(`${page.url()} showed:\n${text}\n`)
    }
  })
  return {
    service,
    context,
    tab,
    complaints,
    at,
    newContext,
    link,
    signIn: async (others) => await enter(await (await newContext(others)).newPage()),
    async publish(path, html) {
      const answer = await service
        .api()
        .put(`/pages?path=${encodeURIComponent(path)}`)
        .send({ html })
      assert.ok(answer.ok, answer.text)
      return (answer.body as { data: { id: string } }).data.id
    },
    button: (name, within = tab) => within.getByRole('button', { name, exact: true }),
    said: (text) => tab.locator('.notices').getByText(text).first().waitFor(),
    undo: () => tab.locator('.notices').getByRole('button', { name: 'Undo' }).last().click(),
    editor,
    async write(text) {
      await editor().click()
      await tab.keyboard.press('Control+A')
      await tab.keyboard.insertText(text)
    },
    async choose(menu, item) {
      await tab.getByRole('button', { name: menu, exact: true }).click()
      await tab.getByRole('menuitem', { name: item, exact: true }).click()
    },
    async publishDraft() {
      await tab.getByRole('button', { name: 'Publish…', exact: true }).click()
      await tab.getByRole('dialog', { name: 'Publish' }).getByRole('button', { name: 'Publish', exact: true }).click()
    },
    live: async (path) => (await service.visit(path)).text,
    async leave() {
      await browser.close()
      await service.stop()
    },
  }
}
