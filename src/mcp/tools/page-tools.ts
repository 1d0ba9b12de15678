// The tools that read and change pages.

import { OF_READS, OF_WRITES, type ToolDefinition } from './tool-definition.js'

export const PAGE_TOOLS: readonly ToolDefinition[] = [
  {
    name: 'list_pages',
    operationId: 'listPages',
    title: 'List or find pages',
    description:
      'Finds pages by path, prefix or text in path or title, ordered by path, without html. Read one with get_page.',
    effect: 'reads',
    target: 'site',
    shows: 'page',
    without: ['as'],
    leavesOut: [...OF_READS, ...OF_WRITES],
  },
  {
    name: 'search_pages',
    operationId: 'searchPages',
    title: 'Search the text of pages',
    description:
      'Finds pages by what they say: all words of q must occur. Answers paths with line numbers for get_page.',
    effect: 'reads',
    target: 'site',
    shows: 'hit',
    entries: 5,
  },
  {
    name: 'list_backlinks',
    operationId: 'listBacklinks',
    title: 'List the links to a page',
    description: 'The pages that link to a page, with lines.',
    effect: 'reads',
    target: 'site',
    shows: 'backlink',
  },
  {
    name: 'get_page',
    operationId: 'getPage',
    title: 'Read a page',
    description:
      'A page with its etag, which edits send as ifMatch, and its content: html to edit, markdown to read, outline to find a heading. Ask for a part of a long page.',
    effect: 'reads',
    target: 'site',
    shows: 'page',
    leavesOut: OF_WRITES,
  },
  {
    name: 'create_page',
    operationId: 'createPage',
    title: 'Publish a page',
    description:
      'Publishes a new page, live at once, from html or a template. A taken path is refused: use edit_page or update_page there.',
    effect: 'adds',
    target: 'site',
    shows: 'page',
    leavesOut: OF_READS,
  },
  {
    name: 'update_page',
    operationId: 'replacePage',
    title: 'Replace a page',
    description:
      'Replaces all html of a page, live at once, as a new version. For small changes use edit_page. Send ifMatch from get_page.',
    effect: 'changes',
    target: 'site',
    shows: 'page',
    leavesOut: OF_READS,
  },
  {
    name: 'edit_page',
    operationId: 'editContent',
    title: 'Edit part of a page',
    description:
      'Changes parts of a page without resending it: each find must occur once, or as often as occurrences says. Needs the etag of the page.',
    effect: 'changes',
    target: 'site',
    shows: 'page',
    leavesOut: OF_READS,
    insistsOn: ['ifMatch'],
  },
  {
    name: 'delete_page',
    operationId: 'unpublishPage',
    title: 'Unpublish a page',
    description: 'Takes a page off the site at once. Needs its etag. Its versions stay; rollback_page restores it.',
    effect: 'removes',
    target: 'site',
    shows: 'page',
    leavesOut: OF_READS,
    insistsOn: ['ifMatch'],
  },
  {
    name: 'retitle_page',
    operationId: 'retitlePage',
    title: 'Set the title of a page',
    description: "Sets the title in lists; null goes back to the document's.",
    effect: 'changes',
    target: 'site',
    shows: 'page',
    leavesOut: OF_READS,
  },
  {
    name: 'edit_pages',
    operationId: 'editPages',
    title: 'Edit many pages',
    description:
      'Makes the same edits on many pages in one commit, or on none. dryRun tells the count that occurrences: "all" needs.',
    effect: 'changes',
    target: 'site',
    shows: 'edits',
    schemas: {
      edits: { type: 'array', items: { type: 'object' }, minItems: 1, maxItems: 100, description: 'As in edit_page.' },
    },
  },
  {
    name: 'batch',
    operationId: 'batch',
    title: 'Many changes in one commit',
    description: `All operations or none, in one commit; a refusal names each at fault. An operation is {op, …}: createPage {path, html?, templateId?, title?}, putPage {path, html, title?}, replacePage {id, html}, editContent {id, edits, ifMatch}, retitlePage {id, title}, unpublishPage {id}, putFile {path, text | base64 | oid}, deleteFile {path}, createRecord {collectionId, data}, putRecord {collectionId, recordId, data}, deleteRecord {collectionId, recordId}; each may have ifMatch: "*" or an etag.`,
    effect: 'changes',
    target: 'site',
    shows: 'batch',
    schemas: { operations: { type: 'array', items: { type: 'object' }, minItems: 1, maxItems: 500 } },
  },
]
