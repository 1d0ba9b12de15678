// Creates, replaces and deletes collections and their records. Each is one JSON file.

import { MODE_TREE, parseTree } from '../../git/objects/tree.js'
import { ServiceError } from '../../model/errors.js'
import { isFile } from '../format/file-mode.js'
import {
  collectionPathOf,
  encodeCollection,
  COLLECTION_DIR,
  MAX_COLLECTION_BYTES,
  parseCollection,
  parseMetadataPath,
  recordPathOf,
} from '../format/site-format.js'
import type { SiteState } from '../staging/site-state.js'
import type { KnownFile, Operation } from '../protocol/write.js'
import { checkIfMatch, type Outcome, unchanged } from './outcome.js'
import { fileAt } from './page-place.js'

type Kind<K extends Operation['kind']> = Extract<Operation, { kind: K }>

export function putCollection(state: SiteState, operation: Kind<'put-collection'>): Outcome {
  const { collectionId: id, name, schema, create } = operation
  const path = collectionPathOf(id)
  const entry = fileAt(state, path)
  if (!create && entry === undefined) throw collectionNotFound()
  checkFileMatch(state, path, operation)
  const bytes = encodeCollection(id, name, schema)
  if (entry !== undefined && state.tree.hasBytes(entry.oid, bytes)) return unchanged(id)
  if (entry === undefined || nameIn(state, id, entry.oid) !== name) refuseTaken(state, name)
  state.tree.put(path, bytes)
  return { id, created: create, subject: `${create ? 'Create' : 'Replace'} collection ${name}` }
}

/** Deletes the definition and all records in one commit. */
export function deleteCollection(state: SiteState, operation: Kind<'delete-collection'>): Outcome {
  const { collectionId: id } = operation
  const name = collectionName(state, id)
  checkFileMatch(state, collectionPathOf(id), operation)
  state.tree.remove(collectionPathOf(id))
  removeRecords(state, `${COLLECTION_DIR}/${id}`)
  return { id, created: false, subject: `Delete collection ${name}` }
}

/** Removes the folder as one entry, for any number of records. If it also has pages, removes the records one by one. */
function removeRecords(state: SiteState, folder: string): void {
  const entry = state.tree.entry(folder)
  if (entry?.mode !== MODE_TREE) return
  const { entries, skipped } = parseTree(state.tree.readTree(entry.oid))
  const paths = entries.map(({ name }) => `${folder}/${name}`)
  const records = paths.filter((path) => parseMetadataPath(path)?.kind === 'record')
  if (records.length === paths.length && skipped.length === 0) return state.tree.removeFolder(folder)
  for (const path of records) state.tree.remove(path)
}

export function putRecord(state: SiteState, operation: Kind<'put-record'>): Outcome {
  const { collectionId, recordId: id, create } = operation
  const name = collectionName(state, collectionId)
  if (fileAt(state, collectionPathOf(collectionId))?.oid !== operation.definition) {
    throw new ServiceError('conflict', "The collection's schema changed while the record was checked. Try again.", {
      retry: true,
    })
  }
  const path = recordPathOf(collectionId, id)
  const entry = fileAt(state, path)
  if (!create && entry === undefined) throw recordNotFound()
  checkFileMatch(state, path, operation)
  const bytes = Buffer.from(`${operation.json}\n`)
  if (entry !== undefined && state.tree.hasBytes(entry.oid, bytes)) return unchanged(id)
  state.tree.put(path, bytes)
  return { id, created: create, subject: `${create ? 'Create' : 'Replace'} record ${id} in ${name}` }
}

export function deleteRecord(state: SiteState, operation: Kind<'delete-record'>): Outcome {
  const { collectionId, recordId: id } = operation
  const name = collectionName(state, collectionId)
  const path = recordPathOf(collectionId, id)
  if (fileAt(state, path) === undefined) throw recordNotFound()
  checkFileMatch(state, path, operation)
  state.tree.remove(path)
  return { id, created: false, subject: `Delete record ${id} from ${name}` }
}

function collectionName(state: SiteState, collectionId: string): string {
  const entry = fileAt(state, collectionPathOf(collectionId))
  const name = entry && nameIn(state, collectionId, entry.oid)
  if (name === undefined) throw collectionNotFound()
  return name
}

function nameIn(state: SiteState, collectionId: string, oid: string): string | undefined {
  const bytes = state.tree.readBlobWithin(oid, MAX_COLLECTION_BYTES)
  return bytes && parseCollection(collectionId, bytes)?.name
}

/** Refuses a name that another collection has: tools find collections by their names. */
function refuseTaken(state: SiteState, name: string): void {
  const folder = state.tree.entry(COLLECTION_DIR)
  if (folder?.mode !== MODE_TREE) return
  for (const entry of parseTree(state.tree.readTree(folder.oid)).entries) {
    const place = parseMetadataPath(`${COLLECTION_DIR}/${entry.name}`)
    if (place?.kind !== 'collection' || !isFile(entry.mode)) continue
    if (nameIn(state, place.collectionId, entry.oid) !== name) continue
    const message = `This site has a collection with the name "${name}" already: use it, by details.id, or choose another name.`
    throw new ServiceError('name_taken', message, { id: place.collectionId })
  }
}

function checkFileMatch(
  state: SiteState,
  path: string,
  operation: { ifMatch?: readonly string[] | '*'; known?: KnownFile },
): void {
  checkIfMatch(state, operation.ifMatch, [path], operation.known ?? { lastChange: '', asOf: '' })
}

function collectionNotFound(): ServiceError {
  return new ServiceError('collection_not_found', 'There is no such collection in this site.')
}

function recordNotFound(): ServiceError {
  return new ServiceError('record_not_found', 'There is no such record in this collection.')
}
