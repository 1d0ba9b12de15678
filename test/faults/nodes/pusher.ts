// Replaces pages by `git push` to one node after the other, from one clone for each site.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../../scenarios/serve-process.js'
import type { FaultNode } from './node.js'

const PATIENCE_MS = 20_000
const WHO = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org']

export class Pusher {
  readonly #folder = mkdtempSync(join(tmpdir(), 'palimpsest-pusher-'))
  readonly #slug: string
  readonly #key: string

  constructor(slug: string, key: string) {
    this.#slug = slug
    this.#key = key
  }

  /** Returns whether the node said that main has it. If it did not, the outcome is unknown. */
  async push(node: FaultNode, page: string, text: string): Promise<boolean> {
    const remote = `${node.origin.replace('://', `://git:${this.#key}@`)}/git/${this.#slug}.git`
    await this.#git('init', '--quiet', '--initial-branch=main')
    if (!(await this.#git('fetch', '--quiet', remote, 'main'))) return false
    await this.#git('reset', '--hard', '--quiet', 'FETCH_HEAD')
    writeFileSync(join(this.#folder, `${page}.html`), text)
    await this.#git('add', '.')
    await this.#git(...WHO, 'commit', '--quiet', '-m', 'Push')
    return await this.#git('push', '--quiet', remote, 'HEAD:main')
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** Whether it succeeded. */
  async #git(...args: string[]): Promise<boolean> {
    const { code } = await run('git', args, { cwd: this.#folder, timeout: PATIENCE_MS })
    return code === 0
  }
}
