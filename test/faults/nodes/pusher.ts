// Publishes by `git push` to one node after the other, from one clone.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../../scenarios/serve-process.js'
import type { FaultNode } from './node.js'

const PATIENCE_MS = 20_000

export class Pusher {
  readonly #folder = mkdtempSync(join(tmpdir(), 'palimpsest-pusher-'))
  readonly #slug: string
  readonly #key: string
  #pages = 0

  constructor(slug: string, key: string) {
    this.#slug = slug
    this.#key = key
  }

  /** The commit that was pushed; undefined where the node refused, or nobody knows. */
  async push(node: FaultNode): Promise<string | undefined> {
    const remote = `${node.origin.replace('://', `://git:${this.#key}@`)}/git/${this.#slug}.git`
    await this.#git('init', '--quiet', '--initial-branch=main')
    if ((await this.#git('fetch', '--quiet', remote, 'main')) === undefined) return undefined
    await this.#git('reset', '--hard', '--quiet', 'FETCH_HEAD')
    writeFileSync(join(this.#folder, `pushed-${this.#pages++}.html`), '<p>pushed')
    await this.#git('add', '.')
    await this.#git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '--quiet', '-m', 'Push')
    const commit = await this.#git('rev-parse', 'HEAD')
    return (await this.#git('push', '--quiet', remote, 'HEAD:main')) === undefined ? undefined : commit?.trim()
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #git(...args: string[]): Promise<string | undefined> {
    const { code, stdout } = await run('git', args, { cwd: this.#folder, timeout: PATIENCE_MS })
    return code === 0 ? stdout : undefined
  }
}
