// The parts of the service that use cases work with, made once at its start.

import type { LRUCache } from 'lru-cache'
import type { Catalog } from '../../catalog/catalog.js'
import type { Clock, MakeId } from '../../model/clock.js'
import type { Limits } from '../../model/limits.js'
import type { MirrorSync } from '../../mirrors/mirror-sync.js'
import type { SiteRef } from '../../store/protocol/write.js'
import type { Store } from '../../store/store.js'
import type { WorkspaceUsage } from '../quotas/workspace-usage.js'
import type { Imports } from '../provisioning/imports.js'
import type { ImportsOfNodes } from '../provisioning/imports-of-nodes.js'
import type { Provisioner } from '../provisioning/provisioner.js'
import type { IdempotencyGuard, KeysOfNodes } from './idempotency.js'
import type { SiteIndexFollower } from '../../indexing/site-index-follower.js'
import type { Introspection } from '../../oauth/introspection.js'
import type { PushLine } from '../../store/pushing/push-line.js'
import type { DeployFolders } from '../../store/uploads/deploy-folders.js'
import type { Uploads } from '../../store/uploads/uploads.js'
import type { Previews } from '../../store/reading/previews.js'
import type { Tasks } from '../../tasks/tasks.js'

export interface DatabaseState {
  /** The server's address. */
  server: string
  /** The loss that an acknowledged write survives: a crash of the one server, or its complete loss. */
  promise: 'one server' | 'synchronous standby'
  /** Grows by one with each promotion. */
  timeline: number
}

export interface NodeState {
  /** The number that its operator gave it; null without one. */
  number: number | null
  /** The version of its program. */
  version: string | null
}

/** The state of a node that it knows without asking others. */
export interface NodeReport {
  /** State as of this node's last write to the database. */
  database: DatabaseState
  /** The reason why this node takes no writes, in a sentence fit for everyone; undefined if it takes them. */
  writeFault: string | undefined
  /** This node first, then the other live nodes. */
  nodes: readonly NodeState[]
  /** The node has not heard of changes since then. */
  completeAsOf: Date
  /** The reason why the database last failed to answer. */
  lastError: { message: string; at: Date } | undefined
  /** The reason why nothing can be stored on this machine; undefined if it can. */
  diskFault: string | undefined
}

/** The functions that several machines on one database add to a service. */
export interface ServiceNode {
  /**
   * Resolves once this machine has everything that any node answered before the call. Throws `storage_failed` if the database does not
   * answer.
   */
  untilCurrent(): Promise<void>
  describe(): NodeReport
  /** Undoes changes that someone made by path in the site's repository on this machine. */
  putRight(site: SiteRef): Promise<void>
  imports: ImportsOfNodes
  idempotencyKeys: KeysOfNodes
  /** A mark that changes with the contents of this node's catalog. */
  catalogMark(): string | undefined
}

export interface Services {
  /** Undefined if this machine has all data. */
  node?: ServiceNode | undefined
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
  /** Present if an identity provider's tokens are accepted. */
  introspection?: Introspection | undefined
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
