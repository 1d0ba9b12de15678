import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { PEOPLE_PATHS, SITE_PATHS } from '../../../dashboard/src/frame/addresses.js'
import { type Desk, sitDown } from '../desk.js'
import { faultsIn } from './axe.js'
import { fill, type Filled } from './fill.js'
import { type Look, LOOKS, optionsOf } from './looks.js'
import { addressOf, SCREENS } from './screens.js'

describe('every screen of the dashboard', () => {
  let desk: Desk
  let filled: Filled

  before(async function () {
    this.timeout(120_000)
    desk = await sitDown(this)
    filled = await fill(desk.service, 'one')
  })
  after(() => desk?.leave())

  it('has a row in the table of screens', () => {
    const parts = readFileSync('dashboard/src/screens/settings/parts.ts', 'utf8').matchAll(/part: '([a-z]+)'/g)
    const wanted = [
      '/',
      '/reviews',
      '/sign-in',
      '/join',
      ...PEOPLE_PATHS,
      ...SITE_PATHS.filter((path) => path !== '/settings/:part').map(
        (path) => `/sites/:site${path.replace(':id', ':collection')}`,
      ),
      ...Array.from(parts, ([, part]) => `/sites/:site/settings/${part}`),
    ]
    const listed = new Set(SCREENS.map(({ address }) => address.replace(/[?#].*$/, '')))
    assert.deepEqual(
      wanted.filter((address) => !listed.has(address)),
      [],
    )
  })

  /** All that can be used is inside the window. */
  const fits = async (page: Page, width: number, name: string) => {
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width, name)
    const outside = await page.evaluate<string[]>(`[...document.querySelectorAll('a:not(.skip), button, select')]
      .filter((each) => each.checkVisibility() && each.closest('.scroll, pre') === null)
      .map((each) => [each.getBoundingClientRect(), each.textContent])
      .filter(([box]) => box.left < 0 || box.right > innerWidth + 1)
      .map(([, text]) => text)`)
    assert.deepEqual(outside, [], name)
  }
  /** Texts of choices and names lie over no other. */
  const OVERLAPS = `[...document.querySelectorAll('.filter-bar > .select')]
    .filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.textContent)`
  /** A name and the path below it begin at the same place. */
  const SPREAD = `[...document.querySelectorAll('.page-row .row-main')].filter((row) => {
    const [title, path] = [...row.children].map((each) => {
      const range = document.createRange()
      range.selectNodeContents(each)
      // A text that is too long begins where it is cut off.
      return Math.max(range.getBoundingClientRect().left, each.getBoundingClientRect().left)
    })
    return path !== undefined && Math.abs(title - path) > 2
  }).map((row) => row.textContent)`

  for (const filling of ['long', 'rightToLeft'] as const)
    it(`keeps all inside the window, and names beside their paths, where names are hard to show: ${filling}`, async function () {
      this.timeout(300_000)
      const { made, owner } = await fill(desk.service, filling)
      for (const look of ['wide', 'phone'] as const) {
        const tab = await desk.tabOf(owner, optionsOf(look))
        for (const screen of SCREENS.filter(({ isPublic }) => isPublic !== true)) {
          await tab.goto(desk.at(addressOf(screen, made) ?? assert.fail(screen.name)))
          await tab.waitForLoadState('networkidle')
          await fits(tab, LOOKS[look].viewport.width, `${screen.name} ${look}`)
          assert.deepEqual(await tab.evaluate<string[]>(OVERLAPS), [], `${screen.name} ${look}`)
          assert.deepEqual(await tab.evaluate<string[]>(SPREAD), [], `${screen.name} ${look}`)
        }
        await tab.context().close()
      }
    })

  for (const look of Object.keys(LOOKS) as Look[])
    it(`passes axe, and keeps all its links and buttons inside the window: ${look}`, async function () {
      this.timeout(300_000)
      const tab = await desk.tabOf(filled.owner, optionsOf(look))
      const stranger = await (await desk.newContext(optionsOf(look))).newPage()
      const { width } = LOOKS[look].viewport
      for (const screen of SCREENS) {
        const page = screen.isPublic === true ? stranger : tab
        await page.goto(desk.at(addressOf(screen, filled.made) ?? assert.fail(screen.name)))
        await page.waitForLoadState('networkidle')
        assert.deepEqual(await faultsIn(page), [], screen.name)
        await fits(page, width, screen.name)
      }
      await tab.context().close()
      await stranger.context().close()
    })
})
