// The packs of an entry, in the form that the log stores.

export interface LoggedPack {
  /** The pack's checksum, hex. */
  id: string
  bytes: number
  indexBytes: number
}

export interface PackedBatch {
  batch: string
  packs: readonly LoggedPack[]
}
