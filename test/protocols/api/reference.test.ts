import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { ROUTES } from '../../../src/protocols/api/routes/table.js'
import { html } from '../../../src/texts/html.js'
import { launchBrowser } from '../../support/browser.js'
import { startOwnService, type TestService } from '../../support/service.js'

const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  dark: { colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
}

/** All rules of axe in light; elsewhere those that its look can change. Contrast takes it the longest, and a phone has light's colours. */
const RULES: Readonly<Record<string, object>> = {
  light: {},
  dark: { runOnly: ['color-contrast', 'link-in-text-block'] },
  phone: { rules: { 'color-contrast': { enabled: false } } },
}

/** A third of the reference that this one replaced. */
const MAX_BYTES = 1_732_839 / 3

describe('the API reference at /docs', () => {
  let browser: Browser
  let service: TestService
  before(async function () {
    browser = await launchBrowser()
    service = await startOwnService()
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  /** The page in a look, with everything that the browser complained of and loaded. */
  async function open(look: string): Promise<{ page: Page; complaints: string[]; loaded: string[] }> {
    const page = await browser.newPage(LOOKS[look] ?? {})
    const complaints: string[] = []
    const loaded: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('request', (request) => loaded.push(request.url()))
    await page.goto(`${service.origin}/docs`)
    return { page, complaints, loaded }
  }

  for (const look of Object.keys(LOOKS)) {
    it(`shows every operation, and no fault that axe finds: ${look}`, async () => {
      const { page, complaints, loaded } = await open(look)
      for (const { operationId, summary, path, method, caller } of ROUTES) {
        const text = await page.locator(`article#${operationId}`).innerText()
        const refusal = { key: '401', browser: '403', nobody: '500' }[caller]
        for (const expected of [summary, path, method.toUpperCase(), 'curl', refusal]) {
          assert.ok(text.includes(expected), `${operationId} lacks ${expected}: ${text}`)
        }
      }
      assert.deepEqual(complaints, [])
      assert.ok(
        loaded.every((url) => url.startsWith(`${service.origin}/docs`)),
        loaded.join(' '),
      )
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      assert.equal(overflow, 0, 'the page is wider than the window')
      await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))
      const faults = await page.evaluate<string[]>(
        `axe.run(${JSON.stringify(RULES[look])}).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`,
      )
      assert.deepEqual(faults, [])
      await page.close()
    })
  }

  it('is dark if the system is', async () => {
    const grounds = await Promise.all(
      ['light', 'dark'].map(async (look) => {
        const { page } = await open(look)
        return await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
      }),
    )
    assert.deepEqual(grounds, ['rgb(255, 255, 255)', 'rgb(20, 23, 28)'])
  })

  it('can be used with the keyboard to reach an operation', async () => {
    const { page } = await open('light')
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the reference')
    const link = page.getByRole('navigation').getByRole('link', { name: 'Roll a page back to a version' })
    for (let i = 0; i < 100 && !(await link.evaluate((element) => element.matches(':focus'))); i++)
      await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    assert.match(page.url(), /#rollbackPage$/)
    const top = await page.locator('article#rollbackPage').evaluate((element) => element.getBoundingClientRect().top)
    assert.ok(top >= 0 && top < 200, `the operation is at ${top}`)
    await page.close()
  })

  it('has less than a third of the uncompressed bytes of the former one, and allows no script', async () => {
    const page = await fetch(`${service.origin}/docs`)
    const style = await fetch(`${service.origin}/docs/reference.css`)
    const bytes = (await page.arrayBuffer()).byteLength + (await style.arrayBuffer()).byteLength
    assert.ok(bytes < MAX_BYTES, `${bytes} bytes`)
    assert.equal(
      page.headers.get('content-security-policy'),
      "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    )
  })
})

describe('HTML from a template', () => {
  it('escapes every value that is not HTML itself', () => {
    const inner = html`<b>${'<i>'}</b>`
    assert.equal(
      html`<p title="${`"'&`}">${inner}${[1, inner]}${undefined}${false}</p>`.text,
      ['<p title="&quot;&#39;&amp;">', '<b>&lt;i&gt;</b>1<b>&lt;i&gt;</b></p>'].join(''),
    )
  })
})
