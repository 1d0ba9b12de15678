// Counts the round trips of a screen that follow one another. Each answer is held until the browser asks for nothing more.

import type { Page, Request, Route } from 'playwright-core'

/** Pictures and pages in frames fill places that the screen already shows. */
const OF_PICTURES = /\/files\/content\?path=.*\.(?:png|svg)$/
/** Rounds of an idle browser without a new request. */
const IDLE_ROUNDS = 3
/** Longer than any pause that a screen makes before it asks. */
const PAUSE_MS = 500

/** Opens the address, and returns what was asked for in each wave. */
export async function wavesOf(page: Page, url: string): Promise<string[][]> {
  // Files that the document names come before any screen, and after the first visit from the browser's memory.
  const document = await (await page.request.get(url)).text()
  const held: Route[] = []
  const open = new Set<Request>()
  const done = (request: Request) => open.delete(request)
  await page.route('**/*', async (route) => {
    const request = route.request()
    const isOwn = request.frame() === page.mainFrame() && new URL(request.url()).origin === new URL(url).origin
    const isOfDocument = request.isNavigationRequest() || document.includes(`"${new URL(request.url()).pathname}"`)
    if (!isOwn || isOfDocument) return await route.continue()
    held.push(route)
  })
  page.on('requestfinished', done)
  page.on('requestfailed', done)
  const waves: string[][] = []
  await page.goto(url, { waitUntil: 'commit' })
  for (;;) {
    // Each wave is asked for by what the one before it answered.
    // oxlint-disable no-await-in-loop
    await untilIdle(page, held)
    const wave = held.splice(0)
    if (wave.length === 0) break
    const asked = wave.filter((route) => !OF_PICTURES.test(route.request().url()))
    if (asked.length > 0) waves.push(asked.map((route) => nameOf(route.request())))
    for (const route of wave) open.add(route.request())
    await Promise.all(wave.map(async (route) => await route.continue()))
    while (open.size > 0) await page.evaluate(IDLE)
    // oxlint-enable no-await-in-loop
  }
  await page.unroute('**/*')
  page.off('requestfinished', done)
  page.off('requestfailed', done)
  return waves
}

const IDLE = 'new Promise((resolve) => requestAnimationFrame(() => requestIdleCallback(() => resolve())))'

/** Waits until the browser has nothing left to do, and its timers have run. */
async function untilIdle(page: Page, held: readonly Route[]): Promise<void> {
  for (let round = 0, before = held.length; round < IDLE_ROUNDS; round++) {
    // oxlint-disable-next-line no-await-in-loop
    await page.evaluate(`${IDLE}.then(() => new Promise((resolve) => setTimeout(resolve, ${PAUSE_MS / IDLE_ROUNDS})))`)
    if (held.length > before) round = -1
    before = held.length
  }
}

function nameOf(request: Request): string {
  const { pathname, search } = new URL(request.url())
  return `${request.method()} ${pathname}${search}`
}
