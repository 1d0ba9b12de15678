// Texts of answers. Each has a maximum length in characters (code points) and names the code that enforces it. Texts from a push or an
// import are cut or skipped when they are read, so that answers about old sites respect these limits too.

import { Type } from 'typebox'
import { MAX_MESSAGE_CHARACTERS, MAX_TREE_PATH_CHARACTERS } from '../src/model/limits.js'

interface Annotations {
  description?: string
  examples?: string[]
}

/** A slash and at most 2,048 characters (`parsePagePath`). */
export const pagePath = (annotations: Annotations = {}) => Type.String({ ...annotations, maxLength: 2_049 })

/** The path of a file in the repository, with or without a leading slash (`diffTrees`). */
export const treePath = (annotations: Annotations = {}) =>
  Type.String({ ...annotations, maxLength: MAX_TREE_PATH_CHARACTERS + 1 })

/** A URL: a UTF-16 unit of a path becomes at most nine percent-encoded characters, and a host name has at most 253. */
export const url = (annotations: Annotations = {}) =>
  Type.String({ format: 'uri', ...annotations, maxLength: 9 * MAX_TREE_PATH_CHARACTERS + 1_024 })

/** A title that a client set (`parseSidecar`), or the document's own (`readTitle`). */
export const titleText = (annotations: Annotations = {}) => Type.String({ ...annotations, maxLength: 255 })

/** The name in a commit (`parseCommit`), or a label. */
export const author = (annotations: Annotations = {}) => Type.String({ ...annotations, maxLength: 200 })

/** The text of a commit, or the beginning and end of a long one (`parseCommit`). */
export const commitText = (annotations: Annotations = {}) => Type.String({ ...annotations, maxLength: 66_000 })

/** A message of the service for people (`ServiceError`, `wrongLinesOf`, `checkSite`). */
export const sentence = (annotations: Annotations = {}) =>
  Type.String({ ...annotations, maxLength: MAX_MESSAGE_CHARACTERS })

/** The media type of a file, by the extension of its name (`mediaTypeOf`). */
export const mediaTypeText = () => Type.String({ maxLength: 255 })
