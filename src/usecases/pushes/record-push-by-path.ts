// Records pushes by path to protected sites in the audit log. Only the operator can make one, and nothing holds it.

import type { LiveCommit } from '../../repository/protocol/live-commits.js'
import type { Services } from '../context/services.js'

/** Records the commits since the last ones that were followed, unless the service made them or took them over HTTP. */
export async function recordPushByPath(
  { catalog, indexFollower }: Pick<Services, 'catalog' | 'indexFollower'>,
  { site: { slug }, commit, since }: LiveCommit,
): Promise<void> {
  const site = since === undefined ? undefined : catalog.sites.findBySlug(slug)
  if (site === undefined || since === undefined || site.protection === 'none') return
  const pushed = catalog.pushes.list(site.id)
  const count = await indexFollower.read(site, ({ commits }) => commits.countForeign(since, pushed))
  if (count === 0) return
  await catalog.audit.record({
    workspaceId: site.workspaceId,
    actor: { kind: 'operator', id: 'operator' },
    action: 'protection.push_by_path',
    target: `site ${site.id}`,
    details: { before: since, commit, commits: count },
  })
}
