// The files of a site's tree and their exact bytes (design: the repository format). Parsing is tolerant: an invalid file gives
// undefined and no error, since a push may bring any bytes.

import { canonicalJson } from './canonical-json.js'
import { isUuid } from '../../model/ids.js'
import type { Sidecar } from '../../model/commits/facts.js'
import { parsePagePath } from '../../model/paths/page-path.js'

/** The format number in `.site.json` that this code reads and writes. */
export const FORMAT = 1

/** Longer files are not read, since they are no metadata. */
export const MAX_SIDECAR_BYTES = 64 * 1024
export const MAX_COLLECTION_BYTES = 256 * 1024
export const MAX_RECORD_FILE_BYTES = 1024 * 1024

export const SITE_FILE = '.site.json'
export const SIDECAR_DIR = '.pages'
export const COLLECTION_DIR = 'collections'
export const TEMPLATE_DIR = '.templates'
export const FORMER_DIR = '.former'
const FORMER_FILE = /^\.former\/([0-9a-f]{2})\/\1[0-9a-f]{62}\.json$/

/** Encodes a value as canonical JSON with one line feed at the end. */
export function encodeCanonicalJson(value: unknown): Buffer {
  return Buffer.from(`${canonicalJson(value)}\n`)
}

/** Returns the JSON object in `bytes`, or undefined for anything else. */
export function parseJsonObject(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

export function encodeSiteFile(siteId: string): Buffer {
  return encodeCanonicalJson({ format: FORMAT, id: siteId })
}

/** Returns the site id and the format number in `.site.json`; undefined if it is invalid. */
export function parseSiteFile(bytes: Uint8Array): { id: string; format: number } | undefined {
  const value = parseJsonObject(bytes)
  const id = value?.['id']
  const format = value?.['format']
  return typeof id === 'string' && isUuid(id) && typeof format === 'number'
    ? { id: id.toLowerCase(), format }
    : undefined
}

export function sidecarPathOf(pageId: string): string {
  return `${SIDECAR_DIR}/${pageId.slice(0, 2)}/${pageId}.json`
}

/** Encodes a sidecar. It has a title only if a client set it, and then also the mark `titleIsSet`. */
export function encodeSidecar({ path, title, templateId }: Omit<Sidecar, 'isTitleMarked'>): Buffer {
  return encodeCanonicalJson({ path, template: templateId, ...(title !== null && { title, titleIsSet: true }) })
}

export function parseSidecar(bytes: Uint8Array): Sidecar | undefined {
  const value = parseJsonObject(bytes)
  const { path, title = null, template = null } = value ?? {}
  if (typeof path !== 'string' || !isText(title, 255) || !isText(template, 255)) return undefined
  try {
    const canonical = parsePagePath(path)
    return canonical === path
      ? { path: canonical, title, isTitleMarked: value?.['titleIsSet'] === true, templateId: template }
      : undefined
  } catch {
    return undefined
  }
}

/** Whether the value is null or a text of at most `limit` code points, as JSON Schema counts characters. */
function isText(value: unknown, limit: number): value is string | null {
  return value === null || (typeof value === 'string' && Array.from(value).length <= limit)
}

export function collectionPathOf(collectionId: string): string {
  return `${COLLECTION_DIR}/${collectionId}.json`
}

export function encodeCollection(id: string, name: string, schema: object | null): Buffer {
  return encodeCanonicalJson({ id, name, schema })
}

/** Returns a collection's definition; undefined if it is invalid, or its `id` is not the one in the file's name. */
export function parseCollection(id: string, bytes: Uint8Array): { name: string; schema: object | null } | undefined {
  const value = parseJsonObject(bytes)
  const { name, schema = null } = value ?? {}
  if (
    value?.['id'] !== id ||
    typeof name !== 'string' ||
    name === '' ||
    !isText(name, 255) ||
    typeof schema !== 'object' ||
    Array.isArray(schema)
  )
    return undefined
  return { name, schema }
}

export function recordPathOf(collectionId: string, recordId: string): string {
  return `${COLLECTION_DIR}/${collectionId}/${recordId}.json`
}

/** The kind of metadata file at a tree path, by its name alone; undefined for pages, assets and unknown dot files. */
export type MetadataPath =
  | { kind: 'sidecar'; pageId: string }
  | { kind: 'collection'; collectionId: string }
  | { kind: 'record'; collectionId: string; recordId: string }
  /** A former address. */
  | { kind: 'former' }

export function parseMetadataPath(treePath: string): MetadataPath | undefined {
  if (treePath.startsWith(`${FORMER_DIR}/`)) return FORMER_FILE.test(treePath) ? { kind: 'former' } : undefined
  const segments = treePath.split('/')
  const id = (segments.at(-1) ?? '').replace(/\.json$/, '')
  if (!isOwnId(id) || !treePath.endsWith('.json')) return undefined
  const [top, middle] = segments
  if (top === SIDECAR_DIR && segments.length === 3 && middle === id.slice(0, 2)) return { kind: 'sidecar', pageId: id }
  if (top !== COLLECTION_DIR) return undefined
  if (segments.length === 2) return { kind: 'collection', collectionId: id }
  if (segments.length === 3 && middle !== undefined && isOwnId(middle)) {
    return { kind: 'record', collectionId: middle, recordId: id }
  }
  return undefined
}

/** Whether the path is that of the sidecar of a page. */
export function isSidecar(treePath: string): boolean {
  return parseMetadataPath(treePath)?.kind === 'sidecar'
}

/** Whether the text is a lower-case UUID: one spelling only, so that two files never name one thing. */
function isOwnId(text: string): boolean {
  return isUuid(text) && text === text.toLowerCase()
}
