import type { Json } from '../harness.ts'

/** Reads a body or a query of Stripe: `line_items[0][quantity]=1` is a list with an object. */
export function readForm(text: string): Json {
  const root: Json = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const path = [...name.matchAll(/[^[\]]+/g)].map(([part]) => part)
    setAt(root, name.endsWith('[]') ? [...path, ''] : path, value)
  }
  return listsIn(root)
}

function setAt(node: Json, [name = '', ...path]: string[], value: string): void {
  const key = name === '' ? String(Object.keys(node).length) : name
  if (path.length === 0) {
    node[key] = value
    return
  }
  node[key] ??= {}
  setAt(node[key], path, value)
}

/** Turns objects whose names are indexes into lists. */
function listsIn(node: Json): Json {
  if (typeof node !== 'object') return node
  const entries = Object.entries(node).map(([name, value]) => [name, listsIn(value)] as const)
  const isList = entries.length > 0 && entries.every(([name], index) => name === String(index))
  return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries)
}
