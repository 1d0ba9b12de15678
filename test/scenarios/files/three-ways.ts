// Publishes the same folder by a deploy, by single puts and by a push over HTTP, each to its own site.

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pagePathOf } from '../../../src/model/paths/page-path.js'
import { git } from '../../support/git.js'
import { RemoteGit } from '../../support/remote-git.js'
import type { ApiClient } from '../client.js'
import { type Folder, manifestOf, oidOf, tarOf } from './folder.js'

/** Sent by themselves, as clients send large files. */
const LARGE_BYTES = 1024 * 1024

/** A service, and a key with the scope `admin`. */
export interface Place {
  api: () => ApiClient
  origin: string
  key: string
  gitdir: (slug: string) => string
}

export interface WayTaken {
  slug: string
  /** Mode, oid and name of each file, without the service's own files. */
  tree: string[]
}

/** The sites' names begin with the way and end with `name`. */
export async function publishThreeWays(place: Place, folder: Folder, name: string): Promise<WayTaken[]> {
  const ways = { deployed: deploy, put: putEach, pushed: push }
  const taken: WayTaken[] = []
  for (const [way, publish] of Object.entries(ways)) {
    const slug = `${way}-${name}`
    const made = await place.api().post('/sites').send({ slug }).expect(201)
    await publish(place, folder, { slug, id: (made.body as { data: { id: string } }).data.id })
    taken.push({ slug, tree: contentOf(place.gitdir(slug)) })
  }
  return taken
}

interface Target {
  slug: string
  id: string
}

async function deploy({ api }: Place, folder: Folder, { id: siteId }: Target): Promise<void> {
  const to = (path: string) => api().post(path).set('x-service-site-id', siteId)
  const made = await to('/deploys')
    .send({ files: manifestOf(folder) })
    .expect(201)
  const { id, missing } = (made.body as { data: { id: string; missing: string[] } }).data
  const large = new Map(
    Object.values(folder).flatMap((bytes) => (bytes.length > LARGE_BYTES ? [[oidOf(bytes), bytes]] : [])),
  )
  for (const [oid, bytes] of large)
    await api().put(`/deploys/${id}/blobs/${oid}`).type('application/octet-stream').send(bytes).expect(200)
  const small = missing.filter((oid) => !large.has(oid))
  await api().post(`/deploys/${id}/blobs`).send(tarOf(folder, small)).expect(200)
  await to(`/deploys/${id}/publish`).expect(200)
}

async function putEach({ api }: Place, folder: Folder, { id }: Target): Promise<void> {
  for (const [name, bytes] of Object.entries(folder)) {
    const page = pagePathOf(name)
    const path = encodeURIComponent(page ?? `/${name}`)
    const request = api().put(`/${page === undefined ? 'files' : 'pages'}?path=${path}`)
    const type = page === undefined ? 'application/octet-stream' : 'text/html'
    const { status, body } = await request.set('x-service-site-id', id).type(type).send(bytes)
    if (status !== 200 && status !== 201) throw new Error(`${name}: ${status} ${JSON.stringify(body)}`)
  }
}

async function push({ origin, key }: Place, folder: Folder, { slug }: Target): Promise<void> {
  const client = new RemoteGit()
  try {
    await client.run('clone', '-q', `http://git:${key}@${new URL(origin).host}/git/${slug}.git`, 'site')
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

function contentOf(gitdir: string): string[] {
  const all = git(gitdir, 'ls-tree', '-r', '-z', 'main').split('\0')
  return all.filter((line) => line !== '' && !/\t\.(?:pages\/|site\.json$)/.test(line))
}
