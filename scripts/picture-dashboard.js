// `npm run pictures`: takes the pictures of docs/dashboard.md in Chromium, from a running service with a few pages.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const PORT = '9317'
const BASE = `http://localhost:${PORT}`
const main = fileURLToPath(new URL('../dist/program/bin/palimpsest.js', import.meta.url))
const folder = fileURLToPath(new URL('../docs/pictures/', import.meta.url))
const dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-pictures-'))
const env = { ...process.env, PORT, DATA_DIR: dataDir, LOG_LEVEL: 'error' }

const palimpsest = (...args) => execFileSync(process.execPath, [main, ...args], { env, encoding: 'utf8' }).trim()

mkdirSync(folder, { recursive: true })
const service = spawn(process.execPath, [main, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
try {
  await once(service.stdout, 'data')
  const page = await publishPages(palimpsest('keys', 'create', '--scopes', 'admin', '--label', 'Grace'))
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  })
  await take(browser, 'light', { pages: '/sites/demo', page: `/sites/demo/pages/${page}` })
  await take(browser, 'dark', { history: `/sites/demo/pages/${page}/history?from=1&to=2` })
  await browser.close()
} finally {
  service.kill()
  await once(service, 'exit')
  rmSync(dataDir, { recursive: true, force: true })
}

/** Publishes some pages, and returns the id of the one that has a history. */
async function publishPages(key) {
  const put = async (path, html) => {
    const response = await fetch(`${BASE}/api/v1/pages?path=${path}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${key}` },
      body: Buffer.from(html),
    })
    const { data } = await response.json()
    return data.id
  }
  for (const name of ['about', 'contact', 'guide/first-steps', 'guide/publishing', 'news/2026-11', 'prices']) {
    await put(`/${name}`, pageOf(name, 'Words about it.'))
  }
  await put('/guide/rolling-back', pageOf('Rolling back', 'Every version stays.'))
  return await put('/guide/rolling-back', pageOf('Rolling back', 'Every version stays, and any of them can come back.'))
}

function pageOf(title, text) {
  return `<!doctype html>
<html lang="en">
  <title>${title}</title>
  <body style="font: 18px/1.6 system-ui; margin: 2rem">
    <h1>${title}</h1>
    <p>${text}</p>
  </body>
</html>
`
}

async function take(browser, colorScheme, screens) {
  const context = await browser.newContext({ colorScheme, viewport: { width: 1200, height: 720 } })
  const tab = await context.newPage()
  await tab.goto(palimpsest('login-link', '--label', 'Ada'))
  await tab.waitForURL(`${BASE}/`)
  for (const [name, path] of Object.entries(screens)) {
    await tab.goto(BASE + path)
    await tab.waitForLoadState('networkidle')
    // The preview of a draft arrives after a delay.
    await tab.waitForTimeout(1000)
    await tab.screenshot({ path: join(folder, `dashboard-${name}.png`) })
  }
  await context.close()
}
