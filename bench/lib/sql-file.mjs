import { readFile } from 'node:fs/promises'

/**
 * Returns the text of `<name>.sql` in this folder or in the folder of another file, with `:key` replaced by the value of each parameter.
 *
 * @param {string} name
 * @param {Record<string, string | number>} parameters
 * @param {string | URL} [next] the URL of a file in the same folder
 */
export async function readSqlFile(name, parameters, next = import.meta.url) {
  let script = await readFile(new URL(`./${name}.sql`, next), 'utf8')
  for (const [key, value] of Object.entries(parameters)) {
    script = script.replaceAll(`:${key}`, String(value))
  }
  return script
}

/**
 * Splits a script into its statements, because `vacuum` must be the only statement of its query.
 *
 * @param {string} script
 */
export const splitStatements = (script) =>
  script.split(';').filter((statement) => statement.trim() !== '')
