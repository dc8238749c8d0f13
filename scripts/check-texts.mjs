// Fails if a text of the dashboard is used by no file, or if it has a brace that `fill` would show to the reader.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = 'dashboard/src'
/** Texts that the app looks up by the values of answers. A test of the contract compares those of the server with it. */
const LOOKED_UP =
  /\/(api-words|audit-actions|audit-records|dispute-reasons|permission-areas|record-fields)\.ts$/

const filesBelow = (folder, pattern) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => pattern.test(name))
    .map((name) => ({ path: join(folder, name), text: readFileSync(join(folder, name), 'utf8') }))

const sources = filesBelow(ROOT, /\.tsx?$/)
const isText = ({ path }) => path.startsWith(join(ROOT, 'text'))
/** A text that is chosen at run time has the name of a value in the code or in an answer of the API. */
const values = [
  ...sources.filter((source) => !isText(source)),
  ...filesBelow('sdk', /^(?!dist|node_modules).*\.gen\.ts$/),
]

/** The catalogues of a file: their names and keys. */
const cataloguesIn = ({ path, text }) =>
  text
    .split(/^export const /m)
    .slice(1)
    .map((part) => ({
      path,
      name: /^\w+/.exec(part)[0],
      // Keys are indented by two spaces.
      keys: [...part.matchAll(/^ {2}(\w+): ?(?:\[|\w+\.\w+,)/gm)].map(([, key]) => key),
    }))

/** Returns the keys of a catalogue that no file uses, neither directly nor with a name that is computed at run time. */
function unusedIn({ path, name, keys }) {
  const users = sources
    .filter(({ text }) => new RegExp(`\\b${name}\\b`).test(text))
    .map(({ text }) => ({
      text,
      alias: new RegExp(`\\b${name} as (\\w+)`).exec(text)?.[1] ?? name,
    }))
  const isUsed = (key) =>
    users.some(({ text, alias }) => new RegExp(`\\b${alias}\\.${key}\\b`).test(text))
  // `texts[name]` has the suffix '', and texts[`${name}_hint`] the suffix '_hint'.
  const suffixes = users.flatMap(({ text, alias }) =>
    [
      ...text.matchAll(
        new RegExp(`\\b${alias}\\[(?:\`\\$\\{[^}]+\\}(\\w*)\`|[a-z][^'\\]]*)\\]`, 'g'),
      ),
    ].map(([, suffix = '']) => suffix),
  )
  const isChosenAtRunTime = (key) =>
    suffixes.some((suffix) => {
      const stem = key.endsWith(suffix) ? key.slice(0, key.length - suffix.length) : ''
      const word = new RegExp(`\\b${stem}\\b`)
      return stem !== '' && values.some(({ text }) => word.test(text))
    })
  return keys
    .filter((key) => !isUsed(key) && !isChosenAtRunTime(key))
    .map((key) => `${path}: ${name}.${key}`)
}

const unused = sources
  .filter((source) => isText(source) && !LOOKED_UP.test(source.path))
  .flatMap(cataloguesIn)
  .flatMap(unusedIn)

if (unused.length > 0) {
  process.stderr.write(`These texts are used by no file. Delete them:\n${unused.join('\n')}\n`)
  process.exitCode = 1
}

/** The placeholders as `fill` reads them. Its file cannot be imported here, because it needs a browser. */
const [, placeholder] =
  /text\.replace\(\/(.+)\/g,/.exec(readFileSync(join(ROOT, 'text/catalogue.ts'), 'utf8')) ?? []
if (placeholder === undefined) throw new Error('The pattern of the placeholders was not found.')

/** An example of JSON, which is shown as it is. */
const JSON_EXAMPLE = /\{"[^{}]*\}/g

/** Returns the texts of a file, in any language, that have a brace after `fill`, such as `{n:one|{n} others}`. */
function unreadableIn({ path, text }) {
  const code = text.replace(/^\s*(\/\/|\/?\*).*$/gm, '')
  const literals = [...code.matchAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g)].map(
    ([literal]) => literal,
  )
  return literals
    .filter((literal) =>
      /[{}]/.test(literal.replace(new RegExp(placeholder, 'g'), '').replace(JSON_EXAMPLE, '')),
    )
    .map((literal) => `${path}: ${literal}`)
}

const unreadable = sources.filter(isText).flatMap(unreadableIn)
if (unreadable.length > 0) {
  process.stderr.write(`fill() cannot read the braces of these texts:\n${unreadable.join('\n')}\n`)
  process.exitCode = 1
}
