// Clones of a site in which people work, by git itself.

import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { RemoteGit } from '../../support/remote-git.js'
import type { TestService } from '../../support/service.js'

export class WorkingClones {
  readonly client = new RemoteGit()
  readonly #service: TestService
  #count = 0

  constructor(service: TestService) {
    this.#service = service
  }

  url(key = this.#service.key): string {
    const { server, site } = this.#service
    return `http://git:${key}@127.0.0.1:${server.port}/git/${site.slug}.git`
  }

  /** Returns the name of a new clone. */
  async make(key?: string, ...args: string[]): Promise<string> {
    const name = `clone-${this.#count++}`
    await this.client.run('clone', '--quiet', ...args, this.url(key), name)
    return name
  }

  /** Commits these files; null removes one. Returns the commit. */
  async commit(clone: string, files: Record<string, string | null>, message = 'Change'): Promise<string> {
    for (const [path, text] of Object.entries(files)) {
      const file = join(this.client.path(clone), path)
      mkdirSync(dirname(file), { recursive: true })
      if (text === null) await this.in(clone, 'rm', '--quiet', path)
      else writeFileSync(file, text)
    }
    await this.in(clone, 'add', '--all')
    await this.in(clone, 'commit', '--quiet', '-m', message)
    return await this.in(clone, 'rev-parse', 'HEAD')
  }

  in(clone: string, ...args: string[]): Promise<string> {
    return this.client.in(clone, ...args)
  }

  push(clone: string, ...args: string[]): Promise<{ ok: boolean; stderr: string }> {
    return this.client.attempt('-C', this.client.path(clone), 'push', ...args)
  }

  /** Returns git's words for a push that is taken. */
  async taken(clone: string, ...args: string[]): Promise<string> {
    const { ok, stderr } = await this.push(clone, ...args)
    assert.ok(ok, stderr)
    return stderr
  }

  /** Returns git's words for a push that is refused with these words. */
  async refused(clone: string, words: RegExp, ...args: string[]): Promise<string> {
    const { ok, stderr } = await this.push(clone, ...args)
    assert.equal(ok, false, stderr)
    assert.match(stderr, words)
    return stderr
  }

  remove(): void {
    this.client.remove()
  }
}
