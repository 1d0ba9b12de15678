import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { git } from '../../support/git.js'
import { startTestService, type TestService } from '../../support/service.js'
import { withBareGit } from '../../git/scratch-repository.js'

const line = (text: string) => (text.length + 5).toString(16).padStart(4, '0') + `${text}\n`

describe('a fetch of single objects in protocol 2', () => {
  let service: TestService
  /** Blobs of the site's files by their sizes. */
  const blobs = new Map<number, string>()

  before(async () => {
    service = await startTestService('few-blobs')
    const sizes = [0, 1, 400, 70_000, 200_000, ...Array.from({ length: 50 }, (_, n) => 1000 + n)]
    const files = sizes.map((size) => ({ path: `/f${size}.txt`, content: 'x'.repeat(size) }))
    for (const { path, content } of files)
      await service
        .api()
        .put(`/files?path=${path}`)
        .set('Content-Type', 'application/octet-stream')
        .send(Buffer.from(content))
    for (const row of git(service.gitdir(), 'ls-tree', '-r', 'main').split('\n')) {
      const [, oid = '', size = ''] = /blob ([0-9a-f]{40})\tf(\d+)\.txt$/.exec(row) ?? []
      if (oid !== '') blobs.set(Number(size), oid)
    }
  })
  after(() => service.stop())

  const blob = (size: number) => blobs.get(size) ?? ''

  async function packOf(wants: readonly string[], ...args: string[]): Promise<Buffer> {
    const body = [...args, ...wants.map((oid) => `want ${oid}`), 'done'].map(line).join('')
    const answer = await fetch(`${service.origin}/git/few-blobs.git/git-upload-pack`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'git-protocol': 'version=2' },
      body: `${line('command=fetch')}0001${body}0000`,
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    const pieces: Buffer[] = []
    for (let at = 0; at < bytes.length; ) {
      const length = Number.parseInt(bytes.toString('latin1', at, at + 4), 16)
      if (bytes[at + 4] === 1) pieces.push(bytes.subarray(at + 5, at + length))
      at += Math.max(length, 4)
    }
    return Buffer.concat(pieces)
  }

  /** The oids of the objects in the pack, once git has found it sound. */
  const objectsIn = (pack: Buffer) =>
    withBareGit((gitdir) => {
      execFileSync('git', ['-C', gitdir, 'index-pack', '--strict', '--stdin'], { input: pack, stdio: 'pipe' })
      const listed = git(gitdir, 'cat-file', '--batch-all-objects', '--batch-check=%(objectname)')
      return listed.split('\n').toSorted()
    })

  it('gets a pack of exactly those files, few or many, small or large', async () => {
    assert.equal(blobs.size, 55)
    for (const sizes of [
      [0],
      [400],
      [1, 400, 70_000],
      [70_000, 200_000],
      [...blobs.keys()],
      [...blobs.keys()].slice(5),
    ]) {
      const wants = sizes.map(blob)
      assert.deepEqual(
        objectsIn(await packOf(wants, 'no-progress', 'filter blob:none')),
        wants.toSorted(),
        String(sizes),
      )
    }
    assert.deepEqual(objectsIn(await packOf([blob(1), blob(1)], 'thin-pack', 'ofs-delta')), [blob(1)])
  })

  it('gets other requested objects too', async () => {
    const main = git(service.gitdir(), 'rev-parse', 'main')
    const wants = [blob(1), main]
    const all = objectsIn(await packOf(wants, 'no-progress'))
    assert.ok(wants.every((oid) => all.includes(oid)))
    assert.ok(all.length > 2)
  })
})
