// A page that an operator pushes by path, with plain git from a clone that no fault touches.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commitFiles, runGit } from '../../scenarios/operators/operator.js'
import type { Ground, Sent } from '../ground/ground.js'
import { type Subject, toSubject } from './subject.js'

/** Other writers move main meanwhile, so that a push may be refused this often. */
const MAX_TRIES = 12

export class PushedPage {
  readonly subject: Subject
  readonly #folder = mkdtempSync(join(tmpdir(), 'palimpsest-pushes-'))
  readonly #gitdir: string
  readonly #file: string

  constructor(ground: Ground, slug: string, name: string) {
    this.#gitdir = ground.gitdir(slug)
    this.#file = `${name}.html`
    this.subject = toSubject({
      name: `push of ${slug}/${name}`,
      way: 'push by path',
      next: (_, fresh) => fresh,
      write: (value) => this.#push(value ?? ''),
      read: () => ground.visit(`/${name}`, slug),
    })
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** Returns 200 if git exits with 0; 503 otherwise, with an unknown outcome. */
  async #push(html: string): Promise<Sent> {
    const clone = join(this.#folder, 'clone')
    // A new clone each time: after a power cut the last one may be ahead of the site.
    rmSync(clone, { recursive: true, force: true })
    const { code } = await runGit(this.#folder, 'clone', '--quiet', `file://${this.#gitdir}`, clone)
    if (code !== 0) return refused()
    commitFiles(clone, 'Push', { [this.#file]: html })
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      if ((await runGit(clone, 'push', '--quiet')).code === 0) return { status: 200, body: {} }
      if ((await runGit(clone, 'pull', '--quiet', '--rebase')).code !== 0) return refused()
    }
    return refused()
  }
}

function refused(): Sent {
  return { status: 503, body: { error: { code: 'outcome_unknown' } } }
}
