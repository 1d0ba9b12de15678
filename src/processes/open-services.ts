// Makes the services of the use cases on an open data directory.

import { LRUCache } from 'lru-cache'
import { Introspection } from '../catalog/identity/introspection.js'
import { Provider } from '../catalog/identity/provider.js'
import { PrivateRemotes } from '../git/remotes/remote-address.js'
import type { MakeId } from '../model/clock.js'
import { PREVIEW_SECONDS } from '../model/limits.js'
import { prefixOfMachine } from '../model/machine-prefix.js'
import { signWithOwnKey } from '../repository/disk/signing-key.js'
import { MirrorSync } from '../repository/mirrors/mirror-sync.js'
import { writePushLimits } from '../repository/hooks/push-limits.js'
import { PushLine } from '../repository/pushing/push-line.js'
import { Previews } from '../repository/reading/previews.js'
import { DeployFolders } from '../repository/uploads/deploy-folders.js'
import { Uploads } from '../repository/uploads/uploads.js'
import { IdempotencyGuard, sortedJson } from '../usecases/context/idempotency.js'
import type { Services } from '../usecases/context/services.js'
import { Imports } from '../usecases/provisioning/imports.js'
import { Provisioner } from '../usecases/provisioning/provisioner.js'
import { Timetable } from '../usecases/requests/schedule/timetable.js'
import { recordPushByPath } from '../usecases/pushes/record-push-by-path.js'
import { refuseImportBeyond } from '../usecases/quotas/refuse-beyond.js'
import type { Address } from './config/address.js'
import type { Config } from './config/config.js'
import { type DataParts, type OpenData, openData } from './open-data.js'
import { openSecretBox } from './secrets-key.js'

/** Cache limit for pages in other forms than HTML. */
const KEPT_FORMS_CHARACTERS = 16 * 1024 * 1024

export interface ServiceParts extends Omit<DataParts, 'admission'> {
  newId: MakeId
}

export interface OpenServices
  extends Pick<OpenData, 'machine' | 'indexes' | 'troubles' | 'hostedReader' | 'catchUpLater' | 'close'> {
  services: Services
  timetable: Timetable
}

/** Throws DataDirInUse if another process serves the folder, and CatalogUnusable if the catalog is lost or damaged. */
export async function openServices(
  config: Config,
  address: Address,
  parts: ServiceParts & Pick<DataParts, 'admission'>,
): Promise<OpenServices> {
  const { newId, admission } = parts
  const { limits, dataDir } = config
  const secrets = openSecretBox(config)
  const data = await openData(config, parts)
  const { machine, store, tasks, longTasks, indexFollower, usage } = data
  const { catalog, clock, leases, replica } = machine
  catalog.audit.retain({ days: limits.auditDays, sign: (text) => signWithOwnKey(dataDir, text) })
  writePushLimits(dataDir, limits, machine.database && `${address.baseUrl}/git`)
  const machinePrefix = config.nodeNumber === undefined ? '' : prefixOfMachine(config.nodeNumber)
  const uploads = new Uploads(dataDir, limits)
  const provisioner = new Provisioner({ catalog, store, clock, newId, limits })
  const { imports, mirrors, privateRemotes } = openRemoteWork(config, { ...parts, data, provisioner, uploads, secrets })
  admission.show('index', () => indexFollower.figures)
  store.live.onLive((live) => usage.onLive(live))
  store.live.onLive((live) => indexFollower.onLive(live))
  store.live.onLive(({ site }) => mirrors.look(site.id))
  store.live.onLive((live) => recordPushByPath({ catalog, indexFollower }, live))
  const services: Services = {
    admission,
    replica,
    imports,
    mirrors,
    privateRemotes,
    store,
    indexFollower,
    usage,
    catalog,
    tasks,
    longTasks,
    deploys: new DeployFolders(dataDir, clock, admission.gate('deploys'), machinePrefix),
    previews: new Previews(
      { previewSeconds: PREVIEW_SECONDS, previewBytes: admission.memory.of('previews').bytes },
      clock,
      machinePrefix,
    ),
    pushLine: new PushLine(store.refMover),
    uploads,
    forms: new LRUCache({ maxSize: KEPT_FORMS_CHARACTERS, sizeCalculation: ({ length }) => length + 100 }),
    idempotency: new IdempotencyGuard({
      catalog,
      clock,
      leases,
      sortJson: (workspaceId, value) => sortedJson(tasks, workspaceId, value),
    }),
    provisioner,
    introspection: openIntrospection(config, address, parts, data),
    providers: config.signInProviders.map(
      (settings) => new Provider(settings, address.baseUrl, admission.gate('sign-ins')),
    ),
    clock,
    newId,
    limits,
    allowedOrigins: config.allowedOrigins,
    ...address,
  }
  const timetable = new Timetable(services, {
    onTrouble: (error, request) =>
      parts.logger.warn(
        { err: error, ...(request && { request: request.id, siteId: request.siteId }) },
        'what is due cannot be published now; trying again',
      ),
    onFailure: (error, request) =>
      parts.logger.error({ err: error, request: request.id }, 'publishing a change request at its time failed'),
  })
  return {
    ...data,
    services,
    timetable,
    async close() {
      await machine.endCare()
      await timetable.close()
      await imports.close()
      await uploads.close()
      await mirrors.close()
      await data.close()
    },
  }
}

/** Returns undefined unless an identity provider's tokens are accepted. */
function openIntrospection(
  { introspection }: Config,
  { baseUrl }: Address,
  { admission, logger }: Pick<DataParts, 'admission' | 'logger'>,
  { machine: { catalog, clock } }: OpenData,
): Introspection | undefined {
  if (introspection === undefined) return undefined
  return new Introspection({
    gate: admission.gate('introspection'),
    settings: { ...introspection, audience: introspection.audience ?? baseUrl },
    catalog,
    clock,
    onRefused: (reason) => logger.info({ reason }, 'a token of the identity provider is refused'),
  })
}

interface RemoteWorkParts extends ServiceParts, Pick<DataParts, 'admission'> {
  data: OpenData
  provisioner: Provisioner
  uploads: Uploads
  secrets: ReturnType<typeof openSecretBox>
}

/** Makes the parts that work with repositories elsewhere: imports and mirrors. Both tell the log how it goes. */
function openRemoteWork(
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
    admission,
    onEvent: (what, { id, workspaceId, slug }, { url }, error) =>
      log(what, { workspace: workspaceId, siteId: id, site: slug, url }, error),
    onError: (error) => logger.error({ err: error }, 'mirror: the mirrors cannot be looked at'),
  })
  return { imports, mirrors, privateRemotes }
}
