// `palimpsest sites import <url>`: makes the service import a repository from elsewhere, and shows the progress.

import { setTimeout as pause } from 'node:timers/promises'
import { type ApiClient, type DataOf, dataOf } from '../../protocols/client/client.js'
import { type AuthorOptions, connectToWorkspace } from '../connection/connection.js'
import { Unusable } from '../connection/unusable.js'
import { adviseIfLate } from '../connection/service-fetch.js'
import { formatBytes } from '../terminal/byte-count.js'
import { cell, printError, printJson } from '../terminal/printable.js'
import { startStatus } from '../terminal/status.js'
import { askCredentials, type CredentialOptions } from './ask-credentials.js'

export interface ImportOptions extends Omit<AuthorOptions, 'site'>, CredentialOptions {
  slug?: string
  wait: boolean
}

type Site = DataOf<'/sites/{id}', 'get'>
type Import = NonNullable<Site['import']>

const LOOK_MS = 500
/** The exit code that shells use for a program that Ctrl-C ended. */
const CANCELLED_EXIT_CODE = 130

export async function importFromUrl(url: string, options: ImportOptions): Promise<void> {
  const slug = options.slug ?? slugOf(url)
  const client = await connectToWorkspace(options)
  const importCredentials = await askCredentials(options)
  const body = { slug, importUrl: url, ...(importCredentials && { importCredentials }) }
  const begun = dataOf(await client.POST('/sites', { body }))
  if (!options.wait) {
    if (options.json) return printJson(begun)
    printError(`The import of ${cell(slug)} is under way. The dashboard shows how far it is, and can cancel it.`)
    console.log(begun.id)
    return
  }
  const site = await adviseIfLate('The import goes on: the dashboard shows how far it is.', () =>
    waitFor(client, begun),
  )
  if (site === undefined) return cancelled(slug)
  if (options.json) printJson(site)
  report(site, options.json === true)
}

/** Waits until the site is live or failed; returns undefined if Ctrl-C cancelled it. */
async function waitFor(client: ApiClient, begun: Site): Promise<Site | undefined> {
  const path = { id: begun.id }
  const interrupted = new AbortController()
  // A second Ctrl-C ends the command at once, and the import goes on.
  process.once('SIGINT', () => interrupted.abort())
  const status = startStatus()
  try {
    for (let site = begun; ; site = dataOf(await client.GET('/sites/{id}', { params: { path } }))) {
      if (site.state !== 'importing') return site
      if (site.import !== undefined) status.show(STEPS[site.import.phase], detailOf(site.import))
      await pause(LOOK_MS, undefined, { signal: interrupted.signal }).catch(() => undefined)
      if (!interrupted.signal.aborted) continue
      status.show('Cancelling the import')
      dataOf(await client.DELETE('/sites/{id}', { params: { path } }))
      return undefined
    }
  } finally {
    status.close()
  }
}

const STEPS: Readonly<Record<Import['phase'], string>> = {
  waiting: 'Waiting for its turn',
  receiving: 'Receiving',
  checking: 'Checking the repository',
  done: 'Done',
  failed: 'Failed',
}

function detailOf({ phase, receivedBytes, objects }: Import): string {
  if (phase !== 'receiving' && phase !== 'checking') return ''
  return `${formatBytes(receivedBytes)}${objects === null ? '' : ` of ${objects} objects`}`
}

function cancelled(slug: string): void {
  printError(`The import is cancelled. Nothing of it is left, and the slug ${slug} is free.`)
  process.exitCode = CANCELLED_EXIT_CODE
}

function report({ state, url, import: imported }: Site, isJson: boolean): void {
  for (const warning of imported?.warnings ?? []) printError(`warning: ${cell(warning)}`)
  if (state === 'live') {
    if (!isJson) console.log(cell(url))
    return
  }
  printError(`palimpsest: The import failed: ${imported?.error ?? 'the service says no reason.'}`)
  process.exitCode = 1
}

/** Makes a slug of the repository's name, if possible. Throws Unusable. */
function slugOf(url: string): string {
  const { pathname } = new URL(url)
  const [, name = ''] = /([^/]*?)(?:\.git)?\/*$/.exec(pathname) ?? []
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  if (slug === '') throw new Unusable('The URL has no repository name to make a slug from: give --slug.')
  return slug
}
