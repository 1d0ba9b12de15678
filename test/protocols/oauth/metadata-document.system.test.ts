// Clients whose id is an https URL. Needs openssl, for the certificate of the host.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  answerConsent,
  authorizeUrl,
  beginConsent,
  CALLBACK,
  exchange,
  newVerifier,
  postForm,
  TestBrowser,
  type Tokens,
} from '../../support/people/connect-agent.js'
import { signInAs, type SignedIn } from '../../support/people/sign-in-as.js'
import { startOwnService, type TestService } from '../../support/service.js'
import { until } from '../../support/within.js'

describe('a client whose id is the URL of its metadata', () => {
  let service: TestService
  let host: Server
  let id: string
  let folder: string
  let fetches = 0
  /** Answers of the host at paths of hostile clients. */
  const answers: Record<string, RequestListener> = {}

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-test-'))
    const made = ['-keyout', join(folder, 'key'), '-out', join(folder, 'cert')]
    const wishes = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/CN=localhost']
    execFileSync('openssl', ['req', '-x509', ...wishes, ...made], { stdio: 'ignore' })
    const [key, cert] = [readFileSync(join(folder, 'key')), readFileSync(join(folder, 'cert'))]
    host = createServer({ key, cert }, (request, response) => {
      const answer = answers[request.url ?? '']
      if (answer !== undefined) return answer(request, response)
      fetches += 1
      return response.end(JSON.stringify({ client_id: id, client_name: 'Well known', redirect_uris: [CALLBACK] }))
    })
    await new Promise<void>((listening) => host.listen(0, '127.0.0.1', listening))
    id = `https://localhost:${(host.address() as AddressInfo).port}/client.json`
    // Nobody vouches for the certificate of this test.
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
    service = await start()
  })
  const start = async (before?: TestService) =>
    await startOwnService({
      ...(before && { dataDir: before.dataDir }),
      keep: true,
      env: {
        REMOTE_ALLOW_PRIVATE: 'localhost',
        TRUSTED_PROXIES: '127.0.0.1,::1',
        // Tokens are for its address.
        ...(before && { PORT: String(before.server.port) }),
      },
    })
  after(async () => {
    delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
    host?.closeAllConnections()
    host?.close()
    rmSync(folder, { recursive: true, force: true })
    await service?.stop()
    if (service !== undefined) rmSync(service.dataDir, { recursive: true, force: true })
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

  const connect = async (person: SignedIn) => {
    const browser = new TestBrowser(service, person.cookie)
    const verifier = newVerifier()
    const path = await beginConsent(browser, { clientId: id, verifier })
    const url = await answerConsent(browser, path, { allow: true })
    const answer = await exchange(service, { clientId: id, verifier, code: url.searchParams.get('code') ?? '' })
    return ((await answer.json()) as Tokens).refresh_token
  }
  const renew = async (token: string) =>
    await postForm(service, '/oauth/token', { grant_type: 'refresh_token', refresh_token: token, client_id: id })

  it('connects and renews while a stranger asks for documents that never come, and for more that do than a cache holds', async () => {
    const editor = await signInAs(service, 'editor')
    const token = await connect(editor)
    const ask = async (path: string, from: string) => {
      const url = authorizeUrl({ clientId: new URL(path, id).href, verifier: newVerifier() })
      return await fetch(`http://localhost:${service.server.port}${url}`, {
        redirect: 'manual',
        headers: { 'X-Forwarded-For': from },
      })
    }
    for (let i = 0; i < 220; i++) {
      const path = `/of-strangers-${i}.json`
      answers[path] = (_request, response) =>
        response.end(JSON.stringify({ client_id: new URL(path, id).href, redirect_uris: [CALLBACK] }))
      assert.equal((await ask(path, `198.51.100.${i}`)).status, 303)
    }
    const silent = Array.from({ length: 24 }, (_, i) => {
      answers[`/silent-${i}.json`] = () => undefined
      return ask(`/silent-${i}.json`, '203.0.113.9')
    })
    const gate = service.server.service.services.admission.gate('client-documents')
    await until(
      () => gate.figures.running,
      (running) => running > 0,
    )
    assert.equal((await renew(token)).status, 200)
    await connect(editor)
    for (const { status } of await Promise.all(silent)) assert.ok(status === 400 || status === 503, String(status))
  })

  it('renews after a restart, without its host', async () => {
    const editor = await signInAs(service, 'editor')
    const token = await connect(editor)
    await service.stop()
    service = await start(service)
    const path = new URL(id).pathname
    answers[path] = (_request, response) => response.writeHead(500).end()
    try {
      assert.equal((await renew(token)).status, 200)
      const asked = authorizeUrl({ clientId: id, verifier: newVerifier() })
      const again = await new TestBrowser(service, editor.cookie).visit(asked)
      assert.equal(again.status, 400)
    } finally {
      delete answers[path]
    }
  })

  const hostile: Record<string, { answer: (url: string) => RequestListener; words: RegExp }> = {
    'leads elsewhere': {
      answer: () => (_request, response) => response.writeHead(302, { Location: id }).end(),
      words: /redirects too often/,
    },
    'does not end': {
      answer: () => (_request, response) => response.write('{'),
      words: /has not sent the metadata within 5 seconds/,
    },
    'is huge': {
      answer: () => (_request, response) => response.end(JSON.stringify({ client_name: 'x'.repeat(100_000) })),
      words: /is longer than 16384 bytes/,
    },
    'is no JSON': { answer: () => (_request, response) => response.end('<html>'), words: /has no JSON there/ },
    'is of another client': {
      answer: () => (_request, response) => response.end(JSON.stringify({ client_id: id, redirect_uris: [CALLBACK] })),
      words: /must have this very URL/,
    },
    'sends the browser to a script': {
      answer: (url) => (_request, response) =>
        response.end(JSON.stringify({ client_id: url, redirect_uris: ['javascript:alert(1)'] })),
      words: /redirect_uris must be an https URL/,
    },
    'breaks off': {
      answer: () => (_request, response) => {
        response.write('{')
        response.destroy()
      },
      words: /The connection to localhost:\d+ failed/,
    },
  }
  for (const [name, { answer, words }] of Object.entries(hostile)) {
    it(`is fetched once and refused on a page with the reason if its document ${name}`, async () => {
      const path = `/${name.replaceAll(' ', '-')}.json`
      const clientId = new URL(path, id).href
      let asks = 0
      answers[path] = (request, response) => {
        asks += 1
        answer(clientId)(request, response)
      }
      const editor = await signInAs(service, 'editor')
      const asked = authorizeUrl({ clientId, verifier: newVerifier() })
      const refused = await new TestBrowser(service, editor.cookie).visit(asked)
      const text = await refused.text()
      assert.equal(refused.status, 400, text)
      assert.equal(refused.headers.get('Location'), null)
      assert.match(refused.headers.get('Content-Security-Policy') ?? '', /frame-ancestors 'none'/)
      assert.match(text, words)
      assert.equal(asks, 1)
    })
  }
})
