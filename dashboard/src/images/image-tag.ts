// Makes the `<img>` tag of an image that a site serves.

export interface Pixels {
  width: number
  height: number
}

/** `path` is percent-encoded. The alternative text is left empty for the author. */
export function imageTag(path: string, { width, height }: Pixels): string {
  return `<img src="${path.replaceAll('&', '&amp;')}" width="${width}" height="${height}" alt="">`
}

/** Returns the position of the alternative text in such a tag. */
export function placeOfAlt(tag: string): number {
  return tag.length - '">'.length
}
