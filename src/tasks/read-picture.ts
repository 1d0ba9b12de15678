// The task that makes smaller forms of pictures for hosted sites.

import type { Fitted, PictureForm } from '../model/paths/picture-form.js'
import type { SiteRef } from '../repository/protocol/write.js'
import type { Tasks } from './tasks.js'

/** Returns a picture in a smaller form, for the host of its site: each site has its turn. */
export async function readPicture(
  tasks: Tasks,
  repositories: { gitdir(site: SiteRef): string },
  { site, commit }: { site: SiteRef; commit: string },
  blob: string,
  form: PictureForm,
): Promise<Fitted> {
  const source = { siteId: site.id, gitdir: repositories.gitdir(site), commit }
  return await tasks.run('fitPicture', { source, blob, form }, { workspaceId: site.id })
}
