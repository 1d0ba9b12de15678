// Checks the sidecars, collections, records and former addresses in a site's tree. Finds files that are skipped because they do not parse, do not fit their
// schema, or belong to no collection.

import { joinTreePath } from '../../git/objects/tree-entry-name.js'
import type { TreeEntry } from '../../git/objects/tree.js'
import { ServiceError } from '../../model/errors.js'
import { LONG_DIR, treePathOf } from '../../model/paths/page-path.js'
import { isFile } from '../../repository/format/file-mode.js'
import { parseFormer } from '../../repository/format/former-address.js'
import { formerLead } from '../../repository/resolution/former-lead.js'
import {
  COLLECTION_DIR,
  FORMER_DIR,
  type MetadataPath,
  parseCollection,
  parseJsonObject,
  parseMetadataPath,
  parseSidecar,
  SIDECAR_DIR,
  SITE_FILE,
  parseSiteFile,
  collectionPathOf,
} from '../../repository/format/site-format.js'
import type { Snapshot } from '../../repository/reading/snapshot.js'
import type { Finding } from '../../tasks/analysis/finding.js'
import { checkSchema, recordFaults } from '../records/record-checks.js'
import type { Tasks } from '../../tasks/tasks.js'

/** Files that are longer than this are not read. */
const MAX_FILE_BYTES = 1024 * 1024
/** Folders that hold nothing but metadata, or pages besides. */
const CHECKED = [SIDECAR_DIR, COLLECTION_DIR, FORMER_DIR]

interface Definition {
  oid: string
  name: string
  schema: object | null
}

/** Checks one tree, entry by entry, and remembers what entries of later folders refer to. */
export class MetadataCheck {
  readonly #snapshot: Snapshot
  readonly #tasks: Tasks
  readonly #workspaceId: string
  readonly #longPages = new Set<string>()
  /** The first collection of each name. */
  readonly #named = new Map<string, string>()
  readonly #definitions = new Map<string, Definition | undefined>()

  constructor(snapshot: Snapshot, tasks: Tasks, workspaceId: string) {
    this.#snapshot = snapshot
    this.#tasks = tasks
    this.#workspaceId = workspaceId
  }

  *checkSiteFile(): Generator<Finding> {
    const entry = this.#snapshot.entry(SITE_FILE)
    if (entry !== undefined && isFile(entry.mode)) yield* this.#checkSiteFile(entry.oid)
  }

  /** Yields undefined for an entry without a finding, so that a long check can pause. */
  async *checkEntry(folder: string, { mode, name, oid }: TreeEntry): AsyncGenerator<Finding | undefined> {
    yield undefined
    const path = joinTreePath(folder, name)
    if (!isFile(mode)) return
    if (folder === LONG_DIR) this.#longPages.add(path)
    if (CHECKED.some((top) => path.startsWith(`${top}/`))) yield* this.#checkFile(path, oid)
  }

  /** Yields the findings that need every folder to have been checked. */
  *finish(): Generator<Finding> {
    for (const path of this.#longPages) {
      const message = 'No sidecar names the path of this page: push its .pages file again, or remove it.'
      yield { code: 'orphan_long_page', path, message }
    }
    if (this.#snapshot.entry(SITE_FILE) === undefined) {
      const message = "The file that holds the site's id is gone: bring it back with git revert."
      yield { code: 'site_file', path: SITE_FILE, message }
    }
  }

  *#checkSiteFile(oid: string): Generator<Finding> {
    const bytes = this.#read(oid)
    if (bytes !== undefined && parseSiteFile(bytes)?.id === this.#snapshot.siteId) return
    const message = `It must hold the site's id, ${this.#snapshot.siteId}: restore it with git revert.`
    yield { code: 'site_file', path: SITE_FILE, message }
  }

  async *#checkFile(path: string, oid: string): AsyncGenerator<Finding> {
    const file = parseMetadataPath(path)
    if (file === undefined) {
      // The collections' folder may hold pages.
      if (path.endsWith('.html')) return
      yield {
        code: 'stray_file',
        path,
        message: 'The file has not the name that its folder needs: it is neither read nor served. Rename or remove it.',
      }
    } else if (file.kind === 'former') yield* this.#checkFormer(path, oid)
    else if (file.kind === 'sidecar') yield* this.#checkSidecar(path, oid)
    else if (file.kind === 'collection') yield* this.#checkCollection(path, file.collectionId)
    else yield* this.#checkRecord(path, oid, file)
  }

  *#checkFormer(path: string, oid: string): Generator<Finding> {
    const bytes = this.#read(oid)
    const former = bytes && parseFormer(path, bytes)
    if (former === undefined) {
      const message =
        'This file is skipped: it must be a JSON object with "from" and one of "page", "to" and "gone", and be named after the place in "from".'
      yield { code: 'invalid_former_address', path, message }
    } else if ('to' in former && formerLead(this.#snapshot, former.from) === undefined) {
      const message = `The redirect from ${former.from} leads back to itself, so visitors get 404 there: change or remove this file.`
      yield { code: 'invalid_former_address', path, message }
    }
  }

  *#checkSidecar(path: string, oid: string): Generator<Finding> {
    const bytes = this.#read(oid)
    const sidecar = bytes && parseSidecar(bytes)
    if (sidecar !== undefined) {
      this.#longPages.delete(treePathOf(sidecar.path))
      return
    }
    const message =
      'This sidecar is skipped: it must be a JSON object with a canonical "path", and "title" and "template" as text or null.'
    yield { code: 'invalid_sidecar', path, message }
  }

  async *#checkCollection(path: string, id: string): AsyncGenerator<Finding> {
    const definition = this.#definition(id)
    if (definition === undefined) {
      const message =
        'This collection is skipped, with its records: it must be a JSON object with its "id", a "name" of 1 to 255 characters and a "schema".'
      yield { code: 'invalid_collection', path, message }
      return
    }
    const twin = this.#named.get(definition.name)
    if (twin === undefined) this.#named.set(definition.name, id)
    else {
      const message = `Collection ${twin} is named "${definition.name}" too, so tools need their ids: rename or remove one of the two.`
      yield { code: 'duplicate_collection', path, message }
    }
    if (definition.schema !== null) {
      const reason = await reasonOf(() => checkSchema(this.#tasks, this.#workspaceId, definition.schema))
      if (reason !== undefined) yield { code: 'invalid_collection', path, message: reason }
    }
  }

  async *#checkRecord(
    path: string,
    oid: string,
    { collectionId }: Extract<MetadataPath, { kind: 'record' }>,
  ): AsyncGenerator<Finding> {
    const bytes = this.#read(oid)
    const data = bytes && parseJsonObject(bytes)
    if (data === undefined) {
      yield {
        code: 'invalid_record',
        path,
        message: 'This record is skipped: it must be one JSON object of at most 1 MiB.',
      }
      return
    }
    const definition = this.#definition(collectionId)
    if (definition === undefined) {
      const message = `Collection ${collectionPathOf(collectionId)} does not exist, so this record appears in no list. Add the collection or delete the record.`
      yield { code: 'orphan_record', path, message }
    } else if (definition.schema !== null) {
      const { oid: definitionOid, schema } = definition
      const [error] = await this.#validate(definitionOid, schema, JSON.stringify(data))
      if (error !== undefined) {
        const message = `This record does not fit its collection's schema: ${error.field || 'the record'} ${error.message}.`
        yield { code: 'invalid_record', path, message }
      }
    }
  }

  /** Returns no faults for an unusable schema: that is reported once, for its collection. */
  async #validate(definitionOid: string, schema: object, json: string) {
    try {
      return await recordFaults(this.#tasks, this.#workspaceId, { definition: definitionOid, schema, json })
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'invalid_schema') return []
      throw error
    }
  }

  #definition(id: string): Definition | undefined {
    if (!this.#definitions.has(id)) this.#definitions.set(id, this.#readDefinition(id))
    return this.#definitions.get(id)
  }

  #readDefinition(id: string): Definition | undefined {
    const entry = this.#snapshot.entry(collectionPathOf(id))
    const bytes = entry !== undefined && isFile(entry.mode) ? this.#read(entry.oid) : undefined
    const collection = bytes && parseCollection(id, bytes)
    return entry && collection && { oid: entry.oid, ...collection }
  }

  #read(oid: string): Buffer | undefined {
    return this.#snapshot.size(oid) <= MAX_FILE_BYTES ? this.#snapshot.blob(oid) : undefined
  }
}

async function reasonOf(check: () => Promise<void>): Promise<string | undefined> {
  try {
    await check()
    return undefined
  } catch (error) {
    if (error instanceof ServiceError) return error.message
    throw error
  }
}
