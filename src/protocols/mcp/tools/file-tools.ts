// The tools of files that are no pages.

import type { ToolDefinition } from './tool-definition.js'

export const FILE_TOOLS: readonly ToolDefinition[] = [
  {
    name: 'list_files',
    operationId: 'listFiles',
    title: 'List files',
    description: 'Images, styles, scripts and rules by path, with etags, without bytes; pages are in list_pages.',
    effect: 'reads',
    target: 'site',
    shows: 'file',
    undescribed: ['path'],
    leavesOut: ['commit', 'changed', 'replaced', 'mergedWith', 'dryRun'],
  },
  {
    name: 'get_file',
    operationId: 'getFileText',
    title: 'Read a text file',
    description:
      'The text of a file that is no page, such as /style.css or /_redirects, with its etag, or of an old version by its number; parts and places as in get_page.',
    effect: 'reads',
    target: 'site',
    shows: 'file',
    undescribed: ['path', 'version', 'find', 'pattern', 'lines', 'chars'],
  },
  {
    name: 'edit_file',
    operationId: 'editFile',
    title: 'Edit part of a text file',
    description:
      'Changes parts of a text file as edit_page does those of a page. Needs its etag; force as in put_file.',
    effect: 'changes',
    target: 'site',
    shows: 'file',
    undescribed: ['path', 'edits', 'force', 'onConflict'],
    insistsOn: ['ifMatch'],
  },
  {
    name: 'put_file',
    operationId: 'writeFile',
    title: 'Put a file',
    description:
      'Adds a file that is no page, live at once, from text, url or base64 (up to 1 MiB). With ifMatch it replaces one: its etag, or "*" for any. Several in one commit: batch.',
    effect: 'changes',
    target: 'site',
    shows: 'file',
    without: ['oid', 'overwrite', 'onConflict'],
    undescribed: ['path', 'text'],
    sends: { overwrite: false },
  },
  {
    name: 'delete_file',
    operationId: 'deleteFile',
    title: 'Delete a file',
    description: 'Takes a file off the site. Needs its etag. Its versions stay.',
    effect: 'removes',
    target: 'site',
    shows: 'file',
    undescribed: ['path'],
    insistsOn: ['ifMatch'],
  },
]
