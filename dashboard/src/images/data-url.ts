// Converts the bytes of a file to a URL.

/** Returns a URL that contains the bytes: the dashboard's Content-Security-Policy allows images from no other source. */
export function toDataUrl(bytes: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''))
    reader.addEventListener('error', () => reject(new Error('The browser cannot read the file.')))
    reader.readAsDataURL(bytes)
  })
}
