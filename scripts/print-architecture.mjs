// Prints the import diagrams of docs/ARCHITECTURE.md from the table that .dependency-cruiser.cjs enforces.
// With --check it fails if the document is stale.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import table from './import-table.cjs'

const FILE = fileURLToPath(new URL('../docs/ARCHITECTURE.md', import.meta.url))
/** The diagram omits these modules, because every module may import them. */
const EVERYWHERE = new Set(['kernel', 'shared'])

const before = readFileSync(FILE, 'utf8')
const after = [
  ['modules', diagram(table.MODULES)],
  ['wings', diagram(table.WINGS)],
  ['dashboard', diagram(table.DASHBOARD)],
].reduce((text, [name, lines]) => replaceBlock(text, name ?? '', lines ?? ''), before)

if (!process.argv.includes('--check')) writeFileSync(FILE, after)
else if (after !== before) {
  process.stderr.write('docs/ARCHITECTURE.md is stale: run node scripts/print-architecture.mjs\n')
  process.exitCode = 1
}

/** Draws the allowed imports. An import that a longer path implies is omitted. @param {Record<string, string[]>} rules */
function diagram(rules) {
  const lines = Object.entries(rules).flatMap(([name, allowed]) => {
    const others = allowed.filter((other) => !EVERYWHERE.has(other))
    const implied = new Set(others.flatMap((other) => reachable(rules, other)))
    return others.filter((other) => !implied.has(other)).map((other) => `  ${name} --> ${other}`)
  })
  return ['```mermaid', 'graph TD', ...lines, '```'].join('\n')
}

/** Returns the modules that a module may import, directly or through others. @param {Record<string, string[]>} rules @param {string} name @returns {string[]} */
function reachable(rules, name) {
  return (rules[name] ?? []).flatMap((other) => [other, ...reachable(rules, other)])
}

/** @param {string} text @param {string} name @param {string} content */
function replaceBlock(text, name, content) {
  const [start, end] = [`<!-- printed: ${name} -->`, `<!-- end: ${name} -->`]
  const from = text.indexOf(start)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new Error(`docs/ARCHITECTURE.md has no block "${name}".`)
  return `${text.slice(0, from + start.length)}\n${content}\n${text.slice(to)}`
}
