import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Outcome, runCommand } from '../scenarios/commands.js'
import { startTestService, type TestService } from '../support/service.js'

describe('the address and the key of the command line', () => {
  let service: TestService
  let folder: string

  before(async () => {
    service = await startTestService()
  })
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-login-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  after(() => service.stop())

  const palimpsest = (args: string[], env: Record<string, string>, input = ''): Promise<Outcome> =>
    runCommand({ args, cwd: folder, input, env: { PATH: process.env['PATH'], HOME: folder, ...env } })

  it('come from PALIMPSEST_URL and PALIMPSEST_TOKEN, whatever a build tool calls its own', async () => {
    const own = { PALIMPSEST_URL: service.origin, PALIMPSEST_TOKEN: service.key }
    const foreign = { BASE_URL: '/docs/', SERVICE_API_TOKEN: 'of another service' }
    const { code, stderr } = await palimpsest(['pages'], { ...own, ...foreign })
    assert.equal(code, 0, stderr)
  })

  it('come from BASE_URL and SERVICE_API_TOKEN if those are not set', async () => {
    const old = { BASE_URL: service.origin, SERVICE_API_TOKEN: service.key }
    for (const empty of [{}, { PALIMPSEST_URL: '', PALIMPSEST_TOKEN: '' }]) {
      const { code, stderr } = await palimpsest(['pages'], { ...old, ...empty })
      assert.equal(code, 0, stderr)
    }
  })

  it('are named in an error as they were set', async () => {
    for (const name of ['PALIMPSEST_URL', 'BASE_URL']) {
      const { code, stderr } = await palimpsest(['pages'], { [name]: 'nowhere' })
      assert.equal(code, 2)
      assert.match(stderr, new RegExp(`^palimpsest: ${name} must be an http or https URL`))
    }
  })

  it('are stored by a login that reads standard input, and forgotten by a logout', async () => {
    const env = { PALIMPSEST_URL: service.origin }
    const login = await palimpsest(['login'], env, `${service.key}\n`)
    assert.equal(login.code, 0, login.stderr)
    assert.match(login.stdout, /^Logged in to \S+ as ".+" \(/)
    assert.ok(!login.stdout.includes(service.key))
    assert.equal((await palimpsest(['pages'], env)).code, 0)
    assert.match((await palimpsest(['logout'], env)).stdout, /^The key for \S+ is removed here\. It stays valid\.$/m)
    assert.equal(readFileSync(join(folder, '.config/palimpsest/credentials.json'), 'utf8'), '{}\n')
    assert.equal((await palimpsest(['pages'], env)).code, 2)
    assert.match((await palimpsest(['logout'], env)).stdout, /^No key for \S+ is stored\.$/m)
  })

  it('are not stored if standard input has a wrong key or none', async () => {
    const env = { PALIMPSEST_URL: service.origin }
    assert.equal((await palimpsest(['login'], env, 'wrong')).code, 1)
    const { code, stderr } = await palimpsest(['login'], env)
    assert.equal(code, 2)
    assert.match(stderr, /Send the key on standard input/)
    assert.equal((await palimpsest(['login'], { PALIMPSEST_URL: 'http://127.0.0.1:9' }, 'any')).code, 3)
    assert.equal((await palimpsest(['pages'], env)).code, 2)
  })
})
