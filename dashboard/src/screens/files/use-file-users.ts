// Finds the pages that use a file: their links would break without it.

import { dataOf, type Site, siteApi, type StoredFile } from '../../api/client.js'
import { type Loaded, useLoaded } from '../../api/use-loaded.js'

const MAX_TRIES = 5
const ASK_AGAIN_MS = 2_000

export interface FileUsers {
  paths: string[]
  /** False if more pages use it, or may use it. */
  isWhole: boolean
  /** False if not every page was checked. */
  isChecked: boolean
}

/**
 * Finds the pages by a dry run of the file's deletion. On a busy machine the links are indexed some seconds after a write. Asks again
 * until every page was checked.
 */
export function useFileUsers(site: Site, { path, oid }: StoredFile): Loaded<FileUsers> {
  return useLoaded(`used ${site.id} ${path} ${oid}`, async (signal, show) => {
    for (let tries = 1; ; tries += 1) {
      const users = await findUsers(site, path, signal)
      if (users.isChecked || tries === MAX_TRIES) return users
      show(users)
      await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS))
    }
  })
}

async function findUsers(site: Site, path: string, signal: AbortSignal): Promise<FileUsers> {
  const params = { query: { path, dryRun: true } }
  const { dryRun } = dataOf(await siteApi(site).DELETE('/files', { params, signal }))
  const warnings = dryRun?.warnings ?? []
  return {
    paths: [...new Set(warnings.flatMap(({ path: page }) => page ?? []))],
    // A warning without a page counts further links, or says that not every page was checked.
    isWhole: warnings.every(({ path: page }) => page !== null),
    isChecked: warnings.every(({ code }) => code !== 'links_unchecked'),
  }
}
