// The packs of an entry, as the log names them.

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
