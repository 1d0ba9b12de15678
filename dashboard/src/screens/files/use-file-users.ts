// The pages that use a file: those whose links would break without it.

import { dataOf, type Site, siteApi, type StoredFile } from '../../api/client.js'
import { type Loaded, useLoaded } from '../../api/use-loaded.js'

const MAX_TRIES = 5
const ASK_AGAIN_MS = 2_000

export interface FileUsers {
  paths: string[]
  /** False where further pages use it, or may. */
  isWhole: boolean
  /** False where not every page was looked at. */
  isChecked: boolean
}

/**
 * A dry run of the file's deletion names the pages. On a busy machine the search for links follows a write some seconds later: while
 * it has not looked at every page, it is asked again.
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
    // A warning without a page counts further links, or says that not every page was looked at.
    isWhole: warnings.every(({ path: page }) => page !== null),
    isChecked: warnings.every(({ code }) => code !== 'links_unchecked'),
  }
}
