import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { writeFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '../../support/browser.js'
import { git, withClone } from '../../support/git.js'
import { startOwnService, type TestService } from '../../support/service.js'

describe('a preview that is opened in a tab', () => {
  let browser: Browser
  let service: TestService
  let stranger: Server
  /** Fields of every request that another host got from the preview, by path. */
  const told = new Map<string, IncomingHttpHeaders>()

  before(async function () {
    browser = await launchBrowser()
    service = await startOwnService()
    stranger = createServer(({ url = '', headers }, response) => {
      told.set(url, headers)
      response.writeHead(200, {
        'Access-Control-Allow-Origin': '*',
        'Content-Type': url.endsWith('.js') ? 'text/javascript' : 'text/plain',
      })
      response.end()
    }).listen(0, '127.0.0.1')
    await once(stranger, 'listening')
    await withClone(service.gitdir(), (folder) => {
      writeFileSync(join(folder, 'own.js'), "document.title = 'its own module ran'")
      writeFileSync(join(folder, '_headers'), "/*\n  Content-Security-Policy: object-src 'none'\n")
      git(folder, 'add', '.')
      git(folder, 'commit', '--quiet', '-m', 'Add files')
      git(folder, 'push', '--quiet')
    })
  })
  after(async () => {
    stranger?.close()
    await service?.stop()
    await browser?.close()
  })

  async function previewOf(html: string): Promise<string> {
    const { body } = await service.api().put('/pages?path=/draft&dryRun=true').send({ html }).expect(200)
    return (body.data as { dryRun: { previewUrl: string } }).dryRun.previewUrl
  }

  it('tells its host name to no other host, for any content of the draft, and still loads its own files', async () => {
    const other = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`
    const previewUrl = await previewOf(`<!doctype html><title>draft</title>
      <style>@font-face { font-family: f; src: url(${other}/font.woff2) } p { font-family: f }</style><p>text</p>
      <img src="${other}/picture.png" referrerpolicy="unsafe-url">
      <script type="module" src="${other}/module.js"></script>
      <script type="module" src="/own.js"></script>`)
    const { hostname } = new URL(previewUrl)
    const tab = await browser.newPage()
    await tab.goto(previewUrl, { waitUntil: 'networkidle' })
    assert.equal(await tab.title(), 'its own module ran')
    for (const path of ['/font.woff2', '/picture.png', '/module.js']) {
      assert.ok(told.has(path), `the browser asked for ${path}`)
      assert.ok(!JSON.stringify(told.get(path)).includes(hostname), `${path} was asked for without ${hostname}`)
    }
    await tab.close()
  })
})
