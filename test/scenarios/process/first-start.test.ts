import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadConfig } from '../../../src/processes/config/config.js'
import { PATIENCE_MS, within } from '../../support/within.js'
import { visitAnew } from '../../processes/roles/visits.js'
import { clientOf, put } from '../client.js'
import { endProcesses, type Finished, run, serve, type ServeProcess } from '../serve-process.js'

const BUILD = fileURLToPath(new URL('../../..', import.meta.url))
const PROJECT = fileURLToPath(new URL('../../../..', import.meta.url))
const ANY_KEY = /pal_[0-9A-Za-z]{10}/

describe('the first start on an empty folder', () => {
  let folder: string
  let checkout: string
  let server: ServeProcess

  /** A shell in the checkout, as in the other terminal. */
  const shell = (script: string): Promise<Finished> =>
    run('sh', ['-e', '-c', script], { cwd: checkout, env: { ...process.env, DATA_DIR: '', USER: '' } })

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-newcomer-'))
    checkout = join(folder, 'palimpsest')
    mkdirSync(checkout)
    copyFileSync(join(PROJECT, 'package.json'), join(checkout, 'package.json'))
    symlinkSync(BUILD, join(checkout, 'dist'))
    const env = { LOG_LEVEL: 'info', npm_lifecycle_event: 'start' }
    server = await serve({ cwd: checkout, main: 'dist/program/bin/palimpsest.js', env })
  })
  after(async () => {
    await endProcesses(folder)
  })

  it('takes a free port for PORT=0, and prints it', () => {
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
    const { status, body } = await visitAnew(server.port, 'demo', '/')
    assert.equal(status, 200)
    assert.match(body, /<h1/)
  })

  it('is found by commands for authors that are told neither address nor port', async () => {
    const { stdout, stderr } = await shell('npm run --silent palimpsest -- status --json')
    assert.equal(stderr, '')
    const { service } = JSON.parse(stdout) as { service: string }
    assert.equal(service, `http://localhost:${server.port}`)
  })

  it('makes a key with a command that prints the key alone, and publishes with it', async () => {
    const { code, stdout } = await shell('npm run --silent palimpsest -- keys create --scopes write')
    assert.equal(code, 0)
    assert.match(stdout, /^pal_[0-9A-Za-z]{36}\n$/)
    await put(clientOf(server.origin, stdout.trim()), '/hello', '<h1>Hello</h1>')
  })

  it('never prints or logs a key after its creation', async () => {
    // The line of a request comes after its answer.
    await within(PATIENCE_MS, () => assert.match(server.logged(), /"path":"\/api\/v1\/pages"/))
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
    assert.match((await visitAnew(server.port, 'demo', '/hello')).body, /<h1>Hello/)
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

  it('names HOST and PORT if another program listens there', async () => {
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

  it('reads any spelling of BASE_URL as browsers write the origin', () => {
    for (const [written, read] of [
      ['HTTPS://Pages.Example:443/', 'https://pages.example'],
      ['http://LOCALHOST:80', 'http://localhost'],
      ['http://localhost:8080/', 'http://localhost:8080'],
    ] as const)
      assert.equal(loadConfig({ BASE_URL: written, SITE_DOMAIN: 'sites.localhost' }).baseUrl, read)
  })
})
