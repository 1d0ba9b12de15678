import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { dataOf } from '../../spec/use-service.js'
import { assertSound, git } from '../../support/git.js'
import { endProcesses, makeKey, serve } from '../serve-process.js'
import { type Folder, manifestOf, oidOf, tarOf } from './folder.js'

/** While an upload is received, and while a deploy is published. */
const KILL_AFTER_MS = [5, 15]

describe('a deploy through a crash', function () {
  let dataDir: string
  let key: string

  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-crash-'))
    const first = await serve({ dataDir })
    key = await makeKey(dataDir)
    first.signal('SIGTERM')
    await first.ended
  })
  after(async () => {
    await endProcesses(dataDir)
  })

  const gitdir = () => join(dataDir, 'demo.git')

  it('continues after kill -9 at any moment, is published once and never partly, and leaves nothing behind', async () => {
    for (const [round, killAfterMs] of KILL_AFTER_MS.entries()) {
      const files: Folder = Object.fromEntries(
        Array.from({ length: 60 }, (_, at) => [
          `r${round}/f${at}.${at % 2 ? 'html' : 'txt'}`,
          `${round} ${at} ${'x'.repeat(at * 50)}`,
        ]),
      )
      files[`r${round}/large.bin`] = Buffer.alloc(1_500_000, round + 1)
      let server = await serve({ dataDir })
      const made = dataOf<{ id: string; missing: string[] }>(
        await server
          .api(key)
          .post('/deploys')
          .send({ files: manifestOf(files) })
          .expect(201),
      )
      const half = made.missing.slice(0, 30)
      await server.api(key).post(`/deploys/${made.id}/blobs`).send(tarOf(files, half)).expect(200)
      // Even rounds kill it during the upload of the rest, odd ones during the publish.
      const upload = (oids: string[]) => server.api(key).post(`/deploys/${made.id}/blobs`).send(tarOf(files, oids))
      if (round % 2 === 1) await upload(made.missing.slice(30)).expect(200)
      const work =
        round % 2 === 0 ? upload(made.missing.slice(30)) : server.api(key).post(`/deploys/${made.id}/publish`)
      const outcome = work.then(
        ({ status }) => status,
        () => 'broken off',
      )
      await delay(killAfterMs)
      server.signal('SIGKILL')
      await server.ended
      await outcome
      server = await serve({ dataDir })
      const now = dataOf<{ state: string; missing: string[] }>(
        await server.api(key).get(`/deploys/${made.id}`).expect(200),
      )
      assert.ok(
        half.every((oid) => !now.missing.includes(oid)),
        'what was answered is kept',
      )
      if (now.missing.length > 0) await upload(now.missing).expect(200)
      const done = dataOf<{ created: number; commit: string }>(
        await server.api(key).post(`/deploys/${made.id}/publish`).expect(200),
      )
      assert.equal(done.created, 61)
      assert.deepEqual(dataOf(await server.api(key).post(`/deploys/${made.id}/publish`).expect(200)), done)
      assert.equal(git(gitdir(), 'log', '--format=%H', `--grep=Deploy-Id: ${made.id}`, 'main'), done.commit)
      for (const [name, content] of Object.entries(files))
        assert.equal(git(gitdir(), 'rev-parse', `main:${name}`), oidOf(content))
      server.signal('SIGTERM')
      await server.ended
      assert.deepEqual(readdirSync(join(dataDir, '.uploads', `deploy-${made.id}`)), ['deploy.json'])
    }
    assertSound(gitdir())
    assert.deepEqual(
      readdirSync(join(dataDir, '.uploads')).filter((name) => name.startsWith('once-')),
      [],
    )
  })
})
