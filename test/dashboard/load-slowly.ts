// Loads a screen of the dashboard as on a machine with a quarter of this one's speed.

import type { Page } from 'playwright-core'

export interface Load {
  /** Bytes as sent over the network. */
  bytes: number
  /** Milliseconds until the first content was painted. */
  paint: number
  /** The shift of the content after that (web.dev/articles/cls). */
  shift: number
}

const SLOWER = 4

/** Closes the page's profile in the end. */
export async function loadSlowly(page: Page, url: string): Promise<Load> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  await session.send('Network.enable')
  let bytes = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
  await page.goto(url)
  await page.waitForLoadState('networkidle')
  const figures = await page.evaluate<Pick<Load, 'paint' | 'shift'>>(`new Promise((resolve) => {
    let shift = 0
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) shift += value
    }).observe({ type: 'layout-shift', buffered: true })
    const [{ startTime }] = performance.getEntriesByName('first-contentful-paint')
    setTimeout(() => resolve({ paint: startTime, shift }), 100)
  })`)
  await page.context().close()
  return { bytes, ...figures }
}
