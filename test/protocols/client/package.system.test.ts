import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { build } from 'rolldown'
import { launchBrowser } from '../../support/browser.js'
import { startOwnService, type TestService } from '../../support/service.js'
import { InstalledPackage } from './installed-package.js'
import { PROGRAM } from './package-programs.js'

describe('the package of the client in a page of another origin', () => {
  let client: InstalledPackage
  let service: TestService
  let site: Server
  let origin: string

  before(async () => {
    client = new InstalledPackage()
    client.compile('program.ts', PROGRAM)
    service = await startOwnService()
    const { folder } = client
    const options = { input: join(folder, 'program.ts'), output: { format: 'iife' as const, name: 'program' } }
    const { output } = await build({ ...options, cwd: folder, write: false })
    const script = `<title>App</title><script>${output[0].code}</script>`
    site = createServer((_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(script))
    await new Promise<void>((ready) => site.listen(0, '127.0.0.1', ready))
    origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  })
  after(async () => {
    site?.close()
    await service?.stop()
    client?.remove()
  })

  it('publishes and reads only with a key that allows the origin', async () => {
    const own = await service.mint({ origins: [origin] })
    const other = await service.mint({ origins: ['https://app.example'] })
    const browser = await launchBrowser()
    const page = await browser.newPage()
    await page.goto(origin)
    const work = (key: string, path: string) =>
      page.evaluate<string[]>(
        `program.work('${service.origin}', '${key}', '${path}').catch((error) => [error.message])`,
      )
    const [refused = ''] = await work(other.key, '/refused')
    assert.match(refused, /^Nothing answers at http:\S+ \(in a web page, the key must name the origin/)
    await service.visit('/refused').expect(404)
    const [path, ...more] = await work(own.key, '/from-a-page')
    assert.deepEqual([path, more.at(-1)], ['/from-a-page', 'page_exists'])
    await service.visit('/from-a-page').expect(200)
    await browser.close()
  })
})
