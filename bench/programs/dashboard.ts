// Measures the dashboard in a browser: the first paint of a site's pages on a slow machine, and one step of scrolling through very many.

import type { Browser, Page } from 'playwright-core'
import { makeSignInToken } from '../../src/usecases/sign-in/sign-in-link.js'
import { loadSlowly } from '../../test/dashboard/load-slowly.js'
import { makeSiteOf } from '../../test/dashboard/make-site.js'
import { openBrowser } from '../../test/support/browser.js'
import { startOwnService, type TestService } from '../../test/support/service.js'
import type { Row } from '../ground/row.js'
import { median } from '../ground/running-service.js'

const VIEWPORT = { width: 1280, height: 800 }
const [FEW, MANY] = [100, 10_000]
const STEPS = 30
const STEP_PIXELS = 15_000
/** Time until the next frame is drawn. */
const AFTER_STEP_MS = 20
const LOADS = 3

export async function benchDashboard(): Promise<Row[]> {
  const browser = await openBrowser()
  if (browser === undefined) {
    console.error('Chromium is missing (apt-get install chromium): skipped')
    return []
  }
  const service = await startOwnService()
  try {
    return [await benchPaint(browser, service), await benchScrolling(browser, service)]
  } finally {
    await browser.close()
    await service.stop()
  }
}

async function benchPaint(browser: Browser, service: TestService): Promise<Row> {
  await service.api().put('/pages?path=/bare').send({ html: '<!doctype html><p>Pages' })
  const bare = `http://demo.localhost:${service.server.port}/bare`
  const paintOf = async (url: string) => {
    const paints: number[] = []
    for (let load = 0; load < LOADS; load++) paints.push((await loadSlowly(await signIn(browser, service), url)).paint)
    return median(paints)
  }
  const ours = await paintOf(`${originOf(service)}/sites/demo`)
  const peer = await paintOf(bare)
  return {
    what: 'first paint of the pages of a site at a quarter of the speed, against a page of one line',
    target: 'under 1000 ms',
    ours: `${ours.toFixed(0)} ms`,
    peer: `${peer.toFixed(0)} ms`,
    ratio: ours / peer,
  }
}

async function benchScrolling(browser: Browser, service: TestService): Promise<Row> {
  const longestOf = async (pages: number) => {
    const page = await signIn(browser, service)
    await page.goto(`${originOf(service)}/sites/${await makeSiteOf(pages, service)}`)
    await page.getByText(`${pages.toLocaleString('en')} pages`).waitFor()
    const longest = await scroll(page)
    await page.context().close()
    return longest
  }
  const few = await longestOf(FEW)
  const many = await longestOf(MANY)
  return {
    what: `longest of ${STEPS} steps of scrolling through ${MANY} pages, time of the thread, against ${FEW} pages`,
    target: 'under 50 ms',
    ours: `${many.toFixed(1)} ms`,
    peer: `${few.toFixed(1)} ms`,
    ratio: many / few,
  }
}

/** Returns the milliseconds of the page's thread for the longest step. Other work of the machine does not count. */
async function scroll(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const spent = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
  }
  let longest = 0
  for (let step = 0; step < STEPS; step++) {
    const before = await spent()
    await page.mouse.wheel(0, STEP_PIXELS)
    await page.waitForTimeout(AFTER_STEP_MS)
    longest = Math.max(longest, (await spent()) - before)
  }
  return longest
}

async function signIn(browser: Browser, service: TestService): Promise<Page> {
  const page = await (await browser.newContext({ viewport: VIEWPORT })).newPage()
  const token = await makeSignInToken(service.server.service.services, service.workspaceId, { label: 'Ada' })
  await page.goto(`${originOf(service)}/sign-in#${token}`)
  await page.waitForURL(`${originOf(service)}/`)
  return page
}

function originOf({ server }: TestService): string {
  return `http://localhost:${server.port}`
}
