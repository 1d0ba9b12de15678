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
