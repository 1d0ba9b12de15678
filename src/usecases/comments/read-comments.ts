// Reads a part of the comments of a subject. The cursor holds the number of the last one.

import type { Comment } from '../../catalog/requests/comments.js'
import { ServiceError } from '../../model/errors.js'
import type { Call } from '../context/call.js'
import { DEFAULT_LIMIT, type SliceInput } from '../context/input.js'
import { makeCursor, readCursor } from '../context/slice.js'

const LIST = 'comments'

export async function readComments(
  { catalog }: Pick<Call<'catalog'>, 'catalog'>,
  subject: string,
  { limit = DEFAULT_LIMIT, cursor, path, open }: SliceInput & { path?: string; open?: boolean },
): Promise<{ comments: Comment[]; nextCursor: string | null }> {
  const after = cursor === undefined ? undefined : numberIn(readCursor(LIST, cursor))
  const rows = await catalog.comments.list(subject, { limit: limit + 1, after, path, isOpen: open })
  const comments = rows.slice(0, limit)
  const last = comments.at(-1)
  return { comments, nextCursor: rows.length > limit && last !== undefined ? makeCursor(LIST, `${last.number}`) : null }
}

function numberIn(key: string): number {
  const number = Number(key)
  if (Number.isSafeInteger(number)) return number
  throw new ServiceError('invalid_cursor', 'This cursor was not given by this list. Begin again without a cursor.')
}
