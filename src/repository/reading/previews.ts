// Keeps previews of drafts in memory only, so that nothing of them enters a repository, and within a bound of bytes. Past the bound,
// the workspace with the most bytes loses its least recently shown preview, so that no workspace displaces another's.

import { existsSync } from 'node:fs'
import type { Oid } from '../../git/objects/oid.js'
import { toSeconds, toTimestamp, type Clock } from '../../model/clock.js'
import { makePreviewLabel, withoutPreview } from '../../model/hosts/preview-label.js'
import { isOfOtherMachine } from '../../model/machine-prefix.js'
import type { SiteDraft } from './site-draft.js'
import { shareObjects } from './shared-objects.js'
import type { SiteRef } from '../protocol/write.js'

/** The size of a preview in addition to the objects of its draft. */
const ENTRY_BYTES = 16 * 1024

export interface PreviewLimits {
  /** The lifetime of a preview. */
  previewSeconds: number
  /** The limit for all previews together. */
  previewBytes: number
}

/** A site as a draft would leave it. */
export interface Preview {
  site: SiteRef
  /** The head on which the draft was built. */
  base: Oid
  commit: Oid
  /** The objects that no repository holds, in memory that threads share (`openShared`). */
  objects: SharedArrayBuffer
  /** Packs outside of the repository with a part of it, by their paths without endings. */
  packs: readonly string[]
  /** The review link that it was made for: it ends with that too. */
  link?: string
  /** Seconds since the epoch. */
  expiresAt: number
}

export interface PreviewedSite extends SiteRef {
  workspaceId: string
}

interface LinkedCommit {
  /** The id of the link. */
  link: string
  /** The newest commit of main that the request contains. */
  base: Oid
  commit: Oid
}

interface Kept extends Preview {
  workspaceId: string
  bytes: number
}

export class Previews {
  readonly #limits: PreviewLimits
  readonly #clock: Clock
  readonly #machinePrefix: string
  /** Previews by label, the most recently shown last. */
  readonly #kept = new Map<string, Kept>()

  /** `machinePrefix`: the beginning of its labels, where machines share the data. */
  constructor(limits: PreviewLimits, clock: Clock, machinePrefix = '') {
    this.#limits = limits
    this.#clock = clock
    this.#machinePrefix = machinePrefix
  }

  /** Keeps a preview and returns its host label; undefined if the draft is larger than the bound. */
  keep(site: PreviewedSite, draft: SiteDraft): { label: string; expiresAt: string } | undefined {
    const bytes = draft.bytes + ENTRY_BYTES
    if (bytes > this.#limits.previewBytes) return undefined
    const kept = {
      site,
      base: draft.base.commit,
      commit: draft.snapshot.commit,
      objects: shareObjects(draft.objects),
      packs: draft.packs,
    }
    return this.#add({ ...kept, workspaceId: site.workspaceId, bytes })
  }

  /**
   * Keeps a preview of a commit of a change request, for a review link. A link has one preview of each commit until half of its time is over,
   * so that whoever has the link fills no memory.
   */
  keepForLink(site: PreviewedSite, { link, base, commit }: LinkedCommit): { label: string } | undefined {
    const late = this.#now() + this.#limits.previewSeconds / 2
    for (const [label, kept] of this.#kept)
      if (kept.link === link && kept.commit === commit && kept.expiresAt >= late) return { label }
    const held = { site, base, commit, objects: shareObjects([]), packs: [], link }
    return this.#add({ ...held, workspaceId: site.workspaceId, bytes: ENTRY_BYTES })
  }

  #add(kept: Omit<Kept, 'expiresAt'>): { label: string; expiresAt: string } | undefined {
    const label = makePreviewLabel(this.#machinePrefix)
    const expiresAt = this.#now() + this.#limits.previewSeconds
    this.#kept.set(label, { ...kept, expiresAt })
    this.#makeRoom()
    return this.#kept.has(label) ? { label, expiresAt: toTimestamp(expiresAt) } : undefined
  }

  /** Whether another machine made the label: only that one has the preview. */
  isElsewhere(label: string): boolean {
    return isOfOtherMachine(withoutPreview(label), this.#machinePrefix)
  }

  /** Returns undefined once the preview has expired, or once its deploy is published or removed: its packs are then gone. */
  find(label: string): Preview | undefined {
    const preview = this.#kept.get(label)
    if (preview === undefined || preview.expiresAt <= this.#now()) return undefined
    if (!preview.packs.every((path) => existsSync(`${path}.pack`))) return undefined
    this.#kept.delete(label)
    this.#kept.set(label, preview)
    return preview
  }

  /** Drops expired previews; then, while there are too many bytes, the least recently shown of the workspace with the most. */
  #makeRoom(): void {
    for (const [label, { expiresAt }] of this.#kept) if (expiresAt <= this.#now()) this.#kept.delete(label)
    const held = new Map<string, number>()
    let total = 0
    for (const { workspaceId, bytes } of this.#kept.values()) {
      held.set(workspaceId, (held.get(workspaceId) ?? 0) + bytes)
      total += bytes
    }
    while (total > this.#limits.previewBytes) {
      const [greediest, most] = [...held].reduce((one, other) => (other[1] > one[1] ? other : one))
      const [label, { bytes }] = [...this.#kept].find(([, { workspaceId }]) => workspaceId === greediest)!
      this.#kept.delete(label)
      held.set(greediest, most - bytes)
      total -= bytes
    }
  }

  #now(): number {
    return toSeconds(this.#clock())
  }
}
