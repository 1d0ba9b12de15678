// A program that a person connects in the browser: it waits on this machine for the code, and asks for its token with it.

import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { authorizeUrl, exchange, newVerifier, registerClient, type Tokens } from '../../support/people/connect-agent.js'
import type { Desk } from '../desk.js'

export interface Program {
  /** Connects it, with all sites of the person in the tab, to read and write. Returns its token. The steps on the screen can be given. */
  connect(tab: Page, allow?: () => Promise<void>): Promise<string>
  stop(): void
}

export async function startProgram(desk: Desk): Promise<Program> {
  let code: string | null = null
  const host: Server = createServer((request, response) => {
    code = new URL(request.url ?? '', callback).searchParams.get('code') ?? code
    response.end('Go back to your program.')
  })
  await new Promise<void>((listening) => host.listen(0, '127.0.0.1', listening))
  const callback = `http://127.0.0.1:${(host.address() as AddressInfo).port}/callback`
  return {
    async connect(tab, allow = () => allowByPointer(tab)) {
      const clientId = await registerClient(desk.service, { redirect_uris: [callback] })
      const verifier = newVerifier()
      const asked = { clientId, verifier, redirect: callback, scope: 'write', resource: desk.at('/api/v1') }
      await tab.goto(desk.at(authorizeUrl(asked)))
      await allow()
      await tab.getByText('Go back to your program.').waitFor()
      assert.ok(code)
      const answer = await exchange(desk.service, { clientId, verifier, code, redirect: callback })
      return ((await answer.json()) as Tokens).access_token
    },
    stop: () => host.close(),
  }
}

async function allowByPointer(tab: Page): Promise<void> {
  await tab.getByLabel('all of yours, also later ones').check()
  await tab.getByLabel('Read and write').check()
  await tab.getByRole('button', { name: 'Allow', exact: true }).click()
}
