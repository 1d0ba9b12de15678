// A replica: this machine's copy of the sites and the catalog, which other machines may have too. A machine on its own has the only one.

import type { SiteRef } from './write.js'

export interface Replica {
  /** Resolves once it has everything that any machine answered before the call. Throws `storage_failed` if it cannot tell. */
  untilCurrent(): Promise<void>
  /** Resolves once its catalog has what any machine wrote before the call. */
  followCatalog(): Promise<void>
  /** Undoes changes that someone made by path in this machine's copy of the site, where other machines have one too. */
  putRight(site: SiteRef): Promise<void>
  /** The reason why nothing can be stored on this machine; undefined if it can, or if no other machine could take its requests. */
  diskFault(): string | undefined
  /** Reports the state of all machines for health, with slugs and addresses if `isTold`; undefined for a machine on its own. */
  report(isTold: boolean): object | undefined
}

/** The replica of a machine on its own, which is always current. */
export const ONLY_REPLICA: Replica = {
  untilCurrent: async () => undefined,
  followCatalog: async () => undefined,
  putRight: async () => undefined,
  diskFault: () => undefined,
  report: () => undefined,
}
