// The questions of the store about the quotas of workspaces.

import type { Room } from '../../admission/quotas.js'
import type { SiteRef, Write, Written } from './write.js'

export interface RoomKeeper {
  /** Returns the room that the write must keep to; undefined if the site's workspace has no quota. */
  roomFor(site: SiteRef, write: Write): Promise<Room | undefined>
  /** Counts a write that is durable. */
  noteWritten(site: SiteRef, write: Write, written: Written): void
}
