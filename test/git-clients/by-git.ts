// Works with a site as git itself does, in one version of its protocol: all that a client can be asked for.

import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RemoteGit } from '../support/remote-git.js'

export type Step = 'clone' | 'fetch' | 'shallow' | 'partial' | 'push' | 'tag' | 'options'

/** Outcome of each step: `ok`, `none` if the client has no such feature, or the fault. */
export type Outcomes = Partial<Record<Step, string>>

export interface Site {
  /** Contains the key. */
  url: string
  /** The self-signed certificate, for a client that must know it. */
  certificate: string | undefined
  /** The clones of each client go into a folder of its own. */
  folder: string
}

/** `name` becomes a page and a tag. */
export async function workByGit(version: number, { url, certificate, folder }: Site, name: string): Promise<Outcomes> {
  const trust = certificate === undefined ? [] : [`http.sslCAInfo=${certificate}`]
  const git = new RemoteGit([`protocol.version=${version}`, ...trust])
  const at = (clone: string) => join(folder, clone)
  const run = (clone: string, ...args: string[]) => git.run('-C', at(clone), ...args)
  const steps: Record<Step, () => Promise<unknown>> = {
    async clone() {
      for (const clone of ['whole', 'behind']) await git.run('clone', '--quiet', url, at(clone))
    },
    async push() {
      writeFileSync(join(at('whole'), `${name}.html`), `<p>by ${name}`)
      await run('whole', 'add', '--all')
      await run('whole', 'commit', '--quiet', '-m', 'Add a page')
      await run('whole', 'push', '--quiet')
    },
    async fetch() {
      await run('behind', 'pull', '--quiet')
      assert.ok(existsSync(join(at('behind'), `${name}.html`)))
    },
    async shallow() {
      await git.run('clone', '--quiet', '--depth=1', url, at('shallow'))
      assert.equal(await run('shallow', 'rev-list', '--count', 'HEAD'), '1')
      await run('shallow', 'fetch', '--quiet', '--unshallow')
    },
    async partial() {
      await git.run('clone', '--quiet', '--no-checkout', '--filter=blob:none', url, at('partial'))
      const missing = await run('partial', 'rev-list', '--objects', '--missing=print', '--all')
      assert.match(missing, /^\?/m)
      await run('partial', 'checkout', '--quiet', 'main')
      assert.ok(existsSync(join(at('partial'), `${name}.html`)))
    },
    async tag() {
      await run('whole', 'tag', '-a', '-m', 'Tag', name)
      await run('whole', 'push', '--quiet', 'origin', name)
    },
    async options() {
      await run('whole', 'commit', '--quiet', '--allow-empty', '-m', 'Nothing more')
      const shown = await git.attempt('-C', at('whole'), 'push', '-o', 'dry-run')
      assert.match(shown.stderr, /would publish at/)
      await run('whole', 'push', '--quiet', '-o', 'message=by the clients')
    },
  }
  const outcomes: Outcomes = {}
  for (const [step, work] of Object.entries(steps) as [Step, () => Promise<unknown>][]) {
    const isKnown = step !== 'partial' || version === 2
    outcomes[step] = isKnown ? await work().then(() => 'ok', String) : 'none'
  }
  git.remove()
  return outcomes
}
