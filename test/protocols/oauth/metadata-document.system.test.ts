// Clients whose id is an https URL. Needs openssl, for the certificate of the host.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  answerConsent,
  beginConsent,
  CALLBACK,
  exchange,
  newVerifier,
  TestBrowser,
} from '../../support/people/connect-agent.js'
import { signInAs } from '../../support/people/sign-in-as.js'
import { startOwnService, type TestService } from '../../support/service.js'

describe('a client whose id is the URL of its metadata', () => {
  let service: TestService
  let host: Server
  let id: string
  let folder: string
  let fetches = 0

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-test-'))
    const made = ['-keyout', join(folder, 'key'), '-out', join(folder, 'cert')]
    const wishes = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/CN=localhost']
    execFileSync('openssl', ['req', '-x509', ...wishes, ...made], { stdio: 'ignore' })
    const [key, cert] = [readFileSync(join(folder, 'key')), readFileSync(join(folder, 'cert'))]
    host = createServer({ key, cert }, (_request, response) => {
      fetches += 1
      response.end(JSON.stringify({ client_id: id, client_name: 'Well known', redirect_uris: [CALLBACK] }))
    })
    await new Promise<void>((listening) => host.listen(0, '127.0.0.1', listening))
    id = `https://localhost:${(host.address() as AddressInfo).port}/client.json`
    // Nobody vouches for the certificate of this test.
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
    service = await startOwnService({ env: { REMOTE_ALLOW_PRIVATE: 'localhost' } })
  })
  after(async () => {
    delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
    host?.close()
    rmSync(folder, { recursive: true, force: true })
    await service?.stop()
  })

  it('is shown with its host, needs no registration, and its metadata stay known', async () => {
    const editor = await signInAs(service, 'editor')
    const browser = new TestBrowser(service, editor.cookie)
    for (let round = 0; round < 2; round++) {
      const verifier = newVerifier()
      const path = await beginConsent(browser, { clientId: id, verifier })
      const shown = (await (await browser.ask(path)).json()) as { data: Record<string, unknown> }
      assert.equal(shown.data['client'], 'Well known')
      assert.equal(shown.data['provenHost'], new URL(id).host)
      const url = await answerConsent(browser, path, { allow: true, scope: 'read' })
      const code = url.searchParams.get('code') ?? ''
      assert.equal((await exchange(service, { clientId: id, verifier, code })).status, 200)
    }
    assert.equal(fetches, 1)
    const agents = (await editor.send('get', '/agents').expect(200)).body.data as { clientHost: string }[]
    // Two devices may have the same program.
    assert.deepEqual(
      agents.map(({ clientHost }) => clientHost),
      [new URL(id).host, new URL(id).host],
    )
  })
})
