// What every use case works with: the parts of the service, made once at its start and handed to each call.

import type { Catalog } from '../../catalog/catalog.js'
import type { SiteIndex } from '../../catalog/index/site-index.js'
import type { Clock, MakeId } from '../../model/clock.js'
import type { Limits } from '../../model/limits.js'
import type { Store } from '../../store/store.js'
import type { Provisioner } from '../provisioning/provisioner.js'
import type { IdempotencyGuard } from './idempotency.js'
import type { SiteIndexFollower } from '../../indexing/site-index-follower.js'
import type { Introspection } from '../../oauth/introspection.js'
import type { Previews } from '../../store/reading/previews.js'
import type { RecordValidator } from '../../record-schemas/record-validator.js'

export interface Services {
  store: Store
  index: SiteIndex
  catalog: Catalog
  indexFollower: SiteIndexFollower
  validator: RecordValidator
  previews: Previews
  idempotency: IdempotencyGuard
  provisioner: Provisioner
  /** Where tokens of an identity provider are taken. */
  introspection?: Introspection | undefined
  clock: Clock
  newId: MakeId
  /** Where the API is, without a slash at the end: `http://localhost:8080`. */
  baseUrl: string
  /** Host and port below which the sites are: `localhost:8080`. */
  siteDomain: string
  limits: Limits
}
