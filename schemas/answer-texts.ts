// Texts of answers, each with the most characters (code points) that it can have and the code that holds it to that. What a push or an
// import brings is cut or passed over where it is read, so that answers about old sites keep these bounds too.

import { Type } from 'typebox'
import { MAX_MESSAGE_CHARACTERS, MAX_TREE_PATH_CHARACTERS } from '../src/model/limits.js'

interface Annotations {
  description?: string
  examples?: string[]
}

/** 2,048 characters after the slash (`parsePagePath`). */
export const pagePath = (annotations: Annotations = {}) => Type.String({ ...annotations, maxLength: 2_049 })

/** The path of a file in the repository, with or without a slash before it (`diffTrees`). */
export const treePath = (annotations: Annotations = {}) =>
  Type.String({ ...annotations, maxLength: MAX_TREE_PATH_CHARACTERS + 1 })

/** A UTF-16 unit of a path becomes at most nine characters, percent-encoded; a host name has at most 253. */
export const url = (annotations: Annotations = {}) =>
  Type.String({ format: 'uri', ...annotations, maxLength: 9 * MAX_TREE_PATH_CHARACTERS + 1_024 })

/** What a client set (`parseSidecar`), or the document's (`readTitle`). */
export const titleText = (annotations: Annotations = {}) => Type.String({ ...annotations, maxLength: 255 })

/** The name in a commit (`parseCommit`), or a label. */
export const author = (annotations: Annotations = {}) => Type.String({ ...annotations, maxLength: 200 })

/** The text of a commit, or the start and the end of a long one (`parseCommit`). */
export const commitText = (annotations: Annotations = {}) => Type.String({ ...annotations, maxLength: 66_000 })

/** What the service says to people (`ServiceError`, `wrongLinesOf`, `checkSite`). */
export const sentence = (annotations: Annotations = {}) =>
  Type.String({ ...annotations, maxLength: MAX_MESSAGE_CHARACTERS })

/** Of a file, by the end of its name (`mediaTypeOf`). */
export const mediaTypeText = () => Type.String({ maxLength: 255 })
