import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { dataOf, type Page, publish, useService } from '../../spec/use-service.js'
import { git, withClone } from '../../support/git.js'

describe('moves of pages that git brought, and by git', () => {
  const service = useService()
  const api = () => service().api()
  const visit = (path: string) => service().visit(path).redirects(0)
  const find = async (path: string) =>
    dataOf<Page[]>(
      await api()
        .get(`/pages?path=${encodeURIComponent(path)}`)
        .expect(200),
    )[0]
  const sidecarOf = (id: string) => `.pages/${id.slice(0, 2)}/${id}.json`
  const push = async (files: Record<string, string | null>) =>
    await withClone(service().gitdir(), (folder) => {
      for (const [path, text] of Object.entries(files)) {
        const file = join(folder, path)
        mkdirSync(dirname(file), { recursive: true })
        if (text === null) rmSync(file)
        else writeFileSync(file, text)
      }
      git(folder, 'add', '-A')
      git(folder, 'commit', '-qm', 'Push')
      git(folder, 'push', '-q', 'origin', 'HEAD:main')
    })

  it('gives a page without a sidecar one when it moves, and what is pushed to its old path another id', async () => {
    await push({ 'plain.html': 'first' })
    const first = await find('/plain')
    await api().patch(`/pages/${first?.id}`).send({ path: '/moved-1' }).expect(200)
    await push({ 'plain.html': 'second' })
    const second = await find('/plain')
    assert.ok(second && second.id !== first?.id)
    await visit('/plain').expect(200, 'second')
    await api().put(`/pages/${second.id}/content`).send({ html: 'second, edited' }).expect(200)
    await api().patch(`/pages/${second.id}`).send({ path: '/moved-2' }).expect(200)
    await push({ 'plain.html': 'third' })
    const third = await find('/plain')
    await push({ 'plain.html': 'third, again' })
    assert.equal((await find('/plain'))?.id, third?.id)
    await api().patch(`/pages/${third?.id}`).send({ path: '/moved-3' }).expect(200)
    const ids = [await find('/moved-1'), await find('/moved-2'), await find('/moved-3')].map((page) => page?.id)
    assert.deepEqual(ids, [first?.id, second.id, third?.id])
    assert.equal(new Set(ids).size, 3)
    const versions = dataOf<{ action: string }[]>(await api().get(`/pages/${third?.id}/versions`).expect(200))
    assert.deepEqual(
      versions.map(({ action }) => action),
      ['move', 'replace', 'publish'],
    )
  })

  it('puts a page without a sidecar back by a revert, with its id', async () => {
    await push({ 'bare.html': 'bare' })
    const page = await find('/bare')
    const tree = git(service().gitdir(), 'rev-parse', 'main^{tree}')
    await api().patch(`/pages/${page?.id}`).send({ path: '/clothed' }).expect(200)
    const commit = git(service().gitdir(), 'rev-parse', 'main')
    await api().post(`/sites/${service().site.id}/revert`).send({ commit }).expect(201)
    assert.equal(git(service().gitdir(), 'rev-parse', 'main^{tree}'), tree)
    assert.equal((await find('/bare'))?.id, page?.id)
    await visit('/clothed').expect(404)
  })

  it('takes git mv with an edited sidecar for a move, and the file of a former address for its redirect', async () => {
    const { id } = await publish(service(), { path: '/by-git', html: 'git' })
    const name = createHash('sha256').update('/by-git').digest('hex')
    await push({
      'by-git.html': null,
      'by-hand.html': 'git',
      [sidecarOf(id)]: '{"path":"/by-hand","template":null}\n',
      [`.former/${name.slice(0, 2)}/${name}.json`]: `{"from":"/by-git","page":"${id}"}\n`,
    })
    assert.equal((await find('/by-hand'))?.id, id)
    const answer = await visit('/by-git')
    assert.deepEqual([answer.status, answer.get('Location')], [308, '/by-hand'])
    const found = dataOf<{ findings: object[] }>(await api().get(`/sites/${service().site.id}/checks`).expect(200))
    assert.ok(!JSON.stringify(found).includes('invalid_former_address'))
  })

  it('tells a push that renames a file without its sidecar the command that makes it a move', async () => {
    const titled = await publish(service(), { path: "/it's", title: "It's", html: 'renamed once' })
    await push({ 'untitled.html': 'renamed twice' })
    const plain = await find('/untitled')
    for (const [id, from, to] of [
      [titled.id, "/it's", '/renamed'],
      [plain?.id, '/untitled', '/renamed-too'],
    ] as const)
      await withClone(service().gitdir(), async (folder) => {
        git(folder, 'mv', `${from.slice(1)}.html`, `${to.slice(1)}.html`)
        git(folder, 'commit', '-qm', 'Rename')
        const { stderr } = spawnSync('git', ['push', 'origin', 'HEAD:main'], { cwd: folder, encoding: 'utf8' })
        const said = stderr.replaceAll(/ *\nremote: (?!palimpsest:)/g, '').split('\n')
        const [, command = ''] =
          /commit this and push: (.*?)\s*$/.exec(said.find((line) => line.includes('is a new page')) ?? '') ?? []
        assert.match(command, /^mkdir -p /, stderr)
        assert.notEqual((await find(to))?.id, id)
        execFileSync('sh', ['-c', command], { cwd: folder })
        git(folder, 'add', '-A')
        git(folder, 'commit', '-qm', 'Move')
        git(folder, 'push', '-q', 'origin', 'HEAD:main')
        assert.equal((await find(to))?.id, id)
        assert.equal((await visit(from)).get('Location'), to)
      })
    assert.equal((await find('/renamed'))?.['title'], "It's")
  })

  it('skips files of former addresses that are not valid, and the checks name them', async () => {
    const nameOf = (place: string) => {
      const name = createHash('sha256').update(place).digest('hex')
      return `.former/${name.slice(0, 2)}/${name}.json`
    }
    const bad = {
      [nameOf('/bad-json')]: 'no',
      [nameOf('/bad-name')]: '{"from":"/another","to":"/"}',
      [nameOf('/bad-both')]: '{"from":"/bad-both","to":"/","gone":true}',
      [nameOf('/bad-to')]: '{"from":"/bad-to","to":"javascript:alert(1)"}',
      [nameOf('/loop-1')]: '{"from":"/loop-1","to":"/loop-2"}',
      [nameOf('/loop-2')]: '{"from":"/loop-2","to":"/loop-1"}',
      '.former/readme.txt': 'hello',
    }
    await push(bad)
    for (const path of ['/bad-json', '/bad-name', '/bad-both', '/bad-to', '/loop-1', '/loop-2'])
      assert.equal((await visit(path)).status, 404, path)
    const checks = await api().get(`/sites/${service().site.id}/checks`).expect(200)
    const named = (checks.body.data.findings as { code: string; path: string }[])
      .filter(({ code }) => code === 'invalid_former_address' || code === 'stray_file')
      .map(({ path }) => path)
    assert.deepEqual(named.toSorted(), Object.keys(bad).toSorted())
    await push(Object.fromEntries(Object.keys(bad).map((path) => [path, null])))
  })
})
