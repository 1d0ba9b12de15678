import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as fc from 'fast-check'
import { isFilePath } from '../../../src/model/paths/file-path.js'
import { foldCase, pagePathOf } from '../../../src/model/paths/page-path.js'
import { dataOf, useService } from '../../spec/use-service.js'
import { assertSound, git } from '../../support/git.js'
import { RemoteGit } from '../../support/remote-git.js'
import { type Folder, manifestOf, tarOf } from './folder.js'

const NAMES = [
  'a',
  'B',
  'é',
  '日本',
  'a b',
  'x+y',
  '100%',
  'c~d',
  "it's",
  '-rf',
  'index',
  'v1.2',
  'emoji😀',
  '_x',
  '[slug]',
  'a&b=c',
]
const ENDINGS = ['.html', '.html', '.css', '.mjs', '.wasm', '.avif', '.webmanifest', '.js.map', '.woff2', '', '.txt']
const SIZES = [0, 1, 100, 65_535, 65_536, 1_048_575, 1_048_576, 1_048_577, 3_000_000]

/** A folder of which every door takes every name: no two are one where case does not count, no page answers for another. */
const folders: fc.Arbitrary<Folder> = fc
  .uniqueArray(
    fc.record({
      folders: fc.array(fc.constantFrom(...NAMES), { maxLength: 3 }),
      name: fc.constantFrom(...NAMES),
      ending: fc.constantFrom(...ENDINGS),
      size: fc.constantFrom(...SIZES),
      fill: fc.integer({ min: 1, max: 255 }),
    }),
    {
      minLength: 20,
      maxLength: 30,
      selector: ({ name, ending, folders: above }) => foldCase([...above, name + ending].join('/')),
    },
  )
  .map((files) => {
    const folder: Folder = {}
    const taken = new Set<string>()
    for (const { folders: above, name, ending, size, fill } of files) {
      const path = [...above.map((part) => `d-${part}`), name + ending].join('/')
      const page = pagePathOf(path)
      // A page and a file or folder of its name would be one URL.
      const place = foldCase(path.replace(/(?:\/index)?\.html$/, ''))
      if (taken.has(place) || (page === undefined && !isFilePath(path))) continue
      taken.add(place)
      folder[path] = Buffer.alloc(page === undefined ? size : Math.max(size, 1), fill === 60 ? 61 : (fill % 26) + 97)
    }
    return folder
  })

describe('the same folder', () => {
  const service = useService()

  it('by a deploy, by single puts and by a push is the same tree, byte for byte', async function () {
    this.timeout(90_000)
    for (const [round, folder] of fc.sample(folders, 1).entries()) {
      const names = ['deployed', 'put', 'pushed'].map((way) => `${way}-${round}`)
      const sites = new Map<string, string>()
      const { key } = await service().mint({ scopes: ['admin'] })
      for (const slug of names) {
        const { id } = dataOf<{ id: string }>(await service().api(key).post('/sites').send({ slug }).expect(201))
        sites.set(slug, id)
      }
      const [deployed = '', put = '', pushed = ''] = names
      await deploy(folder, sites.get(deployed) ?? '')
      await putEach(folder, sites.get(put) ?? '')
      await push(folder, pushed)
      const trees = names.map((slug) => contentOf(slug))
      assert.ok((trees[0]?.length ?? 0) > 10, 'there are files')
      assert.deepEqual(trees[1], trees[0], 'single puts')
      assert.deepEqual(trees[2], trees[0], 'a push')
      for (const slug of names) assertSound(service().gitdir(slug))
    }
  })

  async function deploy(folder: Folder, site: string): Promise<void> {
    const api = service().api()
    const files = manifestOf(folder)
    const made = dataOf<{ id: string; missing: string[] }>(
      await api.post('/deploys').set('x-service-site-id', site).send({ files }).expect(201),
    )
    await api.post(`/deploys/${made.id}/blobs`).send(tarOf(folder, made.missing)).expect(200)
    await api.post(`/deploys/${made.id}/publish`).expect(200)
  }

  async function putEach(folder: Folder, site: string): Promise<void> {
    for (const [name, bytes] of Object.entries(folder)) {
      const page = pagePathOf(name)
      const path = encodeURIComponent(page ?? `/${name}`)
      const request = service()
        .api()
        .put(`/${page === undefined ? 'files' : 'pages'}?path=${path}`)
      const type = page === undefined ? 'application/octet-stream' : 'text/html'
      const answer = await request.set('x-service-site-id', site).type(type).send(bytes)
      assert.ok(answer.status === 200 || answer.status === 201, `${name}: ${JSON.stringify(answer.body)}`)
    }
  }

  async function push(folder: Folder, slug: string): Promise<void> {
    const client = new RemoteGit()
    try {
      const { host } = new URL(service().origin)
      await client.run('clone', '-q', `http://git:${service().key}@${host}/git/${slug}.git`, 'site')
      for (const [name, bytes] of Object.entries(folder)) {
        const file = join(client.path('site'), name)
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, bytes)
      }
      await client.in('site', 'add', '-A')
      await client.in('site', 'commit', '-qm', 'Add a folder')
      await client.in('site', 'push', '-q', 'origin', 'HEAD:main')
    } finally {
      client.remove()
    }
  }

  /** Mode, oid and name of each file, without what the service keeps beside them. */
  function contentOf(slug: string): string[] {
    const all = git(service().gitdir(slug), 'ls-tree', '-r', '-z', 'main').split('\0')
    return all.filter((line) => line !== '' && !/\t\.(?:pages\/|site\.json$)/.test(line))
  }
})
