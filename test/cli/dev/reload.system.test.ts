// A real browser shows a folder that `palimpsest dev` serves, while its files change.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchBrowser } from '../../support/browser.js'
import { runDev } from './run-dev.js'

describe('a page that palimpsest dev serves', () => {
  it('reloads when its file or its style changes, under a policy for scripts too', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-reload-'))
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
    write('index.html', '<!doctype html><link rel=stylesheet href=style.css><h1>One</h1>')
    write('style.css', 'h1 { display: block }')
    write('_headers', "/*\n  Content-Security-Policy: default-src 'self'\n")
    const dev = await runDev(folder)
    const browser = await launchBrowser()
    try {
      const page = await browser.newPage()
      await page.goto(`${dev.origin}/`)
      write('index.html', '<!doctype html><link rel=stylesheet href=style.css><h1>Two</h1>')
      await page.getByRole('heading', { name: 'Two' }).waitFor()
      write('style.css', 'h1 { display: none }')
      await page.locator('h1').waitFor({ state: 'hidden' })
      assert.equal((await dev.end('SIGTERM')).code, 0)
    } finally {
      await browser.close()
      await dev.end('SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
