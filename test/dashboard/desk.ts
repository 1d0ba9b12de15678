// A service, a browser that is signed in to its dashboard, and the steps that the tests share.

import assert from 'node:assert/strict'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import type { Role } from '../../src/model/rights/roles.js'
import { makeSignInToken } from '../../src/usecases/sign-in/sign-in-link.js'
import { launchBrowser } from '../support/browser.js'
import { type SignedIn, signInAs } from '../support/people/sign-in-as.js'
import { startOwnService, type TestService, type TestServiceOptions } from '../support/service.js'
import { type Hands, handsOn } from './hands.js'

/** The browser draws with the processor during other tests: on a busy machine one step takes many seconds. */
const STEP_MS = 60_000
const TEST_MS = 180_000

interface ContextOptions extends BrowserContextOptions {
  /** Whether the dashboard offers passkeys to people who come in by a link. */
  offersPasskeys?: boolean
}

/** The screen of a phone that is touched. */
export const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

export interface Desk extends Hands {
  service: TestService
  /** The browser context of `tab`. */
  context: BrowserContext
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
  /** A tab of another browser profile, which has the cookie of this person. */
  tabOf(person: SignedIn, options?: BrowserContextOptions): Promise<Page>
  /** A tab of another browser profile, in which a new member is signed in. */
  signInAs(role: Role, name: string, options?: BrowserContextOptions): Promise<Page>
  /** Publishes with a key, as another person's program does. Returns the id of the page. */
  publish(path: string, html: string): Promise<string>
  /** The text that visitors get. */
  live(path: string): Promise<string>
  leave(): Promise<void>
}

/** Opens the dashboard; call it in a `before` hook. */
export async function sitDown(test: Mocha.Context, options: TestServiceOptions = {}): Promise<Desk> {
  const desk = await openDesk(options)
  test.test?.parent?.eachTest((each) => each.timeout(Math.max(each.timeout(), TEST_MS)))
  test.test?.parent?.afterEach('say what a failed test left on the screen', async function () {
    if (this.currentTest?.state !== 'failed') return
    const contexts = desk.context.browser()?.contexts() ?? []
    for (const page of contexts.flatMap((opened) => opened.pages())) {
      const text = await page.evaluate<string>('document.body.innerText').catch(String)
      process.stderr.write(`${page.url()} showed:\n${text}\n`)
    }
  })
  return desk
}

/** Opens the dashboard for a program that is no test. */
export async function openDesk(options: TestServiceOptions = {}): Promise<Desk> {
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
  await enter(tab)
  const tabOf: Desk['tabOf'] = async ({ cookie }, others) => {
    const opened = await newContext(others)
    const [key = '', value = ''] = cookie.split('=')
    await opened.addCookies([{ name: key, value, url: at('/') }])
    return await opened.newPage()
  }
  return {
    ...handsOn(tab),
    service,
    context,
    complaints,
    at,
    newContext,
    link,
    signIn: async (others) => await enter(await (await newContext(others)).newPage()),
    tabOf,
    async signInAs(role, name, others) {
      const page = await tabOf(await signInAs(service, role, { name }), others)
      await page.goto(at('/'))
      return page
    },
    async publish(path, html) {
      const answer = await service
        .api()
        .put(`/pages?path=${encodeURIComponent(path)}`)
        .send({ html })
      assert.ok(answer.ok, answer.text)
      return (answer.body as { data: { id: string } }).data.id
    },
    live: async (path) => (await service.visit(path)).text,
    async leave() {
      await browser.close()
      await service.stop()
    },
  }
}
