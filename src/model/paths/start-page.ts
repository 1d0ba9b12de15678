// Names that start pages have on other servers. Here the start page of a folder is `index.html` alone.

const MEANT = /(?:^|\/)(?:index|default)\.(?:x?html?|shtml|php|md)$/i
const START = /(?:^|\/)index\.html$/

/** Returns the file that would be the start page of the folder of `treePath`; undefined unless `treePath` looks as if it were meant so. */
export function startPageMeantBy(treePath: string): string | undefined {
  if (!MEANT.test(treePath) || START.test(treePath)) return undefined
  return `${treePath.slice(0, treePath.lastIndexOf('/') + 1)}index.html`
}
