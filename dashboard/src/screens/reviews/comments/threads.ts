// The comments on a change request, as threads: a first comment with its answers.

import { api, type ChangeRequest, sliceOf } from '../../../api/client.js'
import { type Loaded, useLoaded } from '../../../api/use-loaded.js'
import type { Comment } from './comment-api.js'

export interface CommentThread {
  first: Comment
  answers: readonly Comment[]
}

/** More than a request may have. */
const MAX_COMMENTS = 1000

export function useThreads({ id, head }: ChangeRequest): Loaded<readonly CommentThread[]> {
  return useLoaded<readonly CommentThread[]>(`comments on ${id} at ${head}`, async (signal) => {
    const params = { path: { id }, query: { limit: MAX_COMMENTS } }
    return toThreads(sliceOf<Comment>(await api.GET('/change-requests/{id}/comments', { params, signal })).entries)
  })
}

function toThreads(comments: readonly Comment[]): CommentThread[] {
  const firsts = comments.filter(({ inReplyTo }) => inReplyTo === null)
  return firsts.map((first) => ({ first, answers: comments.filter(({ inReplyTo }) => inReplyTo === first.id) }))
}

/** Returns those on a page or file. */
export function threadsOn(path: string, threads: readonly CommentThread[] = []): readonly CommentThread[] {
  return threads.filter(({ first }) => first.path === path)
}

export function countOpen(threads: readonly CommentThread[]): number {
  return threads.filter(({ first }) => first.resolvedAt === null).length
}
