// Begins change requests as the service does, without its API.

import { randomUUID } from 'node:crypto'
import type { Site } from '../../../src/catalog/site.js'
import { toSeconds } from '../../../src/model/clock.js'
import { draftsOf } from '../../../src/repository/protocol/site-place.js'
import type { Call } from '../../../src/usecases/context/call.js'
import type { Services } from '../../../src/usecases/context/services.js'
import { publish } from '../../../src/usecases/pages/publish.js'

/** Makes the row and the branch. */
export async function beginRequest(
  services: Services,
  site: Site,
  title = 'Words',
): Promise<Site & { request: string }> {
  const request = { ...site, request: randomUUID() }
  const { catalog, clock, indexFollower, store } = services
  const author = { author: 'Ada', madeBy: 'key ada', userId: null }
  await catalog.changeRequests.create({ id: request.request, siteId: site.id, title, state: 'draft', ...author })
  const fork = await indexFollower.fork(request)
  await store.writers.beginRequest(request, fork, toSeconds(clock()))
  return request
}

/** Publishes a page in the request, or in main. */
export async function putIn(call: Call<keyof Services>, site: Site, path: string, html: string): Promise<void> {
  await publish({ ...call, site }, { path, html }, { replace: true })
}

/** Returns the folder of the repository with the change requests of the site. */
export function draftsIn({ store }: Pick<Services, 'store'>, site: Site): string {
  return store.repositories.gitdir(draftsOf(site))
}
