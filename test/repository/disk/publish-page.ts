// Publishes a page through the store, as the API does.

import { randomUUID } from 'node:crypto'
import { parsePagePath } from '../../../src/model/paths/page-path.js'
import type { SiteRef, Write } from '../../../src/repository/protocol/write.js'
import type { Store } from '../../../src/repository/store.js'

/** Returns the commit. `others` replaces parts of the write. */
export async function publishPage(
  store: Pick<Store, 'write'>,
  site: SiteRef,
  path: string,
  html: string,
  others: Partial<Write> = {},
): Promise<string> {
  const { commit } = await store.write(site, {
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
    ...others,
  })
  return commit
}
