// The second half of `npm run pictures`: takes pictures of the page of all parts of the dashboard, into dist/pictures/.

import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import sirv from 'sirv'

const WIDE = { viewport: { width: 1280, height: 800 } }
const LOOKS = {
  light: WIDE,
  dark: { ...WIDE, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
}
const folder = fileURLToPath(new URL('../dist/pictures/', import.meta.url))
mkdirSync(folder, { recursive: true })
const server = createServer(sirv(fileURLToPath(new URL('../dist/parts-ui', import.meta.url)))).listen(0)
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
for (const [name, options] of Object.entries(LOOKS)) {
  const page = await browser.newPage(options)
  await page.goto(`http://localhost:${server.address().port}/parts.html`)
  await page.getByRole('heading', { name: 'The parts' }).waitFor()
  await page.screenshot({ path: `${folder}parts-${name}.png`, fullPage: true, animations: 'disabled' })
  await page.close()
}
await browser.close()
server.close()
