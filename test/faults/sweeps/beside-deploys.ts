// New pages during deploys of the same site. A batch has both, and the objects of a deploy are in no repository yet when the later pages
// are written. No write is refused, and none is lost.

import type { Response } from 'supertest'
import type { Folder } from '../../scenarios/files/folder.js'
import { git } from '../../support/git.js'
import { Ground } from '../ground/ground.js'
import { deployFolder } from '../load/deploy-folder.js'
import type { FaultProgram, Report } from '../program.js'

const CLIENTS = 8
const WRITES = 2_000
const DEPLOYS = 100
const PAGES = 6
/** Larger than blobs that are gathered into one pack. */
const LARGE_BYTES = 17 * 1024 * 1024
const LARGE_DEPLOYS = 12
const WRITES_BESIDE_LARGE = 500

export const besideDeploys: FaultProgram = {
  name: 'beside-deploys',
  about: 'eight clients publish new pages beside deploys of the same site, and beside large files and reverts',
  needs: [],
  async run(report) {
    const ground = await Ground.prepare()
    try {
      report.begin(`${WRITES} writes beside ${DEPLOYS} deploys`, 2)
      await Promise.all([
        writePages(ground, report, 'small', WRITES),
        repeat(DEPLOYS, (at) => deploy(ground, report, pagesOf(`small/${at}`))),
      ])
      report.begin(`${WRITES_BESIDE_LARGE} writes beside large files and reverts`, 2)
      await Promise.all([
        writePages(ground, report, 'large', WRITES_BESIDE_LARGE),
        repeat(LARGE_DEPLOYS, (at) => deployAndRevert(ground, report, at)),
      ])
      for (const damage of ground.damage()) report.violate(damage)
    } finally {
      await ground.destroy()
    }
  },
}

/** New pages by several clients at once. Every one that was acknowledged is there in the end. */
async function writePages(ground: Ground, report: Report, name: string, count: number): Promise<void> {
  let next = 0
  const acknowledged: string[] = []
  const clients = Array.from({ length: CLIENTS }, async () => {
    for (let at = next++; at < count; at = next++) {
      const page = `${name}-${at}`
      if (judge(await writePage(ground, `/${page}`, at), report)) acknowledged.push(page)
    }
  })
  await Promise.all(clients)
  const files = new Set(git(ground.gitdir(), 'ls-tree', '--name-only', 'main').split('\n'))
  for (const page of acknowledged) if (!files.has(`${page}.html`)) report.lose(`the page /${page}`)
}

/** Writes a page by its path, or in a batch. */
async function writePage(ground: Ground, path: string, at: number): Promise<Response> {
  if (at % 2 === 0) return await ground.api.put(`/pages?path=${path}`).type('text/html').send(path)
  return await ground.api.post('/batch').send({ operations: [{ op: 'putPage', path, html: path }] })
}

async function deploy(ground: Ground, report: Report, files: Folder): Promise<string | undefined> {
  const [name = ''] = Object.keys(files)
  // The duration of a large one depends on the load of the machine.
  const sent = await deployFolder(ground.api, files, name, (answer) => answer)
  judge(sent, report)
  return (sent.body.data as { commit?: string } | undefined)?.commit
}

/** Reverts a deploy with a large file, while a single large file is written. */
async function deployAndRevert(ground: Ground, report: Report, at: number): Promise<void> {
  const large = Buffer.alloc(LARGE_BYTES, `${at} `)
  const commit = await deploy(ground, report, { ...pagesOf(`large/${at}`), [`large/${at}/file.bin`]: large })
  const file = ground.api
    .put(`/files?path=/single/${at % 2}.bin`)
    .type('bin')
    .send(large.subarray(at))
  const { id } = ((await ground.api.get('/sites?slug=demo')).body as { data: { id: string }[] }).data[0]!
  for (const answer of await Promise.all([file, ground.api.post(`/sites/${id}/revert`).send({ commit })]))
    judge(answer, report)
}

async function repeat(times: number, work: (at: number) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < times; at++) await work(at)
}

function pagesOf(folder: string): Folder {
  return Object.fromEntries(Array.from({ length: PAGES }, (_, at) => [`${folder}/page-${at}.html`, `${folder} ${at}`]))
}

/** Whether the write was acknowledged. */
function judge({ status, body }: Pick<Response, 'status' | 'body'>, report: Report): boolean {
  const isAcknowledged = status === 200 || status === 201
  if (isAcknowledged) report.acknowledge()
  else report.violate(`a write was answered ${status} ${JSON.stringify(body)}`)
  return isAcknowledged
}
