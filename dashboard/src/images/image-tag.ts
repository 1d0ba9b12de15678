// The `<img>` tag of an image that a site serves.

export interface Pixels {
  width: number
  height: number
}

/** `path`: percent-encoded. The alternative text is left to the author. */
export function imageTag(path: string, { width, height }: Pixels): string {
  return `<img src="${path.replaceAll('&', '&amp;')}" width="${width}" height="${height}" alt="">`
}

/** Where the alternative text is written within such a tag. */
export function placeOfAlt(tag: string): number {
  return tag.length - '">'.length
}
