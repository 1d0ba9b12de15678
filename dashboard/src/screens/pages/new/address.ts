// The address of a page, made of its title or of what a person typed: `Our spring fair` gives `/our-spring-fair`.

const MAX_CHARACTERS = 60

/** Letters that lose no accent, each with how it is written without. */
const LETTERS = new Map(
  [
    'ä:ae ö:oe ü:ue ß:ss æ:ae œ:oe ø:o å:a ł:l đ:d ð:d þ:th ı:i',
    'а:a б:b в:v г:g д:d е:e ё:yo ж:zh з:z и:i й:y к:k л:l',
    'м:m н:n о:o п:p р:r с:s т:t у:u ф:f х:kh ц:ts ч:ch ш:sh',
    'щ:shch ъ: ы:y ь: э:e ю:yu я:ya і:i ї:yi є:ye ґ:g',
    'α:a β:v γ:g δ:d ε:e ζ:z η:i θ:th ι:i κ:k λ:l μ:m ν:n',
    'ξ:x ο:o π:p ρ:r σ:s ς:s τ:t υ:y φ:f χ:ch ψ:ps ω:o',
  ]
    .flatMap((row) => row.split(' '))
    .map((pair): [string, string] => [pair.slice(0, 1), pair.slice(2)]),
)

/** Scripts without a simple form in Latin letters, such as Arabic and Chinese, stay: browsers show them. */
export function addressOfTitle(title: string): string {
  const words = nameOf(title.toLowerCase().replaceAll(/['’]/g, ''))
  return `/${cut(words) || 'page'}`
}

/** Keeps slashes, dots, and what is percent-encoded. */
export function addressOfPath(path: string): string {
  const segments = path.trim().split('/').map(nameOf)
  const joined = segments.join('/').replaceAll(/\/{2,}/g, '/')
  return joined.startsWith('/') ? joined : `/${joined}`
}

/** Returns the address itself, or the first of its numbered ones that is not taken. */
export function freeAddress(wanted: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const address = number === 1 ? wanted : `${wanted}-${number}`
    if (!taken.has(address)) return address
  }
}

function nameOf(text: string): string {
  return latin(text)
    .replaceAll(/[^\p{L}\p{M}\p{N}._~%+-]+/gu, '-')
    .replaceAll(/-{2,}/g, '-')
    .replaceAll(/^-|-$/g, '')
}

function latin(text: string): string {
  const written = text.normalize('NFC').replaceAll(/\p{L}/gu, (letter) => LETTERS.get(letter) ?? letter)
  // Marks of other scripts are parts of their words.
  return written
    .normalize('NFKD')
    .replaceAll(/(?<=[a-zA-Z\p{Script=Greek}])\p{M}+/gu, '')
    .normalize('NFC')
}

/** Cuts at the end of a word if it can. */
function cut(words: string): string {
  const plain = words
    .replaceAll(/[.~%+]+/g, '-')
    .replaceAll(/-{2,}/g, '-')
    .replaceAll(/^-|-$/g, '')
  const letters = Array.from(plain)
  if (letters.length <= MAX_CHARACTERS) return plain
  const end = letters.slice(0, MAX_CHARACTERS + 1).lastIndexOf('-')
  return letters.slice(0, end > MAX_CHARACTERS / 2 ? end : MAX_CHARACTERS).join('')
}
