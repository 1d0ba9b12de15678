// Reads a part of the comments of a subject. The cursor holds the number of the last one.

import type { Comment } from '../../catalog/requests/comments.js'
import type { Call } from '../context/call.js'
import { DEFAULT_LIMIT, type SliceInput } from '../context/input.js'
import { firstOf, readNumber } from '../context/slice.js'

const LIST = 'comments'

export async function readComments(
  { catalog }: Pick<Call<'catalog'>, 'catalog'>,
  subject: string,
  { limit = DEFAULT_LIMIT, cursor, path, open }: SliceInput & { path?: string; open?: boolean },
): Promise<{ comments: Comment[]; nextCursor: string | null }> {
  const after = cursor === undefined ? undefined : readNumber(LIST, cursor)
  const rows = await catalog.comments.list(subject, { limit: limit + 1, after, path, isOpen: open })
  const { rows: comments, nextCursor } = firstOf(LIST, rows, ({ number }) => `${number}`, limit)
  return { comments, nextCursor }
}
