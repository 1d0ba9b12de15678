// The bytes of a file as a URL.

/** A URL that holds the bytes: the dashboard's Content-Security-Policy lets images come from nowhere else. */
export function toDataUrl(bytes: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''))
    reader.addEventListener('error', () => reject(new Error('The browser cannot read the file.')))
    reader.readAsDataURL(bytes)
  })
}
