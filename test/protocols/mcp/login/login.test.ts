import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MAIN } from '../../../scenarios/serve-process.js'

describe('a person who has not logged in', () => {
  it('is told so in one line, with exit code 2, if there is neither a terminal nor a key', () => {
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-login-'))
    const env = { PATH: process.env['PATH'], BASE_URL: 'http://127.0.0.1:9', XDG_CONFIG_HOME: folder }
    for (const [command, says] of [
      ['mcp', /There is no key for .*PALIMPSEST_TOKEN.*palimpsest\S* login/],
      ['login', /Send the key on standard input, .*PALIMPSEST_TOKEN/],
    ] as const) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, command], { env, encoding: 'utf8' })
      assert.deepEqual([status, stdout, stderr.trim().split('\n').length], [2, '', 1])
      assert.match(stderr, says)
    }
    rmSync(folder, { recursive: true, force: true })
  })
})
