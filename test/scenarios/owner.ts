// The first owner of the service, in whose browser the programs of others are allowed.

import { runPalimpsest } from './serve-process.js'
import { answerConsent, TestBrowser } from '../support/people/connect-agent.js'

export interface Owner {
  port: number
  /** `http://localhost:<port>`: the address of the service. */
  origin: string
  /** Opens a link of a program and allows it to write. Returns the URL to which the browser is sent. */
  allow(link: string): Promise<URL>
}

/** Comes in by a link of the operator. */
export async function signInAsOwner(port: number, dataDir: string): Promise<Owner> {
  const origin = `http://localhost:${port}`
  const { stdout, stderr } = await runPalimpsest({ DATA_DIR: dataDir, BASE_URL: origin }, 'login-link')
  const token = /#(\S+)/.exec(stdout)?.[1]
  if (token === undefined) throw new Error(stderr)
  const answer = await fetch(`${origin}/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: origin },
    body: JSON.stringify({ token }),
  })
  const session = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return {
    port,
    origin,
    async allow(link) {
      const browser = new TestBrowser({ server: { port } }, session)
      const asked = await browser.visit(link)
      const consent = asked.headers.get('Location')
      if (consent === null) throw new Error(await asked.text())
      return await answerConsent(browser, consent, { allow: true, scope: 'write' })
    },
  }
}
