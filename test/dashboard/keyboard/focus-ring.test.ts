import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { type Desk, sitDown } from '../desk.js'
import { fill, type Filled } from '../looks/fill.js'
import { type Look, LOOKS, optionsOf } from '../looks/looks.js'
import { addressOf, SCREENS } from '../looks/screens.js'

/** Presses of Tab on one screen: a circle through most of them. */
const MAX_TABS = 60

/** Returns the control that has the focus, and what is wrong with the ring around it. */
const LOOK = `(() => {
  let at = document.activeElement
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
  if (at === null || at === document.body || at.tagName === 'IFRAME') return { name: '' }
  const name = at.tagName + ' ' + (at.ariaLabel || at.textContent || at.placeholder || at.className).trim().slice(0, 60)
  const widthOf = (style) => (style.outlineStyle === 'none' ? 0 : parseFloat(style.outlineWidth))
  // The ring of a row is that of what covers the row. The picture in a field of a day has one of the browser's own.
  if (widthOf(getComputedStyle(at, '::after')) > 0 || at.matches('input[type=date]:not(:focus-visible)')) return { name }
  const ringed = []
  for (let each = at; each && ringed.length < 4; each = each.parentElement ?? each.getRootNode().host) ringed.push(each)
  const ring = ringed.find((each) => widthOf(getComputedStyle(each)) > 0)
  if (at.matches('.cm-content')) return { name }
  if (ring === undefined) return { name, wrong: 'has no ring' }
  if (ring.matches('main, dialog')) return { name, wrong: 'is a ring around all' }
  const style = getComputedStyle(ring)
  const beyond = Math.max(0, parseFloat(style.outlineOffset) + widthOf(style))
  const box = ring.getBoundingClientRect()
  if (box.bottom > innerHeight + 4 || box.top < -4) return box.height > innerHeight / 2 ? { name } : { name, wrong: 'is out of sight' }
  for (let each = ring.parentElement; each; each = each.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(each)
    const around = each === document.documentElement ? { left: 0, right: innerWidth } : each.getBoundingClientRect()
    if (each !== document.documentElement && overflowX === 'visible' && overflowY === 'visible') continue
    const isCut = box.left - beyond < around.left - 0.5 || box.right + beyond > around.right + 0.5
    if (isCut) return { name, wrong: 'is cut off by ' + each.tagName + ' ' + each.className }
  }
  return { name }
})()`

describe('the ring around what has the focus', () => {
  let desk: Desk
  let filled: Filled

  before(async function () {
    this.timeout(120_000)
    desk = await sitDown(this)
    filled = await fill(desk.service, 'one')
  })
  after(() => desk?.leave())

  const walk = async (page: Page) => {
    const wrong = new Set<string>()
    for (let press = 0; press < MAX_TABS; press++) {
      await page.keyboard.press('Tab')
      const seen = await page.evaluate<{ name: string; wrong?: string }>(LOOK)
      if (seen.wrong !== undefined) wrong.add(`${seen.name} ${seen.wrong}`)
    }
    return [...wrong]
  }

  for (const look of ['wide', 'phone'] as const satisfies readonly Look[])
    it(`is seen whole on every screen, and is never around all of it: ${look}`, async function () {
      this.timeout(300_000)
      const tab = await desk.tabOf(filled.owner, optionsOf(look))
      const stranger = await (await desk.newContext(optionsOf(look))).newPage()
      const found: string[] = []
      for (const screen of SCREENS) {
        const page = screen.isPublic === true ? stranger : tab
        await page.goto(desk.at(addressOf(screen, filled.made) ?? assert.fail(screen.name)))
        await page.waitForLoadState('networkidle')
        for (const each of await walk(page)) found.push(`${screen.name}: ${each}`)
      }
      assert.deepEqual(found, [])
      assert.ok(LOOKS[look])
      await tab.context().close()
      await stranger.context().close()
    })
})
