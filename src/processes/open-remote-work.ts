// Makes the parts that work with repositories elsewhere: imports from them and mirrors to them. Both tell the log how it goes.

import { PrivateRemotes } from '../git/remotes/remote-address.js'
import type { MakeId } from '../model/clock.js'
import { MirrorSync } from '../repository/mirrors/mirror-sync.js'
import type { Uploads } from '../repository/uploads/uploads.js'
import { Imports } from '../usecases/provisioning/imports.js'
import type { Provisioner } from '../usecases/provisioning/provisioner.js'
import { refuseImportBeyond } from '../usecases/quotas/refuse-beyond.js'
import type { Config } from './config/config.js'
import type { DataParts, OpenData } from './open-data.js'
import type { openSecretBox } from './secrets-key.js'

export interface RemoteWorkParts extends Pick<DataParts, 'logger' | 'admission'> {
  data: OpenData
  newId: MakeId
  provisioner: Provisioner
  uploads: Uploads
  secrets: ReturnType<typeof openSecretBox>
}

export function openRemoteWork(
  config: Config,
  { data, newId, provisioner, uploads, secrets, logger, admission }: RemoteWorkParts,
): { imports: Imports; mirrors: MirrorSync; privateRemotes: PrivateRemotes } {
  const { store, usage, longTasks } = data
  const { catalog, clock, leases, replica } = data.machine
  const privateRemotes = new PrivateRemotes(config.privateRemotes)
  const log = (what: string, fields: object, error: unknown) =>
    logger.info({ ...fields, ...(error !== undefined && { err: error }) }, what)
  const imports = new Imports({
    catalog,
    store,
    clock,
    newId,
    limits: config.limits,
    gate: admission.gate('imports'),
    provisioner,
    leases,
    replica,
    privateRemotes,
    checkSpace: (bytes) => uploads.checkSpace(bytes),
    refuseBeyond: (workspaceId, gitdir) => refuseImportBeyond({ usage, longTasks }, workspaceId, gitdir),
    onEvent: (what, { id, workspaceId, slug, url }, error) =>
      log(what, { import: id, workspace: workspaceId, site: slug, url }, error),
  })
  const mirrors = new MirrorSync({
    catalog,
    store,
    clock,
    privateRemotes,
    secrets,
    onEvent: (what, { id, workspaceId, slug }, { url }, error) =>
      log(what, { workspace: workspaceId, siteId: id, site: slug, url }, error),
    onError: (error) => logger.error({ err: error }, 'mirror: the mirrors cannot be looked at'),
  })
  return { imports, mirrors, privateRemotes }
}
