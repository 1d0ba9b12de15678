// Git over HTTP: access, and the answers to clients without it.

import assert from 'node:assert/strict'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { git } from '../../support/git.js'
import { startTestService, type TestService } from '../../support/service.js'

const DISCOVERY = 'info/refs?service=git-upload-pack'

describe('git over HTTP', () => {
  let service: TestService
  let foreign: string

  before(async () => {
    service = await startTestService('door')
    const { provisioner } = service.server.service.services
    const { workspace } = await provisioner.createWorkspace('Others', 'other-guests')
    foreign = (await service.mint({ workspaceId: workspace.id })).key
  })
  after(() => service.stop())

  async function ask(
    path: string,
    key?: string,
    init: { method?: string; body?: string | Uint8Array<ArrayBuffer>; headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const credentials = key === undefined ? {} : { authorization: `Basic ${btoa(`anybody:${key}`)}` }
    return await fetch(`${service.origin}/git/${path}`, { ...init, headers: { ...credentials, ...init.headers } })
  }

  it('refuses a key from a web page of another origin, and accepts one that names the origin', async () => {
    const app = 'https://app.example'
    const { key: named } = await service.mint({ origins: [app], scopes: ['write'] })
    const push = 'door.git/info/refs?service=git-receive-pack'
    for (const [key, origin, status] of [
      [service.key, app, 403],
      [named, 'https://evil.example', 403],
      [named, app, 200],
      [named, service.origin, 200],
    ] as const) {
      const answer = await ask(push, key, { headers: { origin } })
      assert.equal(answer.status, status, `${origin}: ${await answer.text()}`)
      const sent = await ask('door.git/git-receive-pack', key, { method: 'POST', body: '0000', headers: { origin } })
      assert.equal(sent.status, status, origin)
    }
  })

  it('tells a person who opens the address of a clone that it is for git', async () => {
    const answer = await ask('door.git')
    assert.equal(answer.status, 404)
    assert.match(await answer.text(), /This address is for git: git clone/)
  })

  it('takes the address of a repository with and without ".git", and with slashes after it', async () => {
    for (const name of ['door.git', 'door', 'door/', 'door.git/', 'door.git//']) {
      const answer = await ask(`${name}/${DISCOVERY}`, service.key)
      assert.equal(answer.status, 200, `${name}: ${await answer.text()}`)
    }
    for (const name of ['door.git.git', '.git', 'door.gi'])
      assert.equal((await ask(`${name}/${DISCOVERY}`, service.key)).status, 404, name)
  })

  it('asks for a key by Basic, in the same words for any site, service and wrong key', async () => {
    const answers = []
    for (const slug of ['door', 'nothing-here'])
      for (const name of ['git-upload-pack', 'git-receive-pack'])
        for (const key of [undefined, '', 'plm_wrong', 'a b']) {
          const answer = await ask(`${slug}.git/info/refs?service=${name}`, key)
          assert.equal(answer.status, 401)
          assert.equal(answer.headers.get('www-authenticate'), 'Basic realm="Palimpsest", charset="UTF-8"')
          answers.push(await answer.text())
        }
    assert.equal(new Set(answers).size, 1)
  })

  it('accepts a key as the password of any user, and as a bearer token', async () => {
    assert.equal((await ask(`door.git/${DISCOVERY}`, service.key)).status, 200)
    const bearer = await fetch(`${service.origin}/git/door.git/${DISCOVERY}`, {
      headers: { authorization: `Bearer ${service.key}` },
    })
    assert.equal(bearer.status, 200)
    assert.equal(bearer.headers.get('content-type'), 'application/x-git-upload-pack-advertisement')
    assert.equal(bearer.headers.get('cache-control'), 'no-cache')
  })

  it('answers alike for a site that does not exist and one that the key may not see', async () => {
    const [site] = await service.server.service.services.catalog.sites.list(service.workspaceId)
    const limited = (await service.mint({ sites: [site?.id ?? ''] })).key
    const hidden = await ask(`door.git/${DISCOVERY}`, foreign)
    const missing = await ask(`nothing-here.git/${DISCOVERY}`, foreign)
    const others = await ask(`others.git/${DISCOVERY}`, limited)
    for (const answer of [hidden, missing, others]) assert.equal(answer.status, 404)
    const said = await Promise.all([hidden, missing, others].map((answer) => answer.text()))
    assert.equal(new Set(said).size, 1)
  })

  it('refuses a push to a key without the scope for it, before anything is sent', async () => {
    const reader = (await service.mint({ scopes: ['read'] })).key
    assert.equal((await ask(`door.git/${DISCOVERY}`, reader)).status, 200)
    const refused = await ask('door.git/info/refs?service=git-receive-pack', reader)
    assert.equal(refused.status, 403)
    assert.match(await refused.text(), /scope "propose"/)
  })

  it('no longer accepts a revoked key', async () => {
    const { key, id } = await service.mint()
    assert.equal((await ask(`door.git/${DISCOVERY}`, key)).status, 200)
    await service.server.service.services.catalog.keys.revoke(service.workspaceId, id)
    assert.equal((await ask(`door.git/${DISCOVERY}`, key)).status, 401)
  })

  it('answers 503 to a fetch if the repository has no free slot', async () => {
    const ours = join(service.gitdir(), 'palimpsest')
    const head = git(service.gitdir(), 'rev-parse', 'main')
    const body = `0032want ${head}\n00000009done\n`
    renameSync(ours, `${ours}.aside`)
    writeFileSync(ours, '')
    try {
      assert.equal((await ask('door.git/git-upload-pack', service.key, { method: 'POST', body })).status, 503)
    } finally {
      rmSync(ours)
      renameSync(`${ours}.aside`, ours)
    }
    assert.equal((await ask('door.git/git-upload-pack', service.key, { method: 'POST', body })).status, 200)
  })

  it('tells clients of Git LFS, with a message that they print, that there is none', async () => {
    for (const path of [
      'door.git/info/lfs/objects/batch',
      'door/info/lfs/locks/verify',
      'nothing.git/info/lfs/locks?x=1',
    ])
      for (const method of ['GET', 'POST']) {
        const answer = await ask(path, undefined, {
          method,
          ...(method === 'POST' && { body: '{"operation":"upload"}' }),
        })
        assert.equal(answer.status, 404)
        assert.equal(answer.headers.get('content-type'), 'application/vnd.git-lfs+json')
        const { message } = (await answer.json()) as { message: string }
        assert.match(message, /There is no Git LFS here.*git lfs migrate export/)
      }
  })

  it('has no dumb protocol and no other paths', async () => {
    assert.equal((await ask('door.git/info/refs', service.key)).status, 400)
    for (const path of ['door.git/HEAD', 'door.git/objects/info/packs', 'door/HEAD', 'a/../door.git/HEAD', ''])
      assert.equal((await ask(path, service.key)).status, 404, path)
    const post = await ask(`door.git/${DISCOVERY}`, service.key, { method: 'POST' })
    assert.equal(post.status, 405)
    assert.equal(post.headers.get('allow'), 'GET')
  })

  it('refuses bodies that are no requests, are too long, or unpack to too much', async () => {
    const send = async (body: Uint8Array<ArrayBuffer> | string, headers: Record<string, string> = {}) =>
      (await ask('door.git/git-upload-pack', service.key, { method: 'POST', body, headers })).status
    assert.equal(await send('hello'), 400)
    assert.equal(await send('0032want '), 400)
    assert.equal(await send('0000', { 'content-encoding': 'br' }), 415)
    assert.equal(await send('no gzip', { 'content-encoding': 'gzip' }), 400)
    const flushes = Buffer.alloc(64 * 1024 * 1024, '0000')
    assert.equal(await send(new Uint8Array(gzipSync(flushes)), { 'content-encoding': 'gzip' }), 413)
    assert.equal(await send(new Uint8Array(flushes.subarray(0, 5 * 1024 * 1024))), 413)
  })
})
