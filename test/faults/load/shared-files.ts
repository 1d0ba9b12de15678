// The files that several processes share in a fault program, and what such a process answers.

/** `service` keeps the catalog open, `commands` opens it for each write. */
export type SharerRole = 'service' | 'commands' | 'indexer' | 'catalog-checkpoints' | 'index-checkpoints'

export interface Shared {
  acknowledged: number
  faults: string[]
}

/** The site whose text file is shared. */
export const SHARED_SITE = '01990000-0000-7000-8000-000000000001'
