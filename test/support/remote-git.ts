// git as a client of a service in this process: it runs asynchronously, so it does not block the service.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runBeside } from '../programs/run-beside.js'
import { until } from './within.js'

export class RemoteGit {
  readonly folder = mkdtempSync(join(tmpdir(), 'palimpsest-remote-'))
  readonly #env: NodeJS.ProcessEnv
  readonly #isPatient: boolean

  /** `settings` as `protocol.version=2`. `isPatient`: runs a command again that the service answered with 503, as git itself does not. */
  constructor(settings: readonly string[] = [], isPatient = false) {
    this.#isPatient = isPatient
    const counted = settings.flatMap((setting, index) => {
      const [name = '', value = ''] = setting.split('=')
      return [
        [`GIT_CONFIG_KEY_${index}`, name],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]
    })
    this.#env = {
      PATH: process.env['PATH'],
      HOME: this.folder,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      GIT_AUTHOR_NAME: 'Carla Client',
      GIT_AUTHOR_EMAIL: 'carla@example.org',
      GIT_COMMITTER_NAME: 'Carla Client',
      GIT_COMMITTER_EMAIL: 'carla@example.org',
      GIT_CONFIG_COUNT: String(settings.length),
      ...Object.fromEntries(counted),
    }
  }

  path(name: string): string {
    return join(this.folder, name)
  }

  /** Standard output without the last line feed. Rejects with git's own words. */
  async run(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.#finish(args)
    if (code !== 0) throw Object.assign(new Error(`git ${args.join(' ')}: ${stderr}`), { stderr })
    return stdout.replace(/\n$/, '')
  }

  /** Runs git in a clone. */
  async in(name: string, ...args: string[]): Promise<string> {
    return await this.run('-C', this.path(name), ...args)
  }

  /** Whether the command succeeded, and all that it printed on standard error. */
  async attempt(...args: string[]): Promise<{ ok: boolean; stderr: string }> {
    const { code, stderr } = await this.#finish(args)
    return { ok: code === 0, stderr }
  }

  /** Returns git's standard error if it failed; empty if it did not fail. */
  async failure(...args: string[]): Promise<string> {
    const { code, stderr } = await this.#finish(args)
    return code === 0 ? '' : stderr
  }

  async #finish(args: readonly string[]) {
    return await until(
      () => runBeside(['git', ...args], { cwd: this.folder, env: this.#env }),
      ({ code, stderr }) => code === 0 || !this.#isPatient || !/returned error: 503/.test(stderr),
    )
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
