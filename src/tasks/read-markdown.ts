// The task that hosted sites use. It is separate from the table, so that the role that serves sites loads none of the tasks' code.

import type { SiteRef } from '../repository/protocol/write.js'
import type { Tasks } from './tasks.js'

/** Returns the Markdown of a page, for the host of its site: each site has its turn. */
export async function readMarkdown(
  tasks: Tasks,
  repositories: { gitdir(site: SiteRef): string },
  site: SiteRef,
  commit: string,
  blob: string,
): Promise<string> {
  const source = { siteId: site.id, gitdir: repositories.gitdir(site), commit }
  const input = { source, blob, wishes: { as: 'markdown' } } as const
  const { content } = await tasks.run('readDocument', input, { workspaceId: site.id })
  return content
}
