// Whether a stranger finds out which sites others have: by any byte of an answer. told-apart.bounds.test.ts compares how long it takes.

import assert from 'node:assert/strict'
import http from 'node:http'
import { startOwnService, type TestService } from '../../support/service.js'

const HIDDEN = 'their-site'
const MISSING = 'nothing-is'
const DELETED = 'was-a-site'
const REQUESTS = {
  'the discovery of a fetch': { path: 'info/refs?service=git-upload-pack' },
  'the discovery of a push': { path: 'info/refs?service=git-receive-pack' },
  'a fetch': { path: 'git-upload-pack', body: '0014command=ls-refs\n0000' },
  'a push': { path: 'git-receive-pack', body: '0000' },
}
type GitRequest = { path: string; body?: string }

describe("another tenant's site", () => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  const keys: Record<string, string | undefined> = { 'no key': undefined }
  let service: TestService

  before(async () => {
    service = await startOwnService({
      env: { MAX_REQUESTS_PER_MINUTE: '0' },
      change: (config) => ({ ...config, http: { ...config.http, maxRequestsPerConnection: 1_000_000 } }),
    })
    const { key: admin } = await service.mint({ scopes: ['admin'] })
    const made = async (slug: string) =>
      (await service.api(admin).post('/sites').send({ slug }).expect(201)).body as { data: { id: string } }
    await made(HIDDEN)
    const own = await made('own')
    const { data } = await made(DELETED)
    await service.api(admin).delete(`/sites/${data.id}`).expect(200)
    const { workspace } = await service.server.service.services.provisioner.createWorkspace('Others', 'others')
    keys['a key of another workspace'] = (await service.mint({ workspaceId: workspace.id })).key
    keys['a key limited to another site'] = (await service.mint({ sites: [own.data.id] })).key
  })
  after(async () => {
    agent.destroy()
    await service.stop()
  })

  /** The answer, but for the moment of it. */
  function ask(slug: string, { path, body }: GitRequest, key: string | undefined, version: number): Promise<string> {
    const headers = {
      'Git-Protocol': `version=${version}`,
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'Content-Length': body.length }),
    }
    const method = body === undefined ? 'GET' : 'POST'
    return new Promise((resolve, reject) => {
      const sent = http.request(`${service.origin}/git/${slug}.git/${path}`, { agent, method, headers }, (answer) => {
        let text = ''
        answer.setEncoding('latin1').on('data', (part: string) => (text += part))
        answer.on('end', () => {
          const fields = answer.rawHeaders.filter((_, at, all) => all[at - (at % 2)] !== 'Date')
          resolve(JSON.stringify([answer.statusCode, fields, text]))
        })
      })
      sent.on('error', reject)
      sent.end(body)
    })
  }

  for (const [name, asked] of Object.entries(REQUESTS)) {
    it(`is answered like one that never existed, byte for byte, by ${name}`, async () => {
      for (const key of [...Object.values(keys), 'plm_wrong'])
        for (const version of [0, 1, 2]) {
          const [missing, ...others] = await Promise.all(
            [MISSING, HIDDEN, DELETED].map((slug) => ask(slug, asked, key, version)),
          )
          for (const other of others) assert.equal(other, missing)
        }
    })
  }
})
