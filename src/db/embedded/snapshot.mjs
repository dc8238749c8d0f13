/**
 * @typedef {{ name_next?: Node, contents?: Uint8Array | Record<string, Node> }} Node
 * @typedef {{ shared: object, node: Node } | null | undefined} Stream
 * @typedef {{ nameTable: (Node | undefined)[], streams: Stream[] }} FileSystem
 * @typedef {{ HEAPU8: Uint8Array, FS: FileSystem, stackSave(): number, stackRestore(at: number): void }} Machine
 */

/** An engine whose memory grew beyond this multiple is better replaced, because memory never shrinks. */
const GROWTH_MAX = 3

/**
 * Keeps all that PostgreSQL consists of between two statements: its memory, its files, which are in
 * memory too, and its open files. The returned function puts everything back and returns true, or
 * returns false if the engine cannot go back.
 *
 * @param {object} module PGlite's `Module`
 */
export function takeSnapshot(module) {
  const machine = /** @type {Machine} */ (module)
  const { FS } = machine
  const memory = machine.HEAPU8.slice()
  const stack = machine.stackSave()
  const table = FS.nameTable.slice()
  const nodes = table.flatMap(chain).map((node) => ({ node, saved: copyOf(node) }))
  const streams = FS.streams.map(
    (stream) => stream && { stream, own: { ...stream }, shared: { ...stream.shared } },
  )
  const linked = watchLinker()

  return () => {
    if (linked() || machine.HEAPU8.length > GROWTH_MAX * memory.length) return false
    machine.HEAPU8.set(memory)
    machine.HEAPU8.fill(0, memory.length)
    machine.stackRestore(stack)
    FS.nameTable.splice(0, Number.POSITIVE_INFINITY, ...table)
    for (const { node, saved } of nodes) Object.assign(node, copyOf(saved))
    FS.streams.splice(0, Number.POSITIVE_INFINITY, ...streams.map((open) => open?.stream))
    for (const open of streams) {
      if (open) Object.assign(Object.assign(open.stream, open.own).shared, open.shared)
    }
    return true
  }
}

/** @param {Node | undefined} first @returns {Node[]} */
function chain(first) {
  const nodes = []
  for (let node = first; node; node = node.name_next) nodes.push(node)
  return nodes
}

/** @param {Node} node @returns {Node} */
function copyOf(node) {
  const { contents } = node
  if (ArrayBuffer.isView(contents)) return { ...node, contents: contents.slice() }
  return contents ? { ...node, contents: { ...contents } } : { ...node }
}

/**
 * A library that PostgreSQL loads changes the machine outside its memory, where nothing is put back.
 * The returned function says whether one was loaded.
 */
function watchLinker() {
  const global = /** @type {{ WebAssembly: { Instance: new () => object } }} */ (
    /** @type {unknown} */ (globalThis)
  )
  let linked = false
  global.WebAssembly.Instance = new Proxy(global.WebAssembly.Instance, {
    construct(target, from) {
      linked = true
      return Reflect.construct(target, from)
    },
  })
  return () => linked
}
