import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestService, type TestService } from '../support/service.js'
import { connectStdio, succeed } from './clients.js'

describe('a person logs in, once', () => {
  let service: TestService
  let folder: string
  before(async () => {
    service = await startTestService()
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-login-'))
  })
  after(async () => {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const environment = () => ({ PATH: process.env['PATH'] ?? '', BASE_URL: service.origin, XDG_CONFIG_HOME: folder })

  it('is told so in one line, with exit code 2, where there is neither a terminal nor a key', async () => {
    for (const command of ['mcp', 'login']) {
      const { code, output, errors } = await run(process.execPath, ['dist/program/bin/palimpsest.js', command], '')
      assert.deepEqual([code, output, errors.trim().split('\n').length], [2, '', 1])
      assert.match(errors, /SERVICE_API_TOKEN.*palimpsest\S* login/)
    }
  })

  it('the key is not shown, is kept for its owner alone, and the tools find it', async () => {
    const command = `stty cols 120 rows 30; ${process.execPath} dist/program/bin/palimpsest.js login`
    const { code, output } = await run('script', ['-qec', command, '/dev/null'], `${service.key}\r`)
    assert.equal(code, 0, output)
    assert.ok(!output.includes(service.key) && output.includes('Logged in'))
    const path = join(folder, 'palimpsest', 'credentials.json')
    assert.equal(statSync(path).mode & 0o777, 0o600)
    assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), { [service.origin]: service.key })
    const client = await connectStdio(environment(), 'modern')
    await succeed(client, 'list_sites')
    await client.close()
  })

  /** The typed text is sent when the command has asked. */
  function run(
    command: string,
    args: string[],
    typed: string,
  ): Promise<{ code: number | null; output: string; errors: string }> {
    return new Promise((resolve, reject) => {
      const child = spawn(command, args, { env: environment() })
      let output = ''
      let errors = ''
      child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
      child.stdout.on('data', (chunk: Buffer) => {
        const asked = !output.includes('API key for') && (output + chunk.toString()).includes('API key for')
        output += chunk.toString()
        if (asked) child.stdin.write(typed)
      })
      child.once('error', reject).once('close', (code) => resolve({ code, output, errors }))
      if (typed === '') child.stdin.end()
    })
  }
})
