import { mkdtempSync, readdirSync, readlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listProcesses } from '../../programs/processes.js'
import { until } from '../../support/within.js'
import { type ApiClient, put, visit } from '../client.js'
import { endProcesses, makeKey, serve, type ServeProcess } from '../serve-process.js'

const SITES = 12

/** Files of indexes that a process and its children hold, though they are removed. */
function heldDeleted(pid: number): string[] {
  const children = listProcesses().filter(({ parent }) => parent === pid)
  return [pid, ...children.map((child) => child.pid)].flatMap((holder) => {
    try {
      const folder = `/proc/${holder}/fd`
      const files = readdirSync(folder).map((fd) => readlinkSync(join(folder, fd)))
      return files.filter((file) => /\/index\/.* \(deleted\)$/.test(file))
    } catch {
      // It ended meanwhile.
      return []
    }
  })
}

const describeOnLinux = process.platform === 'linux' ? describe : describe.skip

describeOnLinux('the files of deleted sites', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-deleted-'))
  let server: ServeProcess
  let api: ApiClient

  afterEach(async () => {
    await endProcesses(dataDir)
  })

  /** Every thread and task process that opens an index opens that of the site. */
  async function use(slug: string, id: string): Promise<void> {
    await put(api, '/page', 'a page', id)
    for (const path of ['/pages?sort=path', '/search?q=page', `/sites/${id}/commits`])
      await api.get(path).set('x-service-site-id', id)
    for (const path of ['/page', '/sitemap.xml', '/llms.txt'])
      await visit(server.origin, `http://${slug}.localhost${path}`)
  }

  it('are closed by all threads and processes', async () => {
    server = await serve({ dataDir })
    api = server.api(await makeKey(dataDir, 'admin'))
    const ids: string[] = []
    for (let n = 0; n < SITES; n++) {
      const { body } = await api
        .post('/sites')
        .send({ slug: `site-${n}` })
        .expect(201)
      const { id } = (body as { data: { id: string } }).data
      await use(`site-${n}`, id)
      ids.push(id)
    }
    const [kept = '', ...others] = ids
    for (const id of others) await api.delete(`/sites/${id}`).expect(200)
    // A process that heard nothing of it closes them as it looks up other sites.
    await until(
      async () => {
        await use('site-0', kept)
        return heldDeleted(server.pid)
      },
      (held) => held.length === 0,
    )
  })
})
