// The service's own small answers to visitors: nothing here, not allowed, come back later.

import { STATUS_CODES, type ServerResponse } from 'node:http'
import { ServiceError } from '../../model/errors.js'

/** On every answer: a browser guesses no type, and keeps the host's scripts in a process of their own from the first page on. */
export const ISOLATION = { 'x-content-type-options': 'nosniff', 'origin-agent-cluster': '?1' }

export interface PlainPage {
  status: number
  /** One sentence in HTML that says what is the matter, or what to do. Never text that a visitor sent. */
  sentence: string
  /** By lower-case name; they win over the fields that every such page has. */
  headers?: Readonly<Record<string, string>>
}

/** Answers with the page; a HEAD gets its fields alone. */
export function sendPlainPage(response: ServerResponse, { status, sentence, headers }: PlainPage): void {
  const body = Buffer.from(renderPlainPage(STATUS_CODES[status] ?? 'Error', sentence))
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': body.length,
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    ...ISOLATION,
    ...headers,
  })
  response.end(body)
}

/** What a request comes to that failed here: a site in trouble is expected back, anything else is a mistake of ours. */
export function sendFailure(response: ServerResponse, error: unknown): void {
  if (error instanceof ServiceError) {
    const sentence = 'This site cannot be read at the moment. Try again in a minute.'
    return sendPlainPage(response, { status: 503, sentence, headers: { 'retry-after': '60' } })
  }
  sendPlainPage(response, { status: 500, sentence: 'Something failed here. It has been noted.' })
}

function renderPlainPage(title: string, sentence: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>body{font:1.1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:20vh auto 0;padding:0 1.5rem}h1{font-size:1.5rem}</style>
<h1>${title}</h1>
<p>${sentence}</p>
</html>
`
}
