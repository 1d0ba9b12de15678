// The service's own small answers to visitors: not found, not allowed, try again later.

import { STATUS_CODES, type ServerResponse } from 'node:http'
import { retryAfterOf } from '../../../admission/refused.js'
import { ServiceError } from '../../../model/errors.js'

/** Fields of every answer: browsers must not guess a type, and must run each host's scripts in a separate process (HTML §7.1.2). */
export const ISOLATION = { 'x-content-type-options': 'nosniff', 'origin-agent-cluster': '?1' }

export interface PlainPage {
  status: number
  /** HTML that says what happened or what to do. Never text that a visitor sent. */
  sentence: string
  /** By lower-case name. They override the fields that every such page has. */
  headers?: Readonly<Record<string, string>>
}

/** Answers with the page; a HEAD request gets its fields only. */
export function sendPlainPage(response: ServerResponse, { status, sentence, headers }: PlainPage): void {
  const body = Buffer.from(renderPlainPage(STATUS_CODES[status] ?? 'Error', sentence))
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': body.length,
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    ...ISOLATION,
    ...headers,
  })
  response.end(body)
}

/** Answers a failed request: 503 if the site cannot be read, 500 for a defect of the service. */
export function sendFailure(response: ServerResponse, error: unknown): void {
  if (error instanceof ServiceError) {
    const sentence = 'This site cannot be read at the moment. Try again in a minute.'
    return sendPlainPage(response, {
      status: 503,
      sentence,
      headers: { 'retry-after': String(retryAfterOf(error, 60)) },
    })
  }
  sendPlainPage(response, { status: 500, sentence: 'The service failed. The error has been logged.' })
}

function renderPlainPage(title: string, sentence: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>body{font:1.1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:20vh auto 0;padding:0 1.5rem}h1{font-size:1.5rem}</style>
<main>
<h1>${title}</h1>
<p>${sentence}</p>
</main>
</html>
`
}
