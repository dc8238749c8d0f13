// Prints the import diagrams of docs/ARCHITECTURE.md from the table that .dependency-cruiser.cjs enforces.
// With --check it fails if the document is stale.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import table from './import-table.cjs'

const FILE = fileURLToPath(new URL('../docs/ARCHITECTURE.md', import.meta.url))
/** Every module may import these, so that the diagram leaves them out. */
const EVERYWHERE = new Set(['kernel', 'shared'])

const before = readFileSync(FILE, 'utf8')
const after = [
  ['modules', diagram(table.MODULES)],
  ['wings', diagram(table.WINGS)],
].reduce((text, [name, drawn]) => replaceBlock(text, name ?? '', drawn ?? ''), before)

if (!process.argv.includes('--check')) writeFileSync(FILE, after)
else if (after !== before) {
  process.stderr.write('docs/ARCHITECTURE.md is stale: run node scripts/print-architecture.mjs\n')
  process.exitCode = 1
}

/** Draws only direct steps: an import that a longer path implies is left out. @param {Record<string, string[]>} rules */
function diagram(rules) {
  const lines = Object.entries(rules).flatMap(([name, allowed]) => {
    const others = allowed.filter((other) => !EVERYWHERE.has(other))
    const implied = new Set(others.flatMap((other) => reachable(rules, other)))
    return others.filter((other) => !implied.has(other)).map((other) => `  ${name} --> ${other}`)
  })
  return ['```mermaid', 'graph TD', ...lines, '```'].join('\n')
}

/** Modules that a module imports, directly or not. @param {Record<string, string[]>} rules @param {string} name @returns {string[]} */
function reachable(rules, name) {
  return (rules[name] ?? []).flatMap((other) => [other, ...reachable(rules, other)])
}

/** @param {string} text @param {string} name @param {string} drawn */
function replaceBlock(text, name, drawn) {
  const [start, end] = [`<!-- printed: ${name} -->`, `<!-- end: ${name} -->`]
  const from = text.indexOf(start)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new Error(`docs/ARCHITECTURE.md has no block "${name}".`)
  return `${text.slice(0, from + start.length)}\n${drawn}\n${text.slice(to)}`
}
