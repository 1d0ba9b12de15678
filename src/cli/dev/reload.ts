// Reloads the pages that browsers show, after a change: each page holds a stream of server-sent events (HTML §9.2).

import type { ServerResponse } from 'node:http'

/** No site has a hidden path, so these hide nothing of it. */
export const EVENTS_PATH = '/.palimpsest/changes'
export const SCRIPT_PATH = '/.palimpsest/reload.js'

/** Reloads once the stream tells another version than the page has, so that no change is missed while the page loads. */
export const SCRIPT = `const { version } = document.currentScript.dataset
new EventSource('${EVENTS_PATH}').onmessage = ({ data }) => data === version || location.reload()
`

export class Reload {
  readonly #open = new Set<ServerResponse>()
  // A page of an earlier run has another version, too.
  #version = Date.now()

  /** Returns what is added to the end of a document. */
  get tag(): string {
    return `\n<script src="${SCRIPT_PATH}" data-version="${this.#version}"></script>\n`
  }

  subscribe(response: ServerResponse): void {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
    response.write(this.#event)
    this.#open.add(response)
    response.once('close', () => this.#open.delete(response))
  }

  tellOfChange(): void {
    this.#version += 1
    for (const response of this.#open) response.write(this.#event)
  }

  get #event(): string {
    return `data: ${this.#version}\n\n`
  }
}
