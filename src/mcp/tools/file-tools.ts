// The tools of files that are no pages.

import type { ToolDefinition } from './tool-definition.js'

export const FILE_TOOLS: readonly ToolDefinition[] = [
  {
    name: 'list_files',
    operationId: 'listFiles',
    title: 'List files',
    description: 'Images, styles, scripts and rules of a site by path, without bytes; pages are in list_pages.',
    effect: 'reads',
    target: 'site',
    shows: 'file',
    leavesOut: ['changed', 'dryRun'],
  },
  {
    name: 'put_file',
    operationId: 'writeFile',
    title: 'Put a file',
    description:
      'Adds or replaces a file that is no page, live at once, from text or base64 (up to 1 MiB). Several in one commit: batch.',
    effect: 'changes',
    target: 'site',
    shows: 'file',
    without: ['oid'],
  },
  {
    name: 'delete_file',
    operationId: 'deleteFile',
    title: 'Delete a file',
    description: 'Takes a file off the site. Needs its oid as ifMatch (list_files). Its versions stay.',
    effect: 'removes',
    target: 'site',
    shows: 'file',
    insistsOn: ['ifMatch'],
  },
]
