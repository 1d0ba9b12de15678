import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'rolldown'
import { launchBrowser } from '../support/browser.js'
import { npmPack, type Packed } from '../support/npm/pack.js'
import { startTestService, type TestService } from '../support/service.js'
import { NODE_PROGRAM, PROGRAM, SAME_TYPES } from './package-programs.js'

const TSC = resolve('node_modules/typescript/bin/tsc')
/** What the client needs; their tarballs are made from what is installed here, so that nothing is fetched. */
const NEEDED = ['ignore', 'openapi-fetch', 'openapi-typescript-helpers']

/** Those of a careful user, without the types of Node. */
const STRICT = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  module: 'nodenext',
  target: 'es2023',
  lib: ['es2023', 'dom'],
  types: [],
  skipLibCheck: false,
}

type Work = (baseUrl: string, key: string) => Promise<string[]>
type Publish = (baseUrl: string, key: string, folder: string) => Promise<number>

describe('the package of the client', () => {
  let folder: string
  let packed: Packed
  let service: TestService

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-client-'))
    const all = npmPack(folder, './dist/client-package', ...NEEDED.map((name) => `./node_modules/${name}`))
    const found = all.get('palimpsest-client')
    assert.ok(found)
    packed = found
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
    const options = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts']
    const tarballs = [...all.values()].map(({ tarball }) => tarball)
    execFileSync('npm', ['install', ...options, ...tarballs], { cwd: folder, stdio: 'ignore' })
    compile('program.ts', PROGRAM)
    service = await startTestService()
  })
  after(async () => {
    await service?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** To JavaScript beside it. Fails with what the compiler says. */
  function compile(name: string, text: string, options: object = {}): void {
    writeFileSync(join(folder, name), text)
    const config = { compilerOptions: { ...STRICT, ...options }, files: [name] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const { status, stdout } = spawnSync(process.execPath, [TSC], { cwd: folder, encoding: 'utf8' })
    assert.equal(status, 0, stdout)
  }

  async function load<T>(name: string): Promise<T> {
    return (await import(pathToFileURL(join(folder, name)).href)) as T
  }

  it('is small, and holds no code of the service', () => {
    assert.ok(packed.size > 5_000 && packed.size < 100_000, `${packed.size} bytes`)
    for (const name of ['README.md', 'LICENSE', 'client.js', 'client.d.ts', 'node/read-folder.js'])
      assert.ok(packed.names.includes(name), name)
    for (const name of packed.names) assert.match(name, /^(?:node\/)?[\w-]+\.(?:js|d\.ts|md|json)$|^LICENSE$/)
  })

  it('publishes, lists, and names the code of a refusal, in Node', async () => {
    const { work } = await load<{ work: Work }>('program.js')
    assert.deepEqual(await work(service.origin, service.key), ['/first', '/', '/first', 'page_exists'])
  })

  it('publishes a folder as one commit, in Node', async () => {
    compile('node-program.ts', NODE_PROGRAM)
    const { publish } = await load<{ publish: Publish }>('node-program.js')
    mkdirSync(join(folder, 'site'))
    writeFileSync(join(folder, 'site/deployed.html'), '<h1>Deployed</h1>')
    assert.equal(await publish(service.origin, service.key, join(folder, 'site')), 1)
    await service.visit('/deployed').expect(200)
  })

  it('has the types of the route table', () => {
    const typeRoots = [resolve('node_modules/@types')]
    compile('same.ts', SAME_TYPES, { noEmit: true, skipLibCheck: true, types: ['node'], typeRoots })
  })

  describe('in a page of another origin', () => {
    let site: Server
    let origin: string
    before(async () => {
      const options = { input: join(folder, 'program.ts'), output: { format: 'iife' as const, name: 'program' } }
      const { output } = await build({ ...options, cwd: folder, write: false })
      const script = `<title>App</title><script>${output[0].code}</script>`
      site = createServer((_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(script))
      await new Promise<void>((ready) => site.listen(0, '127.0.0.1', ready))
      origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
    })
    after(() => site.close())

    it('publishes and reads with a key that allows it, and not with one that does not', async function () {
      const own = await service.mint({ origins: [origin] })
      const other = await service.mint({ origins: ['https://app.example'] })
      const browser = await launchBrowser(this)
      const page = await browser.newPage()
      await page.goto(origin)
      const work = (key: string, path: string) =>
        page.evaluate<string[]>(
          `program.work('${service.origin}', '${key}', '${path}').catch((error) => [error.message])`,
        )
      assert.deepEqual(await work(other.key, '/refused'), ['Failed to fetch'])
      await service.visit('/refused').expect(404)
      const [path, ...more] = await work(own.key, '/from-a-page')
      assert.deepEqual([path, more.at(-1)], ['/from-a-page', 'page_exists'])
      await service.visit('/from-a-page').expect(200)
      await browser.close()
    })
  })
})
