import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { MAIN, runCommand } from '../../scenarios/commands.js'

describe('palimpsest completion', () => {
  const scriptOf = async (shell: string) => {
    const { code, stdout, stderr } = await runCommand({
      args: ['completion', shell],
      env: { PATH: process.env['PATH'] },
    })
    assert.equal(code, 0, stderr)
    return stdout
  }

  /** Completes the last word as bash does. */
  async function complete(...words: string[]): Promise<string[]> {
    const script = `${await scriptOf('bash')}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _palimpsest; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { status, stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', 'palimpsest', ...words], {
      encoding: 'utf8',
    })
    assert.equal(status, 0, stderr)
    return stdout.split('\n').filter(Boolean)
  }

  it('completes commands, their own commands and options in bash', async () => {
    assert.deepEqual(await complete('un'), ['undo'])
    assert.ok((await complete('')).includes('backup'), 'commands of the server are missing')
    assert.deepEqual(await complete('publish', '--de'), ['--delete'])
    assert.deepEqual(await complete('publish', 'dist', '--de'), ['--delete'])
    assert.deepEqual(await complete('mirror', 're'), ['retry', 'remove'])
    assert.deepEqual(await complete('mirror', 'set', '--us'), ['--username'])
    assert.deepEqual(await complete('publish', 'some-file'), [])
  })

  it('names every command of the help in each shell', async () => {
    const { stdout } = spawnSync(process.execPath, [MAIN, '--help'], { encoding: 'utf8' })
    const names = [...stdout.matchAll(/^ {2}([a-z-]+) /gm)].flatMap(([, name]) => name ?? [])
    assert.ok(names.length > 25)
    for (const shell of ['bash', 'zsh', 'fish']) {
      const script = await scriptOf(shell)
      for (const name of names.filter((each) => each !== 'help'))
        assert.match(script, new RegExp(`\\b${name}\\b`), shell)
      for (const option of ['follow-links', 'username']) assert.ok(script.includes(option), `${shell} ${option}`)
    }
  })

  it('refuses a shell that it does not know', async () => {
    const { code, stderr } = await runCommand({ args: ['completion', 'dos'], env: {} })
    assert.equal(code, 2)
    assert.match(stderr, /Allowed choices are bash, zsh, fish/)
  })
})
