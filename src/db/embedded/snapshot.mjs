/**
 * @typedef {{ name_next?: Node, contents?: Uint8Array | Record<string, Node> }} Node
 * @typedef {{ shared: object, node: Node } | null | undefined} Stream
 * @typedef {{ nameTable: (Node | undefined)[], streams: Stream[] }} FileSystem
 * @typedef {{ HEAPU8: Uint8Array, FS: FileSystem, stackSave(): number, stackRestore(at: number): void }} Machine
 */

/** The growth of memory from which an engine is replaced instead of reset, because memory cannot shrink. */
const GROWTH_MAX = 3

/**
 * Saves the state of PostgreSQL between two statements: its memory, its files (which are in memory) and
 * its open files. The returned function restores the state and returns true, or returns false if that is
 * not possible.
 *
 * @param {object} module PGlite's `Module`
 */
export function takeSnapshot(module) {
  const machine = /** @type {Machine} */ (module)
  const { FS } = machine
  const memory = machine.HEAPU8.slice()
  const stack = machine.stackSave()
  const table = FS.nameTable.slice()
  const nodes = table.flatMap(chainOf).map((node) => ({ node, copy: copyOf(node) }))
  const streams = FS.streams.map(
    (stream) => stream && { stream, fields: { ...stream }, shared: { ...stream.shared } },
  )
  const hasLoadedLibrary = watchLinker()

  return () => {
    if (hasLoadedLibrary() || machine.HEAPU8.length > GROWTH_MAX * memory.length) return false
    machine.HEAPU8.set(memory)
    machine.HEAPU8.fill(0, memory.length)
    machine.stackRestore(stack)
    FS.nameTable.splice(0, Number.POSITIVE_INFINITY, ...table)
    for (const { node, copy } of nodes) restore(node, copy)
    FS.streams.splice(0, Number.POSITIVE_INFINITY, ...streams.map((saved) => saved?.stream))
    for (const saved of streams) {
      if (saved) Object.assign(Object.assign(saved.stream, saved.fields).shared, saved.shared)
    }
    return true
  }
}

/** @param {Node | undefined} first @returns {Node[]} */
function chainOf(first) {
  const nodes = []
  for (let node = first; node; node = node.name_next) nodes.push(node)
  return nodes
}

/** Overwrites the contents in place, if they still fit: that is cheaper than new memory. @param {Node} node @param {Node} copy */
function restore(node, copy) {
  const { contents } = node
  const saved = copy.contents
  if (
    !ArrayBuffer.isView(contents) ||
    !ArrayBuffer.isView(saved) ||
    contents.length !== saved.length
  )
    return void Object.assign(node, copyOf(copy))
  contents.set(saved)
  Object.assign(node, copy, { contents })
}

/** @param {Node} node @returns {Node} */
function copyOf(node) {
  const { contents } = node
  if (ArrayBuffer.isView(contents)) return { ...node, contents: contents.slice() }
  return contents ? { ...node, contents: { ...contents } } : { ...node }
}

/**
 * Watches for libraries that PostgreSQL loads, because they change state outside its memory, which a
 * snapshot cannot restore. The returned function returns true if one was loaded.
 */
function watchLinker() {
  const global = /** @type {{ WebAssembly: { Instance: new () => object } }} */ (
    /** @type {unknown} */ (globalThis)
  )
  let hasLoaded = false
  global.WebAssembly.Instance = new Proxy(global.WebAssembly.Instance, {
    construct(target, parameters) {
      hasLoaded = true
      return Reflect.construct(target, parameters)
    },
  })
  return () => hasLoaded
}
