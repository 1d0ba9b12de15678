// Folders without a start page: deploys, pushes and checks say why their URL is 404.

import assert from 'node:assert/strict'
import { dataOf, useService } from '../../spec/use-service.js'
import { manifestOf, tarOf } from '../files/folder.js'

interface Told {
  path: string
  code?: string
  message: string
}

describe('a folder without a start page', () => {
  const service = useService()
  const told = (found: readonly Told[]) => found.map(({ path, message }) => `${path}: ${message}`)

  async function deploy(names: readonly string[], mode = 'replace'): Promise<string[]> {
    const files = Object.fromEntries(names.map((name) => [name, name === '_redirects' ? '/ /about 302' : name]))
    const begun = await service()
      .api()
      .post('/deploys')
      .send({ files: manifestOf(files), mode })
      .expect(201)
    const { id, missing } = dataOf<{ id: string; missing: string[] }>(begun)
    const tar = tarOf(files, missing)
    if (missing.length > 0)
      await service().api().post(`/deploys/${id}/blobs`).type('application/x-tar').send(tar).expect(200)
    const published = await service().api().post(`/deploys/${id}/publish`).expect(200)
    return told(dataOf<{ warnings: Told[] }>(published).warnings)
  }

  async function check(): Promise<string[]> {
    const { findings } = dataOf<{ findings: Told[] }>(
      await service().api().get(`/sites/${service().site.id}/checks`).expect(200),
    )
    return told(findings.filter(({ code }) => code === 'no_start_page'))
  }

  const sentence = (url: string, name: string) =>
    `${url} is 404: the start page of a folder is index.html, and this file is named ${name}.`

  it('is told of files that are meant as start pages, by a deploy and by the checks', async () => {
    for (const name of ['Index.html', 'index.htm', 'INDEX.HTML', 'default.html', 'index.php']) {
      const expected = [`${name}: ${sentence('/', name)}`]
      assert.deepEqual(await deploy([name, 'about.html', 'a/index.html']), expected)
      assert.deepEqual(await check(), expected)
    }
    const expected = ['docs/a b/index.htm: ' + sentence('/docs/a%20b/', 'index.htm')]
    assert.deepEqual(await deploy(['index.html', 'docs/a b/index.htm']), expected)
    assert.deepEqual(await check(), expected)
  })

  it('is told that it has none, if it is the site itself and its own files are published', async () => {
    assert.deepEqual(await deploy(['about.html', 'a/x.html']), [
      'index.html: / is 404: the site has no start page. Add index.html.',
    ])
    assert.deepEqual(await deploy(['docs/intro.html'], 'merge'), [])
  })

  it('is told nothing if its URL leads somewhere', async () => {
    for (const names of [
      ['index.html', 'Default.html', 'index.htm'],
      ['about.html', '_redirects', 'index.htm'],
      ['index.html', 'index.html.txt', 'myindex.htm', '404.html', '.well-known/x.txt'],
    ]) {
      assert.deepEqual(await deploy(names), [], names.join())
      assert.deepEqual(await check(), [])
    }
    assert.equal((await deploy(['about.html', '404.html'])).length, 1)
  })
})
