// The parts of the service that use cases work with, made once at its start.

import type { LRUCache } from 'lru-cache'
import type { Catalog } from '../../catalog/catalog.js'
import type { Clock, MakeId } from '../../model/clock.js'
import type { Limits } from '../../model/limits.js'
import type { MirrorSync } from '../../mirrors/mirror-sync.js'
import type { SiteRef } from '../../store/protocol/write.js'
import type { Store } from '../../store/store.js'
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
  /** Its address. */
  server: string
  /** What an acknowledged write survives: a crash of the one server, or the loss of it. */
  promise: 'one server' | 'synchronous standby'
  /** It grows by one with each promotion. */
  timeline: number
}

export interface NodeState {
  /** As its operator numbered it; null where they did not. */
  number: number | null
  /** Of its program. */
  version: string | null
}

/** What a node knows of itself without asking anybody. */
export interface NodeReport {
  /** As of the last write of this node there. */
  database: DatabaseState
  /** Why this node takes no writes, in a sentence that anybody may see; undefined where it does. */
  writeFault: string | undefined
  /** This node first, then the others that live. */
  nodes: readonly NodeState[]
  /** Since then this node has not heard what changed. */
  completeAsOf: Date
  /** Why the database did not answer when it last did not. */
  lastError: { message: string; at: Date } | undefined
  /** Why nothing can be stored on this machine; undefined where it can. */
  diskFault: string | undefined
}

/** What several machines on one database add to a service. */
export interface ServiceNode {
  /**
   * Resolves once this machine has everything that any node answered before the call. Throws `storage_failed` where the database
   * does not answer.
   */
  untilCurrent(): Promise<void>
  describe(): NodeReport
  /** Undoes what somebody moved in the site's repository on this machine by path. */
  putRight(site: SiteRef): Promise<void>
  imports: ImportsOfNodes
  idempotencyKeys: KeysOfNodes
  /** Changes with what the catalog here has. */
  catalogMark(): string | undefined
}

export interface Services {
  /** Undefined where this machine has all data. */
  node?: ServiceNode | undefined
  store: Store
  catalog: Catalog
  indexFollower: SiteIndexFollower
  tasks: Tasks
  /** The same for work that may take a minute. */
  longTasks: Tasks
  deploys: DeployFolders
  previews: Previews
  pushLine: PushLine
  uploads: Uploads
  /** Pages as text, Markdown and outlines, by the blob's oid and the form. */
  forms: LRUCache<string, string>
  idempotency: IdempotencyGuard
  provisioner: Provisioner
  imports: Imports
  mirrors: MirrorSync
  /** Present where an identity provider's tokens are accepted. */
  introspection?: Introspection | undefined
  clock: Clock
  newId: MakeId
  /** The URL of the base host, without a slash at the end: `http://localhost:8080`. */
  baseUrl: string
  /** The parent domain of the sites, with its port: `localhost:8080`. */
  siteDomain: string
  /** Origins of the web pages that may use every key that names no origins of its own. */
  allowedOrigins: readonly string[]
  limits: Limits
}
