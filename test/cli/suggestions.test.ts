import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { MAIN, runCommand } from '../scenarios/commands.js'
import { startTestService } from '../support/service.js'

describe('the command line', () => {
  it('leads from the word of another program to its own command', async () => {
    for (const [word, command] of [
      ['watch', 'dev'],
      ['logs', 'history'],
      ['deploy', 'publish'],
      ['init', 'link'],
      ['revert', 'undo'],
      ['histroy', 'history'],
    ] as const) {
      const { code, stderr } = await runCommand({ args: [word], env: {} })
      assert.deepEqual([code, stderr], [2, `error: unknown command '${word}'\n(Did you mean ${command}?)\n`])
    }
    assert.doesNotMatch((await runCommand({ args: ['constructor'], env: {} })).stderr, /Did you mean/)
  })

  it('tells in its help what commands mean here, in lines of at most 100 columns', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-help-'))
    try {
      writeFileSync(join(folder, '.palimpsest.json'), '{"site": "club"}')
      const set = { HOME: folder, PALIMPSEST_URL: 'https://pages.example', PALIMPSEST_TOKEN: 'pal_secret' }
      const { code, stdout } = await runCommand({ args: ['--help'], env: set, cwd: folder })
      assert.equal(code, 0)
      assert.match(stdout, /^ {2}service {2}https:\/\/pages\.example \(PALIMPSEST_URL\)$/m)
      assert.match(stdout, /^ {2}key {6}in PALIMPSEST_TOKEN$/m)
      assert.match(stdout, /^ {2}site {5}club \(.*\.palimpsest\.json\)$/m)
      assert.match(stdout, /^Examples:$[^]*^Learn more:$/m)
      assert.ok(!stdout.includes('pal_secret'))
      const commands = stdout.slice(0, stdout.indexOf('Here:'))
      assert.deepEqual(
        commands.split('\n').filter((line) => line.length > 100),
        [],
      )
      const wrong = await runCommand({ args: ['--help'], env: { HOME: folder, PALIMPSEST_URL: 'pages' }, cwd: folder })
      assert.match(wrong.stdout, /^ {2}service {2}PALIMPSEST_URL must be an http or https URL/m)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('prints the steps of a publish in order where both outputs are one pipe, each with a line feed', async () => {
    const service = await startTestService()
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-steps-'))
    try {
      writeFileSync(join(folder, 'a.html'), '<h1>a</h1>')
      // A shell, since only it gives one pipe to both.
      const child = spawn('/bin/sh', ['-c', 'exec "$0" "$@" 2>&1', process.execPath, MAIN, 'publish', '.'], {
        cwd: folder,
        env: { PATH: process.env['PATH'], HOME: folder, BASE_URL: service.origin, SERVICE_API_TOKEN: service.key },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const [said] = await Promise.all([text(child.stdout), once(child, 'close')])
      assert.match(
        said,
        /^Publishing \. to .*\nSending\nsent 1 of 1 files, .*\ncreated\ta\.html\ncreated 1, .*\nhttp:\/\/\S+\n$/,
      )
    } finally {
      rmSync(folder, { recursive: true, force: true })
      await service.stop()
    }
  })
})
