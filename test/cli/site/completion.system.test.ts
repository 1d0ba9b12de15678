import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { put } from '../../scenarios/client.js'
import { MAIN, runCommand } from '../../scenarios/commands.js'
import { startTestService, type TestService } from '../../support/service.js'

const SLUG = 'completed'

describe('palimpsest completion in bash', () => {
  let service: TestService
  let folder: string

  before(async () => {
    service = await startTestService(SLUG)
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-completion-'))
    writeFileSync(join(folder, 'palimpsest'), `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`, { mode: 0o755 })
  })
  after(async () => {
    rmSync(folder, { recursive: true, force: true })
    await service.stop()
  })

  /** Completes the last word as bash does. */
  async function complete(...words: string[]): Promise<string[]> {
    return await completeAt(service.origin, ...words)
  }

  async function completeAt(origin: string, ...words: string[]): Promise<string[]> {
    const { stdout: own } = await runCommand({ args: ['completion', 'bash'], env: { PATH: process.env['PATH'] } })
    const script = `${own}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _palimpsest; printf '%s\\n' "\${COMPREPLY[@]}"`
    const env = { PATH: `${folder}:${process.env['PATH']}`, HOME: folder }
    const child = spawn('bash', ['-c', script, 'bash', 'palimpsest', ...words], {
      env: { ...env, PALIMPSEST_URL: origin, PALIMPSEST_TOKEN: service.key },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, 'close') as Promise<[number | null]>])
    assert.equal(code, 0)
    return stdout.split('\n').filter(Boolean)
  }

  it('completes commands, their own commands and options', async () => {
    assert.deepEqual(await complete('un'), ['undo'])
    assert.ok((await complete('')).includes('backup'), 'commands of the server are missing')
    assert.deepEqual(await complete('publish', '--de'), ['--delete'])
    assert.deepEqual(await complete('publish', 'dist', '--de'), ['--delete'])
    assert.deepEqual(await complete('mirror', 're'), ['retry', 'remove'])
    assert.deepEqual(await complete('mirror', 'set', '--us'), ['--username'])
    assert.deepEqual(await complete('publish', 'some-file'), [])
  })

  it('completes names of sites and pages that the service has', async () => {
    await put(service.api(), '/menu/lunch', '<p>lunch</p>')
    await put(service.api(), '/menu/supper', '<p>supper</p>')
    assert.deepEqual(await complete('open', '/menu/'), ['/menu/lunch', '/menu/supper'])
    assert.deepEqual(await complete('history', '--site', SLUG, '/menu/l'), ['/menu/lunch'])
    assert.deepEqual(await complete('link', SLUG.slice(0, 3)), [SLUG])
    assert.deepEqual(await complete('publish', 'dist', '--site', SLUG.slice(0, 3)), [SLUG])
  })

  it('completes no name that a shell would run, and none if the service is away', async () => {
    await put(service.api(), '/trap/plain', '<p>plain</p>')
    await put(service.api(), '/trap/$(touch trapped)', '<p>trap</p>')
    assert.deepEqual(await complete('open', '/trap/'), ['/trap/plain'])
    assert.deepEqual(await completeAt('http://127.0.0.1:9', 'open', '/trap/'), [])
  })
})
