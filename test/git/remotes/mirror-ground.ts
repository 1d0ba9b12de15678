// A service that mirrors sites, a git server that accepts the pushes, and the requests of tests to both.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MirrorData } from '../../../schemas/mirrors.js'
import type { SiteData } from '../../../schemas/sites.js'
import { git } from '../../support/git.js'
import { GitServer } from '../../support/git-server.js'
import { startOwnService, type TestService } from '../../support/service.js'
import { PATIENCE_MS, until, within } from '../../support/within.js'

interface Credentials {
  username: string
  password: string
}

export interface MirroredSite {
  site: SiteData
  /** An empty repository for it. */
  bare: string
  url: string
}

export class MirrorGround {
  readonly root = mkdtempSync(join(tmpdir(), 'palimpsest-remotes-'))
  readonly env: Record<string, string>
  service!: TestService
  readonly remote = new GitServer({ root: this.root })
  admin = ''
  #count = 0

  constructor() {
    const keyFile = join(this.root, 'secrets.key')
    writeFileSync(keyFile, randomBytes(32))
    this.env = { REMOTE_ALLOW_PRIVATE: '127.0.0.1', SECRETS_KEY_FILE: keyFile }
  }

  async start(): Promise<void> {
    this.service = await startOwnService({ env: this.env })
    this.admin = (await this.service.mint({ scopes: ['admin'] })).key
    await this.remote.start()
  }

  async stop(): Promise<void> {
    await this.service.stop()
    await this.remote.stop()
    rmSync(this.root, { recursive: true, force: true })
  }

  api(): ReturnType<TestService['api']> {
    return this.service.api(this.admin)
  }

  async make(): Promise<MirroredSite> {
    const name = `mirrored-${this.#count++}`
    const site = dataIn<SiteData>(await this.api().post('/sites').send({ slug: name }).expect(201))
    const bare = join(this.root, `${name}.git`)
    git(this.root, 'init', '--quiet', '--bare', '--initial-branch=main', bare)
    git(bare, 'config', 'http.receivepack', 'true')
    return { site, bare, url: `${this.remote.origin}/${name}.git` }
  }

  async set({ id }: SiteData, url: string, credentials?: Credentials): Promise<MirrorData> {
    const body = { url, ...(credentials && { credentials }) }
    return dataIn(await this.api().put(`/sites/${id}/mirror`).send(body).expect(200))
  }

  async look({ id }: SiteData, of = this.api()): Promise<MirrorData> {
    return dataIn(await of.get(`/sites/${id}/mirror`).expect(200))
  }

  async retry({ id }: SiteData): Promise<void> {
    await this.api().post(`/sites/${id}/mirror/retry`).expect(200)
  }

  async publish({ id }: SiteData, path: string, of = this.api()): Promise<void> {
    const page = { path, html: `<h1>${path}` }
    await of.post('/pages').set('x-service-site-id', id).send(page).expect(201)
  }

  async until(site: SiteData, state: MirrorData['state'], of = this.api()): Promise<MirrorData> {
    return await until(
      () => this.look(site, of),
      (mirror) => mirror.state === state,
    )
  }

  /** Waits until the condition holds. */
  async eventually(what: string, holds: () => boolean): Promise<void> {
    await within(PATIENCE_MS, () => assert.ok(holds(), what))
  }

  assertFollows(site: SiteData, bare: string): void {
    assert.equal(git(bare, 'rev-parse', 'main'), git(this.service.gitdir(site.slug), 'rev-parse', 'main'))
  }
}

export function dataIn<T>({ body }: { body: unknown }): T {
  return (body as { data: T }).data
}
