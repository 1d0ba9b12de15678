import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import supertest from 'supertest'
import { git } from '../support/git.js'
import { ROUTES } from '../../src/protocols/api/routes/table.js'
import { buildOpenApi } from '../../src/protocols/api/openapi/openapi.js'
import { dataOf, publish, useService } from './use-service.js'

interface Version {
  id: string
  number: number
  action: string
  author: string
}

describe('§9 versioning', () => {
  const service = useService()

  it('the API is versioned by its path, and v1 is the only version', async () => {
    await supertest(service().origin).get('/api/v2/pages').expect(404)
    await supertest(service().origin).get('/pages').expect(404)
  })

  it('each replacement makes a version, numbered from 1, and each version is a commit', async () => {
    const page = await publish(service(), { html: 'v1' })
    for (const html of ['v2', 'v3']) await service().api().put(`/pages/${page.id}/content`).send({ html }).expect(200)
    const versions = dataOf<Version[]>(await service().api().get(`/pages/${page.id}/versions`).expect(200))
    assert.deepEqual(
      versions.map(({ number, action }) => [number, action]),
      [
        [3, 'replace'],
        [2, 'replace'],
        [1, 'publish'],
      ],
    )
    const log = git(service().gitdir(), 'log', '--format=%H', 'main', '--', `${page.path.slice(1)}.html`)
    assert.deepEqual(
      versions.map(({ id }) => id),
      log.split('\n'),
    )
    assert.equal(versions[0]?.author, 'Test key')
  })

  it('the OpenAPI document and the reference need no key', async () => {
    const document = await supertest(service().origin).get('/openapi.json').expect(200)
    assert.equal((document.body as { openapi: string }).openapi, '3.1.0')
    await supertest(service().origin).get('/docs').expect(200)
    await supertest(service().origin).get('/healthz').expect(200)
    await supertest(service().origin).get('/readyz').expect(200)
  })

  it('the document describes every route, and its linter finds nothing', () => {
    const document = buildOpenApi('https://api.palimpsest.example') as { paths: Record<string, object> }
    for (const { path, method } of ROUTES)
      assert.ok(Object.hasOwn(document.paths[path] ?? {}, method), `${method} ${path}`)
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-openapi-'))
    try {
      writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document))
      const { status, stderr, stdout } = spawnSync(
        'npx',
        ['redocly', 'lint', '--extends', 'recommended', join(folder, 'openapi.json')],
        {
          encoding: 'utf8',
          env: { ...process.env, REDOCLY_TELEMETRY: 'off' },
        },
      )
      assert.equal(status, 0, stdout + stderr)
      assert.doesNotMatch(stdout + stderr, /warning.*problem|You have \d+ warning/i)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
