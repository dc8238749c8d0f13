// Searches a generated C# client for types that are declared twice, and for files whose names differ in case only.
//
//   node scripts/generators/find-doubles.mjs FOLDER
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A type of a namespace. The generator indents it by four spaces, and inner types by more. */
const DECLARATION =
  /^ {4}(?:public|internal) (?:(?:abstract|sealed|static|partial|readonly|delegate) )*(?:class|interface|enum|struct|record) (\w+)/gm

const [folder = '.'] = process.argv.slice(2)
const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.cs'),
)
/** @type {Map<string, Set<string>>} */
const filesByName = new Map()
for (const path of paths) {
  add(`file ${path.toLowerCase()}`, path)
  for (const [, name = ''] of readFileSync(join(folder, path), 'utf8').matchAll(DECLARATION))
    add(`type ${name}`, path)
}
const doubles = [...filesByName].filter(([, files]) => files.size > 1)
for (const [name, files] of doubles)
  process.stdout.write(`${name} is declared twice: ${[...files].join(', ')}\n`)
const typesCount = [...filesByName.keys()].filter((name) => name.startsWith('type ')).length
process.stdout.write(`${paths.length} files, ${typesCount} types\n`)
if (doubles.length > 0 || typesCount === 0) process.exitCode = 1

/** @param {string} name @param {string} file */
function add(name, file) {
  const files = filesByName.get(name) ?? new Set()
  filesByName.set(name, files.add(file))
}
