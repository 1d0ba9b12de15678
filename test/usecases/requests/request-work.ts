// Makes, writes and publishes change requests in a service without HTTP, for tests.

import { join } from 'node:path'
import type { Site } from '../../../src/catalog/site.js'
import type { Principal } from '../../../src/model/principal.js'
import { parsePagePath } from '../../../src/model/paths/page-path.js'
import type { Call } from '../../../src/usecases/context/call.js'
import type { Services } from '../../../src/usecases/context/services.js'
import { findPageAt } from '../../../src/usecases/pages/find-page.js'
import { unpublishPage } from '../../../src/usecases/moves/unpublish-page.js'
import { publish } from '../../../src/usecases/pages/publish.js'
import { publishRequest } from '../../../src/usecases/requests/publish-request.js'
import { createRequest } from '../../../src/usecases/requests/requests.js'
import { updateRequest } from '../../../src/usecases/requests/update-request.js'
import { git } from '../../support/git.js'
import type { ServiceParts } from '../service-parts.js'

type AnyCall = Call<keyof Services>
type Branch = Site & { request: string }

export class RequestWork {
  readonly parts: ServiceParts
  readonly drafts: string

  constructor(parts: ServiceParts) {
    this.parts = parts
    this.drafts = join(parts.dataDir, 'drafts', `${parts.site.slug}.git`)
  }

  /** Returns the branch of a new request. */
  async begin(title = 'New prices', call = this.parts.call()): Promise<Branch> {
    const { data } = await createRequest(call, { id: this.parts.site.id, title })
    return { ...this.parts.site, request: data.id }
  }

  /** Publishes a page at main or a branch. Returns its id. */
  async put(site: Site, path: string, html: string, call = this.parts.call()): Promise<string> {
    const inPlace = { ...call, site, target: { ...call.target, site } }
    return (await publish(inPlace, { path, html }, { replace: true })).data.id
  }

  async unpublish(site: Site, path: string, call = this.parts.call()): Promise<void> {
    const page = await findPageAt({ ...call, site }, parsePagePath(path))
    await unpublishPage({ ...call, target: { ...call.target, site } }, { id: page?.row.id ?? '' })
  }

  async publish(branch: Branch, input: { title?: string; ifHead?: string } = {}, call = this.parts.call()) {
    return (await publishRequest(call, { id: branch.request, ...input })).data
  }

  async update(branch: Branch, input: { ours?: string[]; theirs?: string[] } = {}, call = this.parts.call()) {
    return (await updateRequest(call, { id: branch.request, ...input })).data
  }

  head(branch: Branch): string {
    return git(this.drafts, 'rev-parse', branch.request)
  }

  main(): string {
    return git(this.parts.gitdir(), 'rev-parse', 'main')
  }

  /** Returns what git has at a path of main, without the last line feed. */
  show(path: string, commit = 'main'): string {
    return git(this.parts.gitdir(), 'show', `${commit}:${path}`)
  }

  /** Returns the values of a trailer, as git reads them. */
  trailers(name: string, commit = 'main'): string[] {
    const format = `%(trailers:key=${name},valueonly)`
    return git(this.parts.gitdir(), 'log', '-1', `--format=${format}`, commit).split('\n').filter(Boolean)
  }
}

/** Returns the call as a person makes it in a session. */
export function asPerson(call: AnyCall, id: string, name: string): AnyCall {
  const { scopes, workspaceId } = call.principal
  const principal: Principal = {
    kind: 'session',
    id: `session-of-${id}`,
    label: name,
    workspaceId,
    scopes,
    sites: null,
    expiresAt: null,
    person: { id, name, role: 'owner' },
  }
  return { ...call, principal }
}
