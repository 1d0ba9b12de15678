import assert from 'node:assert/strict'
import { codeOf, dataOf, useService } from '../../spec/use-service.js'
import { assertSound, git } from '../../support/git.js'
import { type Folder, manifestOf, oidOf, tarOf } from '../files/folder.js'

interface Problem {
  path: string
  message: string
}
interface Opened {
  id: string
  missing: string[]
  skipped?: Problem[]
  warnings: Problem[]
}
interface Published {
  skipped?: Problem[]
  warnings: Problem[]
  removed: number
}

describe('a deploy of odd names', () => {
  const service = useService()
  const api = () => service().api()
  const open = async (files: Folder, more: object = {}) =>
    dataOf<Opened>(
      await api()
        .post('/deploys')
        .send({ files: manifestOf(files), ...more })
        .expect(201),
    )
  const deploy = async (files: Folder, more: object = {}) => {
    const { id, missing } = await open(files, more)
    if (missing.length > 0) await api().post(`/deploys/${id}/blobs`).send(tarOf(files, missing)).expect(200)
    const published = dataOf<Published>(await api().post(`/deploys/${id}/publish`).expect(200))
    const again = dataOf<Published>(await api().post(`/deploys/${id}/publish`).expect(200))
    assert.deepEqual(again, published)
    assertSound(service().gitdir())
    return published
  }
  const warned = (warnings: Problem[]) => warnings.map(({ path, message }) => `${path}: ${message}`)
  const listed = () => git(service().gitdir(), 'ls-tree', '-r', '--name-only', 'main').split('\n')

  it('publishes names that differ only by case, and names them', async () => {
    const files = {
      'tags/Go/index.html': 'Go',
      'tags/Go/b.html': 'b',
      'tags/go/index.html': 'go',
      'A.css': 'A',
      'a.css': 'a',
    }
    const { warnings } = await deploy(files)
    const told = [
      /^a\.css: a\.css differs from A\.css only by case/,
      /^tags\/go\/index\.html: tags\/go differs from tags\/Go only by case/,
    ]
    assert.equal(warnings.length, told.length, JSON.stringify(warnings))
    for (const [at, pattern] of told.entries()) assert.match(warned(warnings)[at] ?? '', pattern)
    for (const [url, text] of [
      ['/tags/Go/', 'Go'],
      ['/tags/go/', 'go'],
      ['/A.css', 'A'],
      ['/a.css', 'a'],
    ] as const)
      await service().visit(url).expect(200, text)
    // Later writes to either folder go on.
    for (const path of ['/tags/Go/new', '/tags/go/new'])
      await api().put(`/pages?path=${path}`).send({ html: path }).expect(201)
    assert.equal(codeOf(await api().put('/pages?path=/tags/GO/new').send({ html: 'x' }).expect(409)), 'path_conflict')
  })

  it('names files and folders of the site that differ from new ones only by case', async () => {
    await deploy({ 'site/Name.txt': 'N', 'site/Dir/a.txt': 'a' })
    const { warnings } = await deploy({ 'site/name.txt': 'n', 'site/dir/b.txt': 'b', 'site/dir/c.txt': 'c' })
    assert.deepEqual(
      warned(warnings)
        .map((text) => text.replace(/ only by case.*/, ''))
        .toSorted(),
      ['site/dir/b.txt: site/dir differs from site/Dir', 'site/name.txt: site/name.txt differs from site/Name.txt'],
    )
    await service().visit('/site/Name.txt').expect(200, 'N')
    await service().visit('/site/name.txt').expect(200, 'n')
  })

  it('brings back by a rollback what was there beside it: twins by case, a folder, a page and a file', async () => {
    const files: Folder = {
      'back/Go.html': 'Go',
      'back/go.html': 'go',
      'back/A.css': 'A',
      'back/a.css': 'a',
      'back/In/x.txt': 'In',
      'back/in/x.txt': 'in',
      'back/about.html': 'page',
      'back/about/index.html': 'folder',
      'back/get': 'file',
      'back/get.html': 'page of get',
    }
    await deploy(files)
    for (const path of ['back/go', 'back/about', 'back/about/', 'back/get']) {
      const { body } = await api().get(`/pages?path=/${path}`).expect(200)
      const [page] = (body as { data: { id: string }[] }).data
      await api().delete(`/pages/${page?.id}`).expect(200)
      const shown = await api().post(`/pages/${page?.id}/rollback?dryRun=true`).send({ version: 1 }).expect(200)
      const told = dataOf<{ dryRun: { warnings: (Problem & { code: string })[] } }>(shown).dryRun.warnings
      const twins = told.filter(({ code }) => code === 'names_differ_by_case')
      const isTwin = path === 'back/go'
      assert.deepEqual(
        twins.map((twin) => twin.path),
        isTwin ? ['/back/go'] : [],
      )
      if (isTwin)
        assert.match(twins[0]?.message ?? '', /^back\/go\.html differs from back\/Go\.html only by case: both/)
      await api().post(`/pages/${page?.id}/rollback`).send({ version: 1 }).expect(200)
    }
    for (const path of ['back/a.css', 'back/in/x.txt', 'back/get']) {
      await api().delete(`/files?path=/${path}`).set('If-Match', '*').expect(200)
      await api()
        .post('/files/rollback')
        .send({ path: `/${path}`, version: 1 })
        .expect(200)
    }
    const { missing } = await open(files)
    assert.deepEqual(missing, [])
    const shown = git(service().gitdir(), '-c', 'core.quotePath=false', 'ls-tree', '-r', '--name-only', 'main', 'back')
    assert.deepEqual(shown.split('\n').toSorted(), Object.keys(files).toSorted())
  })

  it('refuses a rollback beside what came later', async () => {
    await deploy({ 'later/a.css': 'a' })
    await api().delete('/files?path=/later/a.css').set('If-Match', '*').expect(200)
    await api().put('/files?path=/later/A.css').type('text/css').send('A').expect(201)
    const answer = await api().post('/files/rollback').send({ path: '/later/a.css', version: 1 }).expect(409)
    assert.equal(codeOf(answer), 'path_conflict')
  })

  it('publishes a page beside the page of its folder, and a file beside the page of its name', async () => {
    const { warnings } = await deploy({ 'about.html': '1', 'about/index.html': '2', 'get.html': 'page', get: 'file' })
    assert.deepEqual(
      warnings.map(({ path }) => path),
      ['about/index.html', 'get.html'],
    )
    await service().visit('/about').expect(200, '1')
    await service().visit('/about/').expect(200, '2')
    await service().visit('/get.html').expect(200, 'page')
    const { body } = await service().visit('/get').buffer(true).expect(200)
    assert.equal(String(body), 'file')
    // Later writes go on.
    await api().put('/pages?path=/about').send({ html: '3' }).expect(200)
    await service().visit('/about').expect(200, '3')
  })

  it('leaves out with skipInvalid what no site can serve, and takes all else with warnings', async () => {
    const odd: Folder = {
      'tags/c#/index.html': 'sharp',
      'tags/c#/a b?.txt': 'odd',
      'con.txt': 'device',
      'end.': 'dot',
      'empty.html': '',
      'latin.html': Buffer.from('caf\xe9', 'latin1'),
      'nfd/u\u0308.txt': 'nfd',
      'fine.txt': 'fine',
    }
    const wrong: Folder = {
      '.env': 'secret',
      'a/.git/config': 'x',
      'a/../b': 'x',
      'back\\slash': 'x',
      'bell\u0007': 'x',
      'collections/x.json': 'x',
      [`long/${'x'.repeat(256)}`]: 'x',
      'f/g': 'x',
      f: 'file',
    }
    assert.equal(
      codeOf(
        await api()
          .post('/deploys')
          .send({ files: manifestOf({ ...odd, ...wrong }) })
          .expect(400),
      ),
      'invalid_deploy',
    )
    const opened = await open({ ...odd, ...wrong }, { skipInvalid: true })
    const left = Object.keys(wrong).filter((name) => name !== 'f')
    assert.deepEqual(opened.skipped?.map(({ path }) => path).toSorted(), left.toSorted())
    assert.deepEqual(dataOf<Opened>(await api().get(`/deploys/${opened.id}`)).skipped, opened.skipped)
    const { skipped, warnings } = await deploy({ ...odd, ...wrong }, { skipInvalid: true })
    assert.deepEqual(skipped, opened.skipped)
    assert.deepEqual(
      warnings.map(({ path }) => path).toSorted(),
      Object.keys(odd)
        .filter((name) => name !== 'fine.txt')
        .toSorted(),
    )
    for (const name of Object.keys(odd)) {
      const url = `/${encodeURI(name).replaceAll('#', '%23').replaceAll('?', '%3F')}`.replace(/(?:index)?\.html$/, '')
      await service().visit(url).expect(200)
    }
    assert.ok(listed().includes('f'))
  })

  it('refuses a manifest that contradicts itself or is too large, also with skipInvalid', async () => {
    const files = { 'a.txt': { oid: oidOf('a'), size: 1 }, 'b.txt': { oid: oidOf('a'), size: 2 } }
    const large = { ...manifestOf({ 'fine.txt': 'fine' }), 'big.txt': { oid: oidOf('z'), size: 64 * 1024 * 1024 + 1 } }
    for (const wrong of [files, large]) {
      const refusal = await api().post('/deploys').send({ files: wrong, skipInvalid: true }).expect(400)
      assert.equal(codeOf(refusal), 'invalid_deploy')
    }
  })

  it('never removes what was left out, nor what keep names, in mode replace', async () => {
    const path = `/deep/${`${'y'.repeat(250)}/`.repeat(4)}${'p'.repeat(50)}`
    await api().put(`/pages?path=${path}`).send({ html: 'long' }).expect(201)
    await deploy({ 'shared/a/b.html': 'b', 'sharedness.txt': 's', 'one.txt': '1', 'gone.txt': 'g' })
    const files = {
      ...manifestOf({ 'home.html': 'home' }),
      [`${path.slice(1)}.html`]: { oid: oidOf('y'), size: 1 },
    }
    const body = { files, mode: 'replace', skipInvalid: true, keep: ['shared', '/one.txt'] }
    const { id, missing, skipped } = dataOf<Opened>(await api().post('/deploys').send(body).expect(201))
    assert.equal(skipped?.length, 1)
    await api()
      .post(`/deploys/${id}/blobs`)
      .send(tarOf({ 'home.html': 'home' }, missing))
      .expect(200)
    await api().post(`/deploys/${id}/publish`).expect(200)
    for (const url of ['/shared/a/b', '/one.txt', '/home', path]) await service().visit(url).expect(200)
    for (const url of ['/sharedness.txt', '/gone.txt']) await service().visit(url).expect(404)
  })
})
