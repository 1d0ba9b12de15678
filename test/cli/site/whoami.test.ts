import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from '../../scenarios/commands.js'
import { startTestService, type TestService } from '../../support/service.js'

describe('palimpsest whoami', () => {
  let service: TestService
  let home: string

  before(async () => {
    service = await startTestService()
    home = mkdtempSync(join(tmpdir(), 'palimpsest-whoami-'))
  })
  after(async () => {
    rmSync(home, { recursive: true, force: true })
    await service.stop()
  })

  const run = (args: string[], more: NodeJS.ProcessEnv = {}, input = '') =>
    runCommand({ args, input, env: { PATH: process.env['PATH'], HOME: home, BASE_URL: service.origin, ...more } })

  it('names the key, what it may do, and the variable that holds it', async () => {
    const { key } = await service.mint({ label: 'deploys', scopes: ['write'], paths: ['/blog/*'] })
    const { code, stdout } = await run(['whoami'], { SERVICE_API_TOKEN: key })
    assert.equal(code, 0)
    const rows = Object.fromEntries(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t')),
    )
    assert.deepEqual(rows, {
      who: 'deploys, a key of the workspace',
      may: 'read, write',
      'only paths': '/blog/*',
      workspace: 'Another',
      service: service.origin,
      'key from': 'SERVICE_API_TOKEN',
    })
  })

  it('names the file in which the login is stored, for programs too', async () => {
    assert.equal((await run(['login', '--key'], {}, service.key)).code, 0)
    const file = join(home, '.config/palimpsest/credentials.json')
    assert.match((await run(['whoami'])).stdout, new RegExp(`^key from\t${file}$`, 'm'))
    const told = JSON.parse((await run(['whoami', '--json'])).stdout) as { source: string; kind: string }
    assert.deepEqual([told.source, told.kind], [file, 'key'])
  })

  it('says how to sign in where there is no key', async () => {
    const { code, stderr } = await run(['whoami'], { BASE_URL: 'http://localhost:9' })
    assert.equal(code, 2)
    assert.match(stderr, /There is no key for .*login/)
  })
})
