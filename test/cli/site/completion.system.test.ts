import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { runCommand } from '../../scenarios/commands.js'

describe('palimpsest completion in bash', () => {
  /** Completes the last word as bash does. */
  async function complete(...words: string[]): Promise<string[]> {
    const { stdout: own } = await runCommand({ args: ['completion', 'bash'], env: { PATH: process.env['PATH'] } })
    const script = `${own}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _palimpsest; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { status, stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', 'palimpsest', ...words], {
      encoding: 'utf8',
    })
    assert.equal(status, 0, stderr)
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
})
