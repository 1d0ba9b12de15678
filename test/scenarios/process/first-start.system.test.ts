import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PATIENCE_MS, within } from '../../support/within.js'
import { endProcesses, type Finished, run, serve, type ServeProcess } from '../serve-process.js'

const BUILD = fileURLToPath(new URL('../../..', import.meta.url))
const PROJECT = fileURLToPath(new URL('../../../..', import.meta.url))
const ANY_KEY = /pal_[0-9A-Za-z]{10}/

describe('the first start on an empty folder, with curl', () => {
  let folder: string
  let checkout: string
  let server: ServeProcess

  /** A shell in the checkout, as in the other terminal; a curl that the service refuses makes it fail. */
  const shell = (script: string): Promise<Finished> => {
    const env = { ...process.env, DATA_DIR: '', USER: '', CURL_HOME: checkout, GIT_CONFIG_GLOBAL: '/dev/null' }
    for (const who of ['AUTHOR', 'COMMITTER']) {
      Object.assign(env, { [`GIT_${who}_NAME`]: 'Newcomer', [`GIT_${who}_EMAIL`]: 'new@example.org' })
    }
    return run('sh', ['-e', '-c', script], { cwd: checkout, env })
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

  it('publishes a page with the printed lines, and the next GET returns it byte for byte', async () => {
    await within(PATIENCE_MS, () => assert.match(server.printed(), /\n\n/))
    const lines = server.printed().match(/^ {2}\S.*$/gm) ?? []
    assert.equal(lines.length, 3)
    const { code, stdout, stderr } = await shell(lines.join('\n'))
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^\{"success":true,.*"path":"\/hello"/)
    assert.ok(stdout.endsWith('}<h1>Hello</h1>\n'), stdout)
  })

  it("runs every command of the README's start and common tasks", async () => {
    const readme = readFileSync(join(PROJECT, 'README.md'), 'utf8')
    const blocks = Array.from(readme.matchAll(/^```sh\n(.*?)^```$/gms), ([, block]) => block ?? '')
    const tasks = blocks.filter((block) => !block.startsWith('npm ci'))
    assert.ok(tasks.length >= 6)
    const { code, stdout, stderr } = await shell(`export PORT=${server.port}\n${tasks.join('\n')}`)
    assert.equal(code, 0, `${stdout}\n${stderr}`)
    assert.doesNotMatch(stdout, /"success":false/)
    assert.match(stdout, /Metamorphoses/)
  })

  it('never prints or logs a key after its creation', async () => {
    // The line of a request comes after its answer.
    await within(PATIENCE_MS, () => assert.match(server.logged(), /"path":"\/api\/v1\/pages"/))
    assert.doesNotMatch(server.printed() + server.logged(), ANY_KEY)
  })
})
