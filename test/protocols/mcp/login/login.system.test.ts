import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startOnTerminal } from '../../../cli/on-terminal.js'
import { startOwnService, type TestService } from '../../../support/service.js'
import { connectStdio, succeed } from '../clients.js'

describe('a person who logs in once', () => {
  let service: TestService
  let folder: string
  before(async () => {
    service = await startOwnService()
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-login-'))
  })
  after(async () => {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('has a key that is not shown, is readable only by its owner, and is found by the tools', async () => {
    const environment = { PATH: process.env['PATH'] ?? '', BASE_URL: service.origin, XDG_CONFIG_HOME: folder }
    const terminal = startOnTerminal(['login'], { env: environment })
    await terminal.shows('API key for')
    terminal.type(`${service.key}\r`)
    const { code, stdout } = await terminal.ended
    assert.equal(code, 0, stdout)
    assert.ok(!stdout.includes(service.key) && stdout.includes('Logged in'))
    const path = join(folder, 'palimpsest', 'credentials.json')
    assert.equal(statSync(path).mode & 0o777, 0o600)
    assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), { [service.origin]: service.key })
    const client = await connectStdio(environment, 'modern')
    await succeed(client, 'list_sites')
    await client.close()
  })
})
