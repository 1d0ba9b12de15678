// The tools of change requests: changes that are not live yet. The first write with `changeRequest: "new"` makes one.

import type { ToolDefinition } from './tool-definition.js'

export const REQUEST_TOOLS: readonly ToolDefinition[] = [
  {
    name: 'list_change_requests',
    operationId: 'listChangeRequests',
    title: 'List change requests',
    description: 'Drafts and proposals of a site, the newest first; author=me is yours.',
    effect: 'reads',
    target: 'site',
    shows: 'request',
    without: ['number', 'page', 'scheduled'],
    undescribed: ['state', 'author'],
  },
  {
    name: 'get_change_request',
    operationId: 'getChangeRequest',
    title: 'Read a change request',
    description: 'Its state, approvals, head, changes, open comments, and conflicts with what is live.',
    effect: 'reads',
    target: 'site',
    shows: 'request',
  },
  {
    name: 'comment_change_request',
    operationId: 'commentOnChangeRequest',
    title: 'Comment on a change request',
    description: 'Comments on it, or answers a comment of get_change_request; resolve: the thread is done.',
    effect: 'adds',
    target: 'site',
    shows: 'comment',
    without: ['asksForChanges', 'commit', 'lines', 'quote'],
    undescribed: ['text', 'inReplyTo', 'resolve', 'path'],
  },
  {
    name: 'edit_change_request',
    operationId: 'changeChangeRequest',
    title: 'Retitle, close or reopen a change request',
    description: 'Sets the title and the state: review asks people to look, closed ends it, draft reopens it.',
    effect: 'changes',
    target: 'site',
    shows: 'request',
    undescribed: ['title', 'state'],
  },
  {
    name: 'update_change_request',
    operationId: 'updateChangeRequest',
    title: 'Bring a change request up to date',
    description:
      'Merges what is live into it. Conflicts change nothing: name their paths in ours to keep its own version, in theirs to take the live one.',
    effect: 'changes',
    target: 'site',
    shows: 'updatedRequest',
    undescribed: ['ours', 'theirs'],
  },
  {
    name: 'publish_change_request',
    operationId: 'publishChangeRequest',
    title: 'Publish a change request',
    description:
      'Makes all of it live in one commit, if the user asks for that, or later at a time; ifHead is the head that was looked at.',
    effect: 'changes',
    target: 'site',
    shows: 'publishedRequest',
    undescribed: ['title', 'ifHead', 'at'],
  },
]
