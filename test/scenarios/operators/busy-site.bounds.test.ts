import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { assertSound, git, withClone } from '../../support/git.js'
import { startOwnService, type TestService } from '../../support/service.js'
import { type Page, put, visit } from '../client.js'
import { commitFiles, runGit } from './operator.js'

const WRITERS = 4

describe('git at a busy site', () => {
  let service: TestService
  let acknowledged: { page: Page; html: string }[]
  let enough: AbortController
  let load: Promise<unknown>

  /** Writes (and reads back by the API and the public host) without a pause until it is enough. */
  async function writeAndRead(name: string): Promise<void> {
    for (let i = 0; !enough.signal.aborted; i++) {
      const html = `<p>${name} ${i}</p>`
      const page = await put(service.api(), `/${name}/${i % 20}`, html)
      acknowledged.push({ page, html })
      const { status, bytes } = await visit(service.origin, page.url)
      assert.deepEqual([status, bytes.toString()], [200, html])
      const read = await service.api().get(`/pages/${page.id}`)
      assert.deepEqual([read.status, read.body.data?.html], [200, html])
    }
  }

  beforeEach(async () => {
    service = await startOwnService()
    acknowledged = []
    enough = new AbortController()
    load = Promise.all(Array.from({ length: WRITERS }, (_, i) => writeAndRead(`writer-${i}`)))
    load.catch(() => enough.abort())
  })
  afterEach(async () => {
    enough.abort()
    await load.catch(() => undefined)
    await service.stop()
  })

  const finish = async () => {
    enough.abort()
    await load
  }

  function assertNothingLost(): void {
    const history = new Set(git(service.gitdir(), 'rev-list', '--first-parent', 'main').split('\n'))
    const names = acknowledged.map(({ page }) => `${page.version.id}:${page.path.slice(1)}.html\n`)
    const contents = execFileSync('git', ['-C', service.gitdir(), 'cat-file', '--batch=%(objecttype)'], {
      input: names.join(''),
      encoding: 'utf8',
    })
    assert.equal(contents, acknowledged.map(({ html }) => `blob\n${html}\n`).join(''))
    for (const { page } of acknowledged)
      assert.ok(history.has(page.version.id), `${page.version.id} is not in the history`)
    assertSound(service.gitdir())
  }

  it('runs gc, repack, prune and pack-refs without losing a write or failing a read', async () => {
    const chores = [
      ['repack', '-a', '-d', '-q'],
      ['pack-refs', '--all'],
      ['gc', '--quiet', '--prune=now'],
      ['prune', '--expire=now'],
      ['repack', '-a', '-d', '-q', '-f'],
    ]
    while (acknowledged.length < 60 && !enough.signal.aborted) {
      for (const chore of chores) {
        const { code, stderr } = await runGit(service.gitdir(), ...chore)
        assert.equal(code, 0, `${chore.join(' ')}: ${stderr}`)
      }
    }
    await finish()
    assertNothingLost()
  })

  it('completes each push within five attempts', async () => {
    const tries: number[] = []
    await withClone(service.gitdir(), async (clone) => {
      for (let edit = 0; edit < 4; edit++) {
        commitFiles(clone, `Edit ${edit}`, { [`pushed-${edit}.html`]: `edit ${edit}` })
        for (let count = 1; ; count++) {
          assert.ok(count <= 5, `edit ${edit} did not land: ${tries.join(', ')}`)
          const pulled = await runGit(clone, 'pull', '--quiet', '--rebase')
          assert.equal(pulled.code, 0, pulled.stderr)
          if ((await runGit(clone, 'push', '--quiet')).code !== 0) continue
          tries.push(count)
          break
        }
      }
    })
    await finish()
    for (const edit of tries.keys()) assert.equal((await service.visit(`/pushed-${edit}`)).text, `edit ${edit}`)
    assertNothingLost()
  })
})
