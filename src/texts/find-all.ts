// Finds many texts in one text by a single pass over it (Aho and Corasick 1975). The time is always linear in the text, the texts to find
// and the places found together. One search for each text would be quadratic if texts repeat themselves.

/** Returns for each of `finds` its first `maxPlaces` beginnings, in order. Places may overlap; an empty text has none. */
export function findAll(text: string, finds: readonly string[], maxPlaces: number): number[][] {
  const places = finds.map((): number[] => [])
  if (finds.length === 0) return places
  const trie = new Trie(finds)
  let node = ROOT
  for (let at = 0; at < text.length; at++) {
    node = trie.next(node, text.charCodeAt(at))
    for (let end = trie.ending(node); end !== ROOT; end = trie.ending(trie.link(end))) {
      let isDone = true
      for (const index of trie.findsAt(end)) {
        const found = places[index] ?? []
        if (found.length < maxPlaces) found.push(at + 1 - (finds[index] ?? '').length)
        isDone &&= found.length >= maxPlaces
      }
      if (isDone) trie.forget(end)
    }
  }
  return places
}

const ROOT = 0
const CODE_UNITS = 0x10000

/** A trie whose nodes are numbers; each node stands for a beginning of the texts to find. */
class Trie {
  /** The node for a first code unit. */
  readonly #first = new Int32Array(CODE_UNITS)
  readonly #child: Int32Array
  readonly #sibling: Int32Array
  readonly #unit: Uint16Array
  /** The node for the longest proper end of the node's text that begins a text to find. */
  readonly #link: Int32Array
  /** The next node that ends a text to find: the node itself, or one that is reached by links. */
  readonly #ending: Int32Array
  readonly #finds = new Map<number, number[]>()
  #size = 1

  constructor(finds: readonly string[]) {
    const nodes = finds.reduce((sum, { length }) => sum + length, 1)
    this.#child = new Int32Array(nodes)
    this.#sibling = new Int32Array(nodes)
    this.#unit = new Uint16Array(nodes)
    this.#link = new Int32Array(nodes)
    this.#ending = new Int32Array(nodes)
    for (const [index, find] of finds.entries()) this.#add(find, index)
    this.#joinLinks()
  }

  next(node: number, unit: number): number {
    for (let from = node; from !== ROOT; from = this.#link[from] ?? ROOT) {
      const child = this.#childOf(from, unit)
      if (child !== ROOT) return child
    }
    return this.#first[unit] ?? ROOT
  }

  link(node: number): number {
    return this.#link[node] ?? ROOT
  }

  findsAt(node: number): readonly number[] {
    return this.#finds.get(node) ?? []
  }

  /** Skips forgotten nodes, and remembers the way. */
  ending(node: number): number {
    let end = this.#ending[node] ?? ROOT
    while (end !== ROOT && !this.#finds.has(end)) end = this.#ending[this.link(end)] ?? ROOT
    this.#ending[node] = end
    return end
  }

  /** Stops the search for the texts that end here. */
  forget(node: number): void {
    this.#finds.delete(node)
  }

  #add(find: string, index: number): void {
    let node = ROOT
    for (let at = 0; at < find.length; at++) {
      const unit = find.charCodeAt(at)
      node = (node === ROOT ? this.#first[unit] : this.#childOf(node, unit)) || this.#grow(node, unit)
    }
    if (node === ROOT) return
    this.#finds.set(node, [...this.findsAt(node), index])
    this.#ending[node] = node
  }

  #grow(parent: number, unit: number): number {
    const node = this.#size++
    this.#unit[node] = unit
    this.#sibling[node] = this.#child[parent] ?? ROOT
    this.#child[parent] = node
    if (parent === ROOT) this.#first[unit] = node
    return node
  }

  #childOf(node: number, unit: number): number {
    let child = this.#child[node] ?? ROOT
    while (child !== ROOT && this.#unit[child] !== unit) child = this.#sibling[child] ?? ROOT
    return child
  }

  /** Sets the links, shorter texts first: a link leads to a shorter one. */
  #joinLinks(): void {
    const order = new Int32Array(this.#size)
    let filled = 1
    for (let read = 0; read < filled; read++) {
      const parent = order[read] ?? ROOT
      for (let node = this.#child[parent] ?? ROOT; node !== ROOT; node = this.#sibling[node] ?? ROOT) {
        order[filled++] = node
        const link = parent === ROOT ? ROOT : this.next(this.link(parent), this.#unit[node] ?? 0)
        this.#link[node] = link
        if (this.#ending[node] === ROOT) this.#ending[node] = this.#ending[link] ?? ROOT
      }
    }
  }
}
