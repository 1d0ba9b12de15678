// Answers paths of the base host at which nothing is.

import { ServiceError } from '../../model/errors.js'
import type { ApiContext } from './request/request-state.js'
import { TOOLS_PATH } from './request/tools-path.js'

/** It has no style of its own, which `ISOLATION` forbids; browsers show it in the colours of the reader's choice. */
const NOT_FOUND_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Not found · Palimpsest</title>
<main>
<h1>There is nothing at this address</h1>
<p>Palimpsest publishes pages. <a href="/">Open the dashboard</a>, or read the <a href="/docs">API reference</a>.</p>
</main>
</html>
`

/** Answers a path that belongs to nothing: a browser gets a page that leads to the dashboard, a program an error. */
export function answerUnknownPath(ctx: ApiContext): void {
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD'
  if (!isRead || ctx.headers.accept?.includes('text/html') !== true) throw notFound(ctx)
  ctx.status = 404
  ctx.type = 'html'
  ctx.body = NOT_FOUND_PAGE
}

/** The addresses that people give to a program in place of that of the tools. */
const NOT_OF_TOOLS = ['/sse', '/mcp/sse']

export function notFound({ path }: ApiContext): ServiceError {
  if (NOT_OF_TOOLS.includes(path))
    return new ServiceError('route_not_found', `There is no such endpoint. The tools for agents are at ${TOOLS_PATH}.`)
  return new ServiceError('route_not_found', 'There is no such endpoint. /docs lists all of them.')
}
