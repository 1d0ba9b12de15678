import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadConfig } from '../../../src/config/config.js'
import { PATIENCE_MS, within } from '../../support/within.js'
import { endProcesses, type Finished, run, serve, type ServeProcess } from '../serve-process.js'

const BUILD = fileURLToPath(new URL('../../..', import.meta.url))
const PROJECT = fileURLToPath(new URL('../../../..', import.meta.url))
const ANY_KEY = /pal_[0-9A-Za-z]{10}/

describe('the first start on an empty folder', () => {
  let folder: string
  let checkout: string
  let server: ServeProcess

  /** A shell in the checkout, as in the other terminal; a curl that the service refuses makes it fail. */
  const shell = (script: string): Promise<Finished> => {
    const env = { ...process.env, DATA_DIR: '', USER: '', CURL_HOME: checkout, GIT_CONFIG_GLOBAL: '/dev/null' }
    for (const who of ['AUTHOR', 'COMMITTER']) {
      Object.assign(env, { [`GIT_${who}_NAME`]: 'Newcomer', [`GIT_${who}_EMAIL`]: 'new@example.org' })
    }
    return run('sh', ['-e', '-c', script], { cwd: checkout, env, timeout: 100_000 })
  }

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-newcomer-'))
    checkout = join(folder, 'palimpsest')
    mkdirSync(checkout)
    copyFileSync(join(PROJECT, 'package.json'), join(checkout, 'package.json'))
    writeFileSync(join(checkout, '.curlrc'), 'silent\nshow-error\nfail-with-body\n')
    symlinkSync(BUILD, join(checkout, 'dist'))
    const env = { LOG_LEVEL: 'info', npm_lifecycle_event: 'start' }
    server = await serve({ cwd: checkout, main: 'dist/program/bin/palimpsest.js', env })
  })
  after(async () => {
    await endProcesses()
    rmSync(folder, { recursive: true, force: true })
  })

  it('takes a free port for PORT=0, and names it in what it prints', () => {
    assert.ok(server.port > 0)
    assert.ok(server.printed().includes(`http://localhost:${server.port}`))
  })

  it('prints the lines that make a key, publish a page and read it', async () => {
    await within(PATIENCE_MS, () => assert.match(server.printed(), /\n\n/))
    assert.match(server.printed(), /^ +KEY=\$\(npm run --silent palimpsest -- keys create --scopes write.*\)$/m)
    assert.match(server.printed(), /^ +.*curl .*\$KEY.*\/api\/v1\/pages\?path=\/hello'?$/m)
    assert.match(server.printed(), new RegExp(`^ +curl http://demo.localhost:${server.port}/hello$`, 'm'))
  })

  it('serves a welcome page at the first site', async () => {
    const { code, stdout } = await shell(`curl http://demo.localhost:${server.port}/`)
    assert.equal(code, 0)
    assert.match(stdout, /<h1/)
  })

  it('publishes a page with the printed lines, and the next GET returns it byte for byte', async () => {
    const lines = server.printed().match(/^ {2}\S.*$/gm) ?? []
    assert.equal(lines.length, 3)
    const { code, stdout, stderr } = await shell(lines.join('\n'))
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^\{"success":true,.*"path":"\/hello"/)
    assert.ok(stdout.endsWith('}<h1>Hello</h1>\n'), stdout)
  })

  it('makes a key with a command that prints the key alone', async () => {
    const { code, stdout } = await shell('npm run --silent palimpsest -- keys create --scopes read')
    assert.equal(code, 0)
    assert.match(stdout, /^pal_[0-9A-Za-z]{36}\n$/)
  })

  it("runs every command of the README's start and common tasks", async function () {
    // Some twenty processes, one after the other.
    this.timeout(120_000)
    const readme = readFileSync(join(PROJECT, 'README.md'), 'utf8')
    const blocks = Array.from(readme.matchAll(/^```sh\n(.*?)^```$/gms), ([, block]) => block ?? '')
    const tasks = blocks.filter((block) => !block.startsWith('npm ci'))
    assert.ok(tasks.length >= 6)
    const { code, stdout, stderr } = await shell(tasks.join('\n').replaceAll(':8080', `:${server.port}`))
    assert.equal(code, 0, `${stdout}\n${stderr}`)
    assert.doesNotMatch(stdout, /"success":false/)
    assert.match(stdout, /Metamorphoses/)
  })

  it('never prints or logs a key after it was made', () => {
    assert.match(server.logged(), /"path":"\/api\/v1\/pages"/)
    assert.doesNotMatch(server.printed() + server.logged(), ANY_KEY)
  })

  it('refuses a second process on the same folder, and says what to do', async () => {
    await assert.rejects(
      serve({ dataDir: join(checkout, 'repos') }),
      /ended with 1: palimpsest: Another process serves .*stop it first/,
    )
  })

  it('prints no first steps on a later start', async () => {
    server.signal('SIGTERM')
    assert.deepEqual(await server.ended, { code: 0, signal: null })
    server = await serve({ cwd: checkout, main: 'dist/program/bin/palimpsest.js' })
    assert.doesNotMatch(server.printed(), /KEY=/)
    const { stdout } = await shell(`curl http://demo.localhost:${server.port}/hello`)
    assert.equal(stdout, '<h1>Hello</h1>\n')
  })
})

describe('a start with a wrong configuration', () => {
  afterEach(endProcesses)

  it('names every problem at once and touches nothing', async () => {
    const env = { PORT: 'eighty', LOG_LEVEL: 'loud', BASE_URL: 'nonsense', WRITER_THREADS: '0' }
    const folder = join(tmpdir(), `palimpsest-never-made-${process.pid}`)
    const refused = await serve({ dataDir: folder, env }).then(
      () => assert.fail('it started'),
      (error: Error) => error.message,
    )
    assert.match(refused, /ended with 1: palimpsest: The configuration has 4 problem/)
    for (const name of Object.keys(env)) assert.ok(refused.includes(`- ${name} `), `${name} is not in: ${refused}`)
    assert.match(refused, /LOG_LEVEL must be one of fatal, /)
    assert.throws(() => readFileSync(folder), { code: 'ENOENT' })
  })

  it('names HOST and PORT where another program listens there', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-port-'))
    try {
      await assert.rejects(
        serve({ dataDir, env: { PORT: String(port) } }),
        /- HOST and PORT name no free address: .*EADDRINUSE/,
      )
    } finally {
      other.close()
      rmSync(dataDir, { recursive: true, force: true })
    }
  })

  it('reads a BASE_URL however it is written as browsers write the origin', () => {
    for (const [written, read] of [
      ['HTTPS://Pages.Example:443/', 'https://pages.example'],
      ['http://LOCALHOST:80', 'http://localhost'],
      ['http://localhost:8080/', 'http://localhost:8080'],
    ] as const)
      assert.equal(loadConfig({ BASE_URL: written, SITE_DOMAIN: 'sites.localhost' }).baseUrl, read)
  })
})
