// The parts of the service that use cases work with, made once at its start.

import type { LRUCache } from 'lru-cache'
import type { Admission } from '../../admission/admission.js'
import type { Catalog } from '../../catalog/catalog.js'
import type { PrivateRemotes } from '../../git/remotes/remote-address.js'
import type { Clock, MakeId } from '../../model/clock.js'
import type { Limits } from '../../model/limits.js'
import type { MirrorSync } from '../../repository/mirrors/mirror-sync.js'
import type { Replica } from '../../repository/protocol/replica.js'
import type { Store } from '../../repository/store.js'
import type { WorkspaceUsage } from '../quotas/workspace-usage.js'
import type { Imports } from '../provisioning/imports.js'
import type { Provisioner } from '../provisioning/provisioner.js'
import type { IdempotencyGuard } from './idempotency.js'
import type { SiteIndexFollower } from '../../indexing/site-index-follower.js'
import type { Introspection } from '../../catalog/identity/introspection.js'
import type { Provider } from '../../catalog/identity/provider.js'
import type { PushLine } from '../../repository/pushing/push-line.js'
import type { DeployFolders } from '../../repository/uploads/deploy-folders.js'
import type { Uploads } from '../../repository/uploads/uploads.js'
import type { Previews } from '../../repository/reading/previews.js'
import type { Tasks } from '../../tasks/tasks.js'

export interface Services {
  admission: Admission
  replica: Replica
  store: Store
  catalog: Catalog
  indexFollower: SiteIndexFollower
  tasks: Tasks
  /** Tasks that may take a minute. */
  longTasks: Tasks
  deploys: DeployFolders
  previews: Previews
  pushLine: PushLine
  uploads: Uploads
  /** Pages as text, Markdown and outlines, by the blob's oid and the form. */
  forms: LRUCache<string, string>
  idempotency: IdempotencyGuard
  provisioner: Provisioner
  usage: WorkspaceUsage
  imports: Imports
  mirrors: MirrorSync
  /** Private addresses from which files may be fetched. */
  privateRemotes: PrivateRemotes
  /** Present if an identity provider's tokens are accepted. */
  introspection?: Introspection | undefined
  /** The identity providers at which people sign in. */
  providers: readonly Provider[]
  clock: Clock
  newId: MakeId
  /** The URL of the base host, without a slash at the end: `http://localhost:8080`. */
  baseUrl: string
  /** The parent domain of the sites, with its port: `localhost:8080`. */
  siteDomain: string
  /** Origins of the web pages that may use any key without origins of its own. */
  allowedOrigins: readonly string[]
  limits: Limits
}
