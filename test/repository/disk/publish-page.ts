// Publishes a page through the store, as the API does.

import { randomUUID } from 'node:crypto'
import { parsePagePath } from '../../../src/model/paths/page-path.js'
import type { Store } from '../../../src/repository/store.js'

export async function publishPage(
  store: Store,
  site: { id: string; slug: string },
  path: string,
  html: string,
): Promise<void> {
  await store.write(site, {
    operation: {
      kind: 'publish-page',
      newId: randomUUID(),
      path: parsePagePath(path),
      html: Buffer.from(html),
      title: undefined,
      templateId: null,
      replace: false,
    },
    author: 'Ada',
    time: 1_790_000_000,
    trailers: [],
  })
}
