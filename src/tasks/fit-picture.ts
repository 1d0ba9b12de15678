// Makes a smaller form of a picture with sharp, a peer that the operator may install. The task process bounds its time and memory.

import type { Metadata, Sharp } from 'sharp'
import { type Fitted, MAX_PICTURE_PIXELS, type PictureForm } from '../model/paths/picture-form.js'

/** Turns the picture as its camera says, and leaves out what the camera noted, such as the place. */
export async function fitPicture(picture: Buffer, form: PictureForm): Promise<Fitted> {
  const { default: sharp } = await import('sharp')
  // One task has one thread. Memory that is kept for the next would count against it.
  sharp.concurrency(1)
  sharp.cache(false)
  try {
    // Reads the head alone, whatever size it claims.
    const found = await sharp(picture, { limitInputPixels: false }).metadata()
    if (found.width * found.height * (found.pages ?? 1) > MAX_PICTURE_PIXELS) return { unfit: 'too large' }
    if ((found.pages ?? 1) > 1 || (form.format === undefined && found.autoOrient.width <= form.width)) return 'as it is'
    const image = sharp(picture, { limitInputPixels: MAX_PICTURE_PIXELS, sequentialRead: true })
    const bytes = await encode(image.autoOrient().resize({ width: form.width, withoutEnlargement: true }), found, form)
    return form.format === undefined && bytes.length >= picture.length ? 'as it is' : { bytes }
  } catch {
    return { unfit: 'unreadable' }
  }
}

/** The default effort of AVIF takes 14 times as long, for files 3 % smaller at 1,280 pixels. */
function encode(image: Sharp, { format: own }: Metadata, { format }: PictureForm): Promise<Buffer> {
  switch (format ?? own) {
    case 'webp':
      return image.webp().toBuffer()
    case 'avif':
    case 'heif':
      return image.avif({ effort: 2 }).toBuffer()
    case 'png':
      return image.png().toBuffer()
    default:
      return image.jpeg().toBuffer()
  }
}
